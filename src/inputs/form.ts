import { parseJson } from '../control-api/json.ts';
import { isSafeId } from '../control-api/paths.ts';
import { parseDuration } from '../durations.ts';
import { Secret } from '../secret.ts';
import { oneLine } from '../text.ts';
import { INPUTS, type InputName } from './catalog.ts';

/** Where the workflow's strings come from. */
export interface InputSource {
  /** The input's text, without blanks around it; empty where it is not given. */
  input(name: string): string;
  /**
   * The content of a file; `path` is absolute or relative to the workspace.
   * @throws the file system's error
   */
  readFile(path: string): Uint8Array;
}

/** All that is wrong with the inputs of a step, in one error. */
export class InputError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const [first = ''] = faults;
    super(
      faults.length === 1
        ? `Bad input. ${first}`
        : `${faults.length} bad inputs.\n${faults.map((fault) => `- ${fault}`).join('\n')}`,
    );
    this.name = 'InputError';
    this.faults = faults;
  }
}

/** What an input allows, for the message of its fault. */
export interface Rule {
  readonly allowed: string;
  readonly example: string;
}

/** For an input that a secret fills. */
export const WHY_EMPTY =
  '. A secret that does not exist is empty, and so is every secret in a pull request from a fork';

const DURATION: Rule = {
  allowed: 'a number, then s, m, h or d (nothing means seconds)',
  example: '30s',
};
const ID: Rule = {
  allowed: 'letters, digits, ".", "_", "~" and "-"',
  example: 'aged-salad-686906',
};

/**
 * The workflow's strings on their way to typed values. Each method reads one input strictly and notes what is wrong with
 * it; {@link Form.check} then names all faults at once. A method that noted a fault answers with a stand-in, which nobody
 * gets to use.
 */
export class Form {
  readonly #source: InputSource;
  readonly #faults: string[] = [];
  readonly #secrets: readonly Secret[];

  constructor(source: InputSource) {
    this.#source = source;
    this.#secrets = ['api-key', 'github-token'].map((name) => new Secret(source.input(name)));
  }

  /** A value of an input as a message shows it: on one line, cut, in quotes; a key pasted into the wrong input stays hidden. */
  quoted(text: string): string {
    const safe = this.#secrets.reduce((shown, secret) => secret.redact(shown), text);
    return `"${oneLine(safe, 80)}"`;
  }

  /** JSON of an input without the step's secrets. */
  redacted(json: unknown): unknown {
    return this.#secrets.reduce((value, secret) => secret.redactAll(value), json);
  }

