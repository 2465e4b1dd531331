import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RotationScene } from '../__tests__/support/rotation.ts';
import { findLeaks } from '../harness/leaks.ts';
import { repository } from '../harness/paths.ts';
import { runStep, type StepResult } from '../harness/run-step.ts';
import { quickClock } from '../simulator/clock.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../simulator/server.ts';

/** What a step did, and what must hold besides its colour. */
export interface Played {
  readonly step: StepResult;
  /** Main and post. */
  readonly green: boolean;
  /** Broken promises, each in a sentence; empty is good. */
  readonly broken: readonly string[];
  readonly requests: number;
}

/** How the surroundings of a step differ from the usual. */
export interface Surroundings {
  /** Makes inputs out of the simulator that is running. */
  readonly inputs?: (simulator: Simulator) => Record<string, string>;
  readonly env?: Record<string, string>;
  readonly simulator?: SimulatorOptions;
  /** Further secrets that must not be found anywhere. */
  readonly canaries?: readonly string[];
}

/** Runs one step of a mode, with its simulator disturbed as told. */
export type Play = (
  disturb: (simulator: Simulator) => void,
  surroundings?: Surroundings,
) => Promise<Played>;

/** How many times as fast as usual time runs in a wait. */
const SPEED = 10;
const TIMEOUT_S = 15;
const REQUEST_TIMEOUT_S = 6;
/** A machine with more to do than this may keep a process from its timers for 0.3 s of real time. */
const BUSY_S = 0.3 * SPEED;
const PROJECT = 'quiet-sea-12345678';
/** Two retries of a few requests with eight lapsed seconds each, and the start of two cold processes. */
const LONGEST_ROTATION_MS = 15_000;
const LONGEST_LISTING_MS = 10_000;

/** A wait for an operation that ends soon: found, given as one of three, or given alone. */
export function playWait(kind: 'found' | 'given' | 'single'): Play {
  return async (disturb, { inputs, env = {}, simulator: options, canaries = [] } = {}) => {
    const clock = quickClock(SPEED);
    const simulator = await startSimulator({ clock, ...options });
    simulator.faults.add({ before: () => clock.run() });
    simulator.addProject({ id: PROJECT });
    const { id: branchId } = simulator.addBranch({ projectId: PROJECT, id: 'br-new-1' });
    const operations = Array.from({ length: kind === 'given' ? 3 : 1 }, () =>
      simulator.addOperation({
        projectId: PROJECT,
        branchId,
        action: 'create_branch',
        schedulingMs: 0,
        runningMs: 1500,
      }),
    );
    disturb(simulator);
    const ids = operations.map(({ id }) => id).join();
    try {
      const step = await lapsed(
        SPEED,
        {
          mode: 'wait-operations',
          'api-key': simulator.apiKey,
          'base-url': simulator.baseUrl,
          'project-id': PROJECT,
          ...(kind === 'found' ? { 'require-actions': 'create_branch' } : { 'operation-ids': ids }),
          timeout: `${TIMEOUT_S}s`,
          'request-timeout': `${REQUEST_TIMEOUT_S}s`,
          'poll-interval': '2s',
          ...inputs?.(simulator),
        },
        { env },
      );
      const finished = JSON.parse(step.outputs['finished-ids'] ?? '[]') as string[];
      const broken = [...leaksOf(step, [simulator.apiKey, ...canaries]), ...endedBadly(step)];
      if (step.succeeded && finished.length !== operations.length)
        broken.push('it is green, and not every operation is known to have finished');
      const elapsed = Number(step.outputs['elapsed-seconds']);
      if (!(elapsed <= TIMEOUT_S + REQUEST_TIMEOUT_S + BUSY_S)) broken.push(`it took ${elapsed} s`);
      return { step, green: step.succeeded, broken, requests: simulator.requests.length };
    } finally {
      await simulator.close();
    }
  };
}

