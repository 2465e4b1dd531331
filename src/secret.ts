import { inspect } from 'node:util';

/** What a header can carry, and so every key and token: visible ASCII. */
export const HEADER_TEXT = /^[\x21-\x7e]+$/;

const SHORTEST = 6;

/** An escape of a URI, of HTML or of JSON. */
const ESCAPE = /%[\da-f]{2}|&#|&[a-z]+;|\\[u"\\/]/i;
/** The characters that HTML and JSON escape by other means than a number. */
const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&apos;',
  '"': '&quot;|\\\\"',
  '\\': '\\\\\\\\',
  '/': '\\\\/',
};

/**
 * A value that must not be read by people: prints as `***` wherever it is turned into text by accident (templates,
 * JSON, `console.log`, error causes). Only {@link Secret.reveal} gives the value away, so every place that needs it can be
 * found by name.
 */
export class Secret {
  readonly #value: string;
  readonly #echoes: readonly string[];
  #anySpelling: string | undefined;

  constructor(value: string) {
    this.#value = value;
    // Anything shorter is no key, and would be found in every other word.
    if (value.length < SHORTEST) {
      this.#echoes = [];
      return;
    }
    const bytes = Buffer.from(value);
    const encoded = [`Bearer ${value}`, value].map((text) => Buffer.from(text));
    this.#echoes = [
      value,
      // The longest first, so that as little as possible is left of a form.
      ...encoded.map((whole) => whole.toString('base64').replace(/=+$/, '')),
      ...encoded.map((whole) => whole.toString('base64url')),
      ...[0, 1, 2].flatMap((shift) => base64Digits(bytes, shift)),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
    ].filter((form, index, all) => all.indexOf(form) === index);
  }

  /** The value itself, for the one statement that sends, masks or seals it. */
  reveal(): string {
    return this.#value;
  }

  /**
   * `text` without the value, in the forms in which a server may echo it: plain, base64 (also inside a longer encoded text),
   * hex, and with any of its characters escaped as in URIs, HTML or JSON.
   */
  redact(text: string): string {
    const plain = this.#echoes.reduce((redacted, form) => redacted.replaceAll(form, '***'), text);
    return this.#echoes.length > 0 && ESCAPE.test(plain)
      ? plain.replace(this.#spelled(), '***')
      : plain;
  }

  /** Whether JSON text may hold the value; an escape may hide it. */
  mayBeIn(json: string): boolean {
    if (json.includes('\\') || this.#echoes.some((form) => json.includes(form))) return true;
    return this.#echoes.length > 0 && ESCAPE.test(json) && this.#spelled().test(json);
  }

  /** The value with each of its characters as it is or escaped. */
  #spelled(): RegExp {
    this.#anySpelling ??= [...this.#value]
      .map((one) => {
        const code = one.codePointAt(0) ?? 0;
        const hex = code.toString(16);
        const uri = encodeURIComponent(one.toWellFormed());
        const escaped = uri === one ? `%${hex}` : uri;
        const json = `\\\\u0*${hex}`;
        return `(?:${literal(one)}|${escaped}|&#0*${code};?|&#x0*${hex};?|${json}|${NAMED[one] ?? escaped})`;
      })
      .join('');
    return new RegExp(this.#anySpelling, 'gi');
  }

  /** A JSON value without the secret in any of its texts and names. */
  redactAll(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (Array.isArray(value)) return value.map((item) => this.redactAll(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.redact(name), this.redactAll(item)]),
    );
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [inspect.custom](): string {
    return '***';
  }
}

/** A pattern of this text alone. */
function literal(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/**
 * The base64 digits that stand for these bytes alone, in both alphabets, when the longer text before them fills `shift` bytes
 * of a group of three.
 */
function base64Digits(bytes: Buffer, shift: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
  const from = Math.ceil((shift * 8) / 6);
  const to = Math.floor((whole.length * 8) / 6);
  return [whole.toString('base64').slice(from, to), whole.toString('base64url').slice(from, to)];
}
