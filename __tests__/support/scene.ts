import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findLeaks } from '../../harness/leaks.ts';
import { repository } from '../../harness/paths.ts';
import { runStep, type StepOptions, type StepResult } from '../../harness/run-step.ts';
import { quickClock } from '../../simulator/clock.ts';
import {
  type OperationFields,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from '../../simulator/server.ts';

/** How many times as fast as usual time runs in a scene, for the step and the service alike. */
const SPEED = 5;

/** A service and steps that run against it in the same quick time. */
export interface Scene {
  readonly simulator: Simulator;
  readonly projectId: string;
  readonly branchId: string;
  /** Adds an operation to the scene's branch; times are in the scene's milliseconds. */
  operation(fields?: Partial<OperationFields>): ReturnType<Simulator['addOperation']>;
  /** Runs the committed bundle, main and post, and searches all that it left behind for the key. */
  wait(inputs: Record<string, string>, options?: Partial<StepOptions>): Promise<Ended>;
  /** The paths asked for so far, without the prefix. */
  paths(): string[];
}

/** A step's end, with its JSON outputs read. */
export interface Ended extends StepResult {
  readonly ids: {
    readonly finished: string[];
    readonly failed: string[];
    readonly pending: string[];
  };
  readonly errors: string[];
  readonly warnings: string[];
}

/** Runs `play` in a scene of its own and closes it. */
export async function scene(
  options: SimulatorOptions,
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const clock = quickClock(SPEED);
  const simulator = await startSimulator({ clock, ...options });
  simulator.faults.add({ before: () => clock.run() });
  const { id: projectId } = simulator.addProject({ id: 'quiet-sea-12345678' });
  const { id: branchId } = simulator.addBranch({ projectId, id: 'br-new-1' });
  try {
    await play({
      simulator,
      projectId,
      branchId,
      operation: (fields = {}) =>
        simulator.addOperation({ projectId, branchId, action: 'create_branch', ...fields }),
      wait: async (inputs, stepOptions) => {
        clock.stop();
        try {
          return await wait(simulator, inputs, stepOptions);
        } finally {
          clock.stop();
        }
      },
      paths: () => simulator.requests.map(({ path }) => path.replace('/api/v2', '')),
    });
  } finally {
    await simulator.close();
  }
}

async function wait(
  simulator: Simulator,
  inputs: Record<string, string>,
  options: Partial<StepOptions> = {},
): Promise<Ended> {
  const { nodeArgs = [], env = {}, ...rest } = options;
  const lapse = pathToFileURL(join(repository, 'harness/time-lapse.mjs')).href;
  const step = await runStep({
    inputs: {
      mode: 'wait-operations',
      'api-key': simulator.apiKey,
      'base-url': simulator.baseUrl,
      ...inputs,
    },
    nodeArgs: ['--import', lapse, ...nodeArgs],
    // One look needs no quick time, and its own limit is short enough.
    env: { TIME_LAPSE: String(inputs.timeout === '0' ? 1 : SPEED), ...env },
    killAfterMs: 40_000,
    ...rest,
  });
  // What the runner knows of the step it is told by the scene, not by the step.
  const leaks = findLeaks([simulator.apiKey], step);
  if (leaks.length > 0) throw new Error(`The key leaked: ${JSON.stringify(leaks)}`);
  if (step.hung) throw new Error('The step did not end by itself.');
  const list = (name: string): string[] => JSON.parse(step.outputs[name] ?? 'null');
  const of = (level: string): string[] =>
    step.annotations.filter((one) => one.level === level).map(({ message }) => message);
  return {
    ...step,
    ids: {
      finished: list('finished-ids'),
      failed: list('failed-ids'),
      pending: list('pending-ids'),
    },
    errors: of('error'),
    warnings: of('warning'),
  };
}
