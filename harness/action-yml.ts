import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repository } from './paths.ts';

/** One input as `action.yml` declares it. */
export interface DeclaredInput {
  description: string;
  required: boolean;
  default?: string;
}

/** What the harness, the documentation and the tests need of `action.yml`. */
export interface ActionDefinition {
  name: string;
  description: string;
  branding?: Record<string, string>;
  inputs: Record<string, DeclaredInput>;
  outputs: Record<string, { description: string }>;
  runs: { using: string; main: string; post?: string; 'post-if'?: string };
}

/** The contexts that a default's expression may name, e.g. `{github: {token: '…'}, runner: {temp: '…'}}`. */
export type Contexts = Record<string, Record<string, string>>;

/** Reads an `action.yml`, by default this repository's. Scalars become strings, as they do for the runner. */
export function readAction(file = join(repository, 'action.yml')): ActionDefinition {
  return parseAction(readFileSync(file, 'utf8'));
}

/** Reads the text of an `action.yml`. Throws if it is not a JavaScript action. */
export function parseAction(text: string): ActionDefinition {
  const read = parse(text) as Record<string, unknown>;
  const runs = (read.runs ?? {}) as ActionDefinition['runs'];
  if (typeof runs.using !== 'string' || typeof runs.main !== 'string') {
    throw new Error('action.yml: `runs` needs `using` and `main`.');
  }
  const inputs: Record<string, DeclaredInput> = {};
  for (const [name, value] of Object.entries((read.inputs ?? {}) as Record<string, unknown>)) {
    const input = (value ?? {}) as Record<string, unknown>;
    inputs[name] = {
      description: String(input.description ?? '').trim(),
      required: input.required === true || input.required === 'true',
      ...(input.default === undefined ? {} : { default: String(input.default) }),
    };
  }
  const outputs: ActionDefinition['outputs'] = {};
  for (const [name, value] of Object.entries((read.outputs ?? {}) as Record<string, unknown>)) {
    const output = (value ?? {}) as Record<string, unknown>;
    outputs[name] = { description: String(output.description ?? '').trim() };
  }
  return {
    name: String(read.name ?? ''),
    description: String(read.description ?? '').trim(),
    ...(read.branding ? { branding: read.branding as Record<string, string> } : {}),
    inputs,
    outputs,
    runs,
  };
}

/**
 * The inputs a step gets: those of `with:`, then the default of each that `with:` does not name, and nothing for one
 * without a default. Like the runner this ignores case, and does not enforce `required`.
 */
export function effectiveInputs(
  action: ActionDefinition,
  given: Record<string, string>,
  contexts: Contexts,
): Record<string, string> {
  const inputs = { ...given };
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  for (const [name, input] of Object.entries(action.inputs)) {
    if (!names.has(name.toLowerCase())) inputs[name] = evaluate(input.default ?? '', contexts);
  }
  return inputs;
}

/** Names in `given` that `action.yml` does not declare. */
export function unexpectedInputs(
  action: ActionDefinition,
  given: Record<string, string>,
): string[] {
  const declared = new Set(Object.keys(action.inputs).map((name) => name.toLowerCase()));
  return Object.keys(given).filter((name) => !declared.has(name.toLowerCase()));
}

/** The environment variable that hands an input over: upper case, blanks as `_`, dashes as they are. */
export function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

/**
 * Evaluates the `${{ context.name }}` expressions of a text. Throws on any other expression, so that a default that
 * this harness would get wrong is noticed.
 */
export function evaluate(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_whole, expression: string) => {
    const path = /^\s*([a-z]+)\.([a-z_]+)\s*$/i.exec(expression);
    const value = path && contexts[String(path[1])]?.[String(path[2])];
    if (typeof value !== 'string') {
      throw new Error(`The harness does not know the expression \${{${expression}}}.`);
    }
    return value;
  });
}