/** A rotation into one secret. */
export function playRotation(order: Record<string, string> = {}): Play {
  return async (disturb, { inputs, env = {}, simulator: options = {}, canaries = [] } = {}) => {
    const isOrganization = order['secret-targets']?.startsWith('organization') === true;
    const scene = await RotationScene.start(
      isOrganization ? ['organization:octo-org'] : 1,
      options,
    );
    const { simulator } = scene;
    const { github } = simulator;
    const [old] = scene.valid();
    const key = simulator.account.keys.find(({ id }) => String(id) === old)?.key ?? '';
    if (isOrganization) {
      const { id } = github.addRepository('octo-org/reader');
      github.putSecret('organization:octo-org', 'DATABASE_API_KEY', key, {
        updatedAt: simulator.clock.now() - 86_400_000,
        visibility: 'selected',
        selectedRepositoryIds: [id],
      });
    }
    disturb(simulator);
    try {
      const before = performance.now();
      const given = { 'api-key': key, 'max-retries': '2', 'request-timeout': '8s', ...order };
      // Where the post step has nothing to do, it is not worth a process. The scene throws where a key leaked.
      const step = await scene.rotate(
        { ...given, ...inputs?.(simulator) },
        { jobSucceeds: order['revoke-old'] === 'after-job', env },
      );
      const took = performance.now() - before;
      const broken = [...leaksOf(step, [...canaries]), ...endedBadly(step)];
      const lockedOut = scene.lockedOut();
      if (lockedOut.length > 0) broken.push(`${lockedOut.join()} holds a key that does not work`);
      if (took > LONGEST_ROTATION_MS) broken.push(`it took ${Math.round(took)} ms`);
      const green = step.succeeded && step.post?.succeeded !== false;
      const gone = step.post ? step.outputs['pending-key-ids'] : step.outputs['revoked-key-ids'];
      if (green && gone !== `[${old}]`) broken.push('it is green, and the old key was not revoked');
      const requests = simulator.requests.length + github.requests.length;
      return { step, green, broken, requests };
    } finally {
      await simulator.close();
    }
  };
}

/** More than one page, as the best known service lists them: the listing follows a cursor. */
const PROJECTS = 401;

/** A listing of two pages. */
export const playListing: Play = async (
  disturb,
  { inputs, env = {}, simulator: options, canaries = [] } = {},
) => {
  const simulator = await startSimulator(options);
  for (let nth = 0; nth < PROJECTS; nth += 1) simulator.addProject();
  disturb(simulator);
  try {
    const given = {
      mode: 'list-projects',
      'api-key': simulator.apiKey,
      'base-url': simulator.baseUrl,
      'max-retries': '2',
      'request-timeout': '8s',
    };
    const begin = performance.now();
    const step = await lapsed(SPEED, { ...given, ...inputs?.(simulator) }, { env });
    const took = performance.now() - begin;
    const broken = [
      ...leaksOf(step, [simulator.apiKey, ...canaries]),
      ...endedBadly(step, 'count'),
    ];
    if (step.succeeded && step.outputs.count !== String(PROJECTS))
      broken.push(`it is green with ${step.outputs.count} of ${PROJECTS} projects`);
    if (took > LONGEST_LISTING_MS) broken.push(`it took ${Math.round(took)} ms`);
    return { step, green: step.succeeded, broken, requests: simulator.requests.length };
  } finally {
    await simulator.close();
  }
};

/** Runs the committed bundle in quick time. */
export function lapsed(
  speed: number,
  inputs: Record<string, string>,
  options: {
    env?: Record<string, string>;
    measure?: boolean;
    killAfterMs?: number;
    onSpawn?: (child: ChildProcess) => void;
    workspaceFiles?: Record<string, string>;
  } = {},
): Promise<StepResult> {
  const { env = {}, ...rest } = options;
  const lapse = pathToFileURL(join(repository, 'harness/time-lapse.mjs')).href;
  return runStep({
    inputs,
    nodeArgs: ['--import', lapse],
    env: { TIME_LAPSE: String(speed), ...env },
    killAfterMs: 30_000,
    ...rest,
  });
}

/** The places where a secret was found, as broken promises. */
export function leaksOf(step: StepResult, canaries: string[]): string[] {
  return findLeaks({ canaries }, step).map(
    ({ where, form }) => `a secret is in ${where} (${form})`,
  );
}

/** The step must come to its end by itself, and say so in its outputs. */
export function endedBadly(step: StepResult, output = 'result'): string[] {
  const broken: string[] = [];
  if (step.hung) broken.push('it did not end by itself');
  if (step.exitCode !== 0 && step.exitCode !== 1) broken.push(`it ended with ${step.exitCode}`);
  if (step.outputs[output] === undefined) broken.push(`the output ${output} is not set`);
  if (step.stdout.includes('Please report this')) broken.push('it broke off');
  return broken;
}
