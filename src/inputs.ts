import { readBaseUrl } from './inputs/base-url.ts';
import { INPUTS, type InputName, MODES, type Mode } from './inputs/catalog.ts';
import { Form, type InputSource, WHY_EMPTY } from './inputs/form.ts';
import { readList } from './inputs/list.ts';
import { readRotate } from './inputs/rotate.ts';
import { readWait } from './inputs/wait.ts';
import type { ListSettings } from './list-projects/settings.ts';
import type { RotateSettings } from './rotate-key/settings.ts';
import { HEADER_TEXT, Secret } from './secret.ts';
import type { WaitSettings } from './wait-operations/settings.ts';

/** What every mode is told. */
export interface CommonSettings {
  readonly mode: Mode;
  readonly apiKey: Secret;
  /** Ends in the version prefix, without a slash behind it. */
  readonly baseUrl: string;
  readonly requestTimeoutMs: number;
  readonly maxRetries: number;
  readonly summary: boolean;
}

/** The workflow's strings as one typed value. Nothing deeper reads an input. */
export interface Settings extends CommonSettings {
  /** In `wait-operations`. */
  readonly wait: WaitSettings | undefined;
  /** In `rotate-key`. */
  readonly rotate: RotateSettings | undefined;
  /** In `list-projects`. */
  readonly list: ListSettings | undefined;
  /** Inputs that have no effect, each in a sentence. */
  readonly warnings: readonly string[];
}

const KEY = {
  allowed: 'visible ASCII characters without blanks or line breaks',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a workflow passes a secret
  example: '${{ secrets.DATABASE_API_KEY }}',
};
const LONGEST_KEY = 4096;
const MOST_RETRIES = 100;
const SHORTEST_REQUEST_MS = 100;

/**
 * Reads and checks all inputs.
 * @param repository `OWNER/NAME` of the workflow's repository
 * @throws InputError that names every fault at once
 */
export function readInputs(source: InputSource, repository = ''): Settings {
  const form = new Form(source);
  const mode = form.choice('mode', MODES);
  const warnings = mode === undefined ? [] : withoutEffect(form, mode);
  const requestTimeoutMs = form.duration('request-timeout', { atLeastMs: SHORTEST_REQUEST_MS });
  const settings = {
    mode: mode ?? 'wait-operations',
    apiKey: readKey(form),
    baseUrl: readBaseUrl(form),
    requestTimeoutMs,
    maxRetries: form.wholeNumber('max-retries', { atMost: MOST_RETRIES }),
    summary: form.boolean('summary'),
    wait:
      mode === 'wait-operations'
        ? readWait(form, requestTimeoutMs, (warning) => warnings.push(warning))
        : undefined,
    rotate:
      mode === 'rotate-key'
        ? readRotate(form, repository, (warning) => warnings.push(warning))
        : undefined,
    list:
      mode === 'list-projects' ? readList(form, (warning) => warnings.push(warning)) : undefined,
    warnings,
  };
  form.check();
  return settings;
}

function readKey(form: Form): Secret {
  const text = form.text('api-key');
  if (text === '') form.fault('api-key', `is required${WHY_EMPTY}`, KEY);
  else if (!HEADER_TEXT.test(text) || text.length > LONGEST_KEY) {
    form.fault('api-key', 'holds blanks, line breaks or other characters that no key has', KEY);
  }
  return new Secret(text);
}

function withoutEffect(form: Form, mode: Mode): string[] {
  return (Object.keys(INPUTS) as InputName[])
    .filter((name) => INPUTS[name].mode !== undefined && INPUTS[name].mode !== mode)
    .filter((name) => form.isGiven(name))
    .map((name) => `${name} has no effect in mode ${mode}.`);
}