  /** @throws InputError when anything was wrong */
  check(): void {
    if (this.#faults.length > 0) throw new InputError(this.#faults);
  }

  /** Notes a fault. Give `value` only where it cannot be a secret. */
  fault(name: InputName, problem: string, { allowed, example }: Rule): void {
    this.#faults.push(`${name}: ${problem}. Allowed: ${allowed}. Example: ${example}`);
  }

  text(name: InputName): string {
    return this.#source.input(name);
  }

  /** Whether the workflow says something other than the default, which the runner hands over as an input, too. */
  isGiven(name: InputName): boolean {
    const text = this.text(name);
    return text !== '' && text !== INPUTS[name].default;
  }

  required(name: InputName, rule: Rule): string {
    const text = this.text(name);
    if (text === '') this.fault(name, 'is required', rule);
    return text;
  }

  choice<Choice extends string>(name: InputName, choices: readonly Choice[]): Choice | undefined {
    const rule = { allowed: choices.join(', '), example: choices[0] ?? '' };
    const text = this.required(name, rule);
    const choice = choices.find((one) => one === text);
    if (choice === undefined && text !== '')
      this.fault(name, `${this.quoted(text)} is not known`, rule);
    return choice;
  }

  /** Milliseconds; an empty input means its default. */
  duration(name: InputName, { atLeastMs = 0, example = DURATION.example } = {}): number {
    const text = this.text(name) || INPUTS[name].default;
    const ms = parseDuration(text);
    const rule = { allowed: DURATION.allowed, example };
    if (ms === undefined) {
      this.fault(name, `${this.quoted(text)} is not a duration, or is longer than ten years`, rule);
      return 0;
    }
    if (ms < atLeastMs) {
      const allowed = `at least ${atLeastMs / 1000}s`;
      this.fault(name, `${this.quoted(text)} is too short`, { allowed, example });
    }
    return ms;
  }

  /** The YAML 1.2 core schema's booleans, as the toolkit reads them. */
  boolean(name: InputName): boolean {
    const text = this.text(name) || INPUTS[name].default;
    if (['true', 'True', 'TRUE'].includes(text)) return true;
    if (!['false', 'False', 'FALSE'].includes(text)) {
      const rule = { allowed: 'true or false', example: INPUTS[name].default };
      this.fault(name, `${this.quoted(text)} is neither true nor false`, rule);
    }
    return false;
  }

  wholeNumber(name: InputName, { atMost }: { atMost: number }): number {
    const text = this.text(name) || INPUTS[name].default;
    if (/^\d{1,9}$/.test(text) && Number(text) <= atMost) return Number(text);
    const rule = { allowed: `a whole number from 0 to ${atMost}`, example: INPUTS[name].default };
    this.fault(name, `${this.quoted(text)} is out of range or not a whole number`, rule);
    return 0;
  }

  /** One id; undefined where it is not given. */
  id(name: InputName): string | undefined {
    const text = this.text(name);
    if (text === '') return undefined;
    if (!isSafeId(text)) this.fault(name, `${this.quoted(text)} is not an id`, ID);
    this.refuseSecret(name, text, ID);
    return text;
  }

  /** A list of ids or names of actions, each once; undefined where it is not given, empty for an explicit `[]`. */
  ids(name: InputName, example: string): readonly string[] | undefined {
    const items = this.#list(name, /[\s,]+/, example);
    const bad = items?.find((item) => !isSafeId(item));
    if (bad !== undefined) this.fault(name, `${this.quoted(bad)} is not an id`, { ...ID, example });
    this.refuseSecret(name, items?.join(' ') ?? '', { ...ID, example });
    return items;
  }

  /** Whether the value of one of the step's secrets is in a text. */
  holdsSecret(text: string): boolean {
    return this.#secrets.some((secret) => secret.redact(text) !== text);
  }

  /** Two secrets mixed up: the key would stand in paths, logs and summaries. */
  refuseSecret(name: InputName, text: string, rule: Rule): void {
    if (!this.holdsSecret(text)) return;
    this.fault(name, 'holds the value of api-key or github-token', rule);
  }

  /** A list of names that hold blanks: split at newlines and commas only. */
  names(name: InputName, example: string): readonly string[] | undefined {
    return this.#list(name, /[\n\r,]+/, example, 'newlines or commas')?.map((item) => item.trim());
  }

  #list(
    name: InputName,
    separator: RegExp,
    example: string,
    between = 'newlines, commas or blanks',
  ): readonly string[] | undefined {
    const text = this.text(name);
    if (text === '') return undefined;
    const rule = {
      allowed: `a list (${between} between, or a JSON array)`,
      example,
    };
    const items = text.startsWith('[')
      ? jsonItems(text)
      : text.split(separator).filter((item) => item.trim() !== '');
    if (items === undefined)
      this.fault(name, 'looks like a JSON array of strings and is none', rule);
    else if (items.length === 0 && !text.startsWith('[')) this.fault(name, 'holds no item', rule);
    return items && [...new Set(items)];
  }

  /**
   * The text of a file that an input names; undefined where it is not given. A byte-order mark is skipped, and decides
   * the encoding: Windows' shells like to write UTF-16.
   */
  file(name: InputName): string | undefined {
    const path = this.text(name);
    if (path === '') return undefined;
    try {
      const bytes = this.#source.readFile(path);
      const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
      return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why =
        code === 'ENOENT'
          ? 'there is no such file'
          : `it cannot be read (${code ?? 'unknown error'})`;
      const rule = {
        allowed: 'the path of a text file, absolute or relative to the workspace',
        example: 'branch.json',
      };
      this.fault(name, `${this.quoted(path)}: ${why}`, rule);
      return undefined;
    }
  }
}

/** The strings (or numbers) of a JSON array; undefined when it is none. */
function jsonItems(text: string): string[] | undefined {
  try {
    const items = parseJson(text);
    if (!Array.isArray(items)) return undefined;
    const isItem = (item: unknown): boolean =>
      (typeof item === 'string' && item !== '') ||
      Number.isSafeInteger(item) ||
      typeof item === 'bigint';
    return items.every(isItem) ? items.map(String) : undefined;
  } catch {
    return undefined;
  }
}
