import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { type ActionDefinition, readAction } from '../../harness/action-yml.ts';
import { repository } from '../../harness/paths.ts';
import { INPUTS, type InputName } from '../../src/inputs/catalog.ts';

interface Step {
  id?: string;
  uses?: string;
  with?: Record<string, unknown>;
}

interface Workflow {
  concurrency?: { 'cancel-in-progress'?: boolean };
  permissions?: unknown;
  jobs: Record<string, { steps: Step[] }>;
}

const action = readAction();
const isOurs = ({ uses }: Step) => /^OWNER\/cloud-database-control@|^\.\/$/.test(uses ?? '');
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

/** What is wrong with how a step uses this action: unknown inputs, missing ones, those of another mode. */
function faultsOf(step: Step): string[] {
  const given = step.with ?? {};
  const mode = String(given.mode);
  const names = Object.keys(given);
  const isKnown = (name: string): name is InputName => Object.hasOwn(INPUTS, name);
  return [
    ...names.filter((name) => !(name in action.inputs)).map((name) => `${name} is no input`),
    ...names
      .filter(isKnown)
      .filter((name) => (INPUTS[name].mode ?? mode) !== mode)
      .map((name) => `${name} is not of ${mode}`),
    ...Object.entries(action.inputs)
      .filter(([name, { required }]) => required && !names.includes(name))
      .map(([name]) => `${name} is missing`),
  ];
}

/** Outputs that a text reads of a step that uses this action and that the action does not have. */
function unknownOutputs(text: string, steps: Step[], { outputs }: ActionDefinition): string[] {
  const ids = steps.filter(isOurs).flatMap(({ id }) => id ?? []);
  const read = [...text.matchAll(/\bsteps\.([\w-]+)\.outputs\.([\w-]+)/g)];
  return read
    .filter(([, id, name]) => ids.includes(id ?? '') && !((name ?? '') in outputs))
    .map(([whole]) => whole);
}

const folder = join(repository, 'examples');
const examples = readdirSync(folder);

describe('examples/', () => {
  test('holds workflows, each of which is run by a test', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
    for (const example of examples) {
      const tested = join(repository, '__workflows__', example.replace(/\.yml$/, '.test.ts'));
      expect([example, existsSync(tested)]).toEqual([example, true]);
      expect(readFileSync(tested, 'utf8')).toContain(`runExample('${example}'`);
    }
  });

  test.each(examples)('%s gives the action what it takes', (example) => {
    const text = readFileSync(join(folder, example), 'utf8');
    const workflow = parse(text) as Workflow;
    const ours = stepsOf(workflow).filter(isOurs);
    expect(ours).not.toEqual([]);
    expect(ours.map(faultsOf)).toEqual(ours.map(() => []));
    expect(unknownOutputs(text, ours, action)).toEqual([]);
    expect(workflow.permissions).toEqual({});
  });

  test.each(examples)('%s breaks off no rotation', (example) => {
    const workflow = parse(readFileSync(join(folder, example), 'utf8')) as Workflow;
    const rotates = stepsOf(workflow).some((step) => step.with?.mode === 'rotate-key');
    expect(rotates && workflow.concurrency?.['cancel-in-progress'] !== false).toBe(false);
  });
});

describe('the YAML in README.md', () => {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block]) => String(block));

  test('gives the action what it takes', () => {
    const steps = blocks.flatMap((block) => {
      const [document] = parseAllDocuments(block);
      const read = document?.toJS() as Workflow | Step[];
      return Array.isArray(read) ? read : stepsOf(read);
    });
    const ours = steps.filter(isOurs);
    expect(ours.length).toBeGreaterThanOrEqual(4);
    expect(ours.map(faultsOf)).toEqual(ours.map(() => []));
  });
});

describe('a workflow that does not fit', () => {
  test('is noticed', () => {
    const withMode = { mode: 'rotate-key', 'api-key': 'x', 'base-url': 'y' };
    expect(faultsOf({ with: withMode })).toEqual([]);
    expect(faultsOf({ with: { ...withMode, timeout: '5m', 'project-ids': 'p' } })).toEqual([
      'project-ids is no input',
      'timeout is not of rotate-key',
    ]);
    expect(faultsOf({ with: { mode: 'rotate-key' } })).toEqual([
      'api-key is missing',
      'base-url is missing',
    ]);
    const step = { id: 'a', uses: './' };
    const text = 'steps.a.outputs.result steps.a.outputs.key steps.b.outputs.key';
    expect(unknownOutputs(text, [step], action)).toEqual(['steps.a.outputs.key']);
  });
});
