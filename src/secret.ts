import { inspect } from 'node:util';

/**
 * A value that must not be read by people: prints as `***` wherever it is turned into text by accident (templates,
 * JSON, `console.log`, error causes). Only {@link Secret.reveal} gives the value away, so every place that needs it can be
 * found by name.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one statement that sends, masks or seals it. */
  reveal(): string {
    return this.#value;
  }

  /** `text` without the value, in the forms in which a server may echo it: plain, URI-encoded and base64. */
  redact(text: string): string {
    if (this.#value === '') return text;
    const forms = new Set([
      this.#value,
      encodeURIComponent(this.#value),
      Buffer.from(this.#value).toString('base64'),
      Buffer.from(`Bearer ${this.#value}`).toString('base64'),
    ]);
    let redacted = text;
    for (const form of forms) redacted = redacted.replaceAll(form, '***');
    return redacted;
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
