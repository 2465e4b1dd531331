import { InputError, type InputSource } from '../../src/inputs/form.ts';
import { readInputs, type Settings } from '../../src/inputs.ts';
import type { WaitSettings } from '../../src/wait-operations/settings.ts';

/** Never to be seen in a message. */
export const KEY = 'napi_k3yThatNobodyMaySee';

/** What makes a valid step. */
export const VALID: Readonly<Record<string, string>> = {
  mode: 'wait-operations',
  'api-key': KEY,
  'base-url': 'https://console.example.com/api/v2',
  'project-id': 'p1',
};

export type Files = Readonly<Record<string, string | Uint8Array | Error>>;

/** Inputs as the toolkit hands them over, and the files of a workspace. */
export function source(inputs: Readonly<Record<string, string>>, files: Files = {}): InputSource {
  return {
    input: (name) => (Object.hasOwn(inputs, name) ? (inputs[name] ?? '').trim() : ''),
    readFile(path) {
      const content = files[path] ?? Object.assign(new Error('no file'), { code: 'ENOENT' });
      if (content instanceof Error) throw content;
      return Buffer.from(content);
    },
  };
}

/** The settings of a valid step with these inputs instead. */
export function read(inputs: Readonly<Record<string, string>> = {}, files: Files = {}): Settings {
  return readInputs(source({ ...VALID, ...inputs }, files));
}

export function readWait(inputs?: Readonly<Record<string, string>>, files?: Files): WaitSettings {
  const { wait } = read(inputs, files);
  if (wait === undefined) throw new Error('The step is no wait.');
  return wait;
}

/** The error of a step with these inputs. */
export function refusal(inputs: Readonly<Record<string, string>>, files: Files = {}): InputError {
  try {
    read(inputs, files);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('The inputs were taken.');
}
