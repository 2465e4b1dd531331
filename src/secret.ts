import { inspect } from 'node:util';

const SHORTEST = 6;

/**
 * A value that must not be read by people: prints as `***` wherever it is turned into text by accident (templates,
 * JSON, `console.log`, error causes). Only {@link Secret.reveal} gives the value away, so every place that needs it can be
 * found by name.
 */
export class Secret {
  readonly #value: string;
  readonly #echoes: readonly string[];

  constructor(value: string) {
    this.#value = value;
    // Anything shorter is no key, and would be found in every other word.
    if (value.length < SHORTEST) {
      this.#echoes = [];
      return;
    }
    const encoded = [value, `Bearer ${value}`].map((text) => Buffer.from(text));
    this.#echoes = [
      value,
      encodeURIComponent(value.toWellFormed()),
      // Without padding, which stands or falls with the encoder.
      ...encoded.map((bytes) => bytes.toString('base64').replace(/=+$/, '')),
      ...encoded.map((bytes) => bytes.toString('base64url')),
    ].filter((form, index, all) => all.indexOf(form) === index);
  }

  /** The value itself, for the one statement that sends, masks or seals it. */
  reveal(): string {
    return this.#value;
  }

  /** `text` without the value, in the forms in which a server may echo it: plain, URI-encoded and base64. */
  redact(text: string): string {
    return this.#echoes.reduce((redacted, form) => redacted.replaceAll(form, '***'), text);
  }

  /** Whether JSON text may hold the value; an escape may hide it. */
  mayBeIn(json: string): boolean {
    return json.includes('\\') || this.#echoes.some((form) => json.includes(form));
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
