import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findLeaks } from '../../harness/leaks.ts';
import { repository } from '../../harness/paths.ts';
import { runStep, type StepOptions, type StepResult } from '../../harness/run-step.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/server.ts';

/** How many times as fast as usual a step's time runs: pauses take little real time. */
const SPEED = 20;

/** A service, and listings of its projects. */
export interface ListingScene {
  readonly simulator: Simulator;
  /** Adds projects `p-0`, `p-1`, … with these fields. */
  add(count: number, fields?: Record<string, unknown>): string[];
  /** Runs the committed bundle and searches all that it left behind for the key. */
  list(inputs?: Record<string, string>, options?: Partial<StepOptions>): Promise<ListedStep>;
  /** The requests so far, without the prefix. */
  asked(): string[];
}

export interface ListedStep extends StepResult {
  readonly errors: string[];
  readonly warnings: string[];
  /** Of the closing error. */
  readonly title: string | undefined;
  /** The content of the file with the full JSON. */
  readonly file: string | undefined;
}

/** The outputs of a listing that did not come to its end. */
export const NO_OUTPUTS = {
  projects: '',
  'project-ids': '',
  matrix: '',
  count: '',
  'projects-file': '',
};

/** Runs `play` against a service of its own and closes it. */
export async function listing(
  options: SimulatorOptions,
  play: (scene: ListingScene) => Promise<void>,
): Promise<void> {
  const simulator = await startSimulator(options);
  let added = 0;
  try {
    await play({
      simulator,
      add: (count, fields = {}) =>
        Array.from({ length: count }, () => {
          const id = `p-${added}`;
          added += 1;
          simulator.addProject({ id, name: `name of ${id}`, ...fields });
          return id;
        }),
      list: (inputs = {}, stepOptions = {}) => list(simulator, inputs, stepOptions),
      asked: () =>
        simulator.requests.map(({ path, search }) => path.replace('/api/v2', '') + search),
    });
  } finally {
    await simulator.close();
  }
}

async function list(
  simulator: Simulator,
  inputs: Record<string, string>,
  { env = {}, nodeArgs = [], ...options }: Partial<StepOptions>,
): Promise<ListedStep> {
  const lapse = pathToFileURL(join(repository, 'harness/time-lapse.mjs')).href;
  const step = await runStep({
    inputs: {
      mode: 'list-projects',
      'api-key': simulator.apiKey,
      'base-url': simulator.baseUrl,
      // The network does not run faster with the clock.
      'request-timeout': '5m',
      ...inputs,
    },
    nodeArgs: ['--import', lapse, ...nodeArgs],
    env: { TIME_LAPSE: String(SPEED), ...env },
    killAfterMs: 40_000,
    ...options,
  });
  const leaks = findLeaks([simulator.apiKey], step);
  if (leaks.length > 0) throw new Error(`The key leaked: ${JSON.stringify(leaks)}`);
  if (step.hung) throw new Error('The step did not end by itself.');
  const of = (level: string) => step.annotations.filter((one) => one.level === level);
  return {
    ...step,
    errors: of('error').map(({ message }) => message),
    warnings: of('warning').map(({ message }) => message),
    title: of('error').at(-1)?.properties.title,
    file: step.files[Object.keys(step.files).find((name) => name.endsWith('projects.json')) ?? ''],
  };
}
