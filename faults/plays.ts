import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RotationScene } from '../__tests__/support/rotation.ts';
import { findLeaks } from '../harness/leaks.ts';
import { repository } from '../harness/paths.ts';
import { runStep, type StepResult } from '../harness/run-step.ts';
import { quickClock } from '../simulator/clock.ts';
import { type Simulator, startSimulator } from '../simulator/server.ts';

/** What a step did, and what must hold besides its colour. */
export interface Played {
  readonly step: StepResult;
  /** Main and post. */
  readonly green: boolean;
  /** Broken promises, each in a sentence; empty is good. */
  readonly broken: readonly string[];
  readonly requests: number;
}

/** Runs one step of a mode, with its simulator disturbed as told. */
export type Play = (disturb: (simulator: Simulator) => void) => Promise<Played>;

/** How many times as fast as usual time runs in a wait. */
const SPEED = 10;
const TIMEOUT_S = 15;
const REQUEST_TIMEOUT_S = 6;
const PROJECT = 'quiet-sea-12345678';

/** A wait for an operation that ends soon: found, given as one of three, or given alone. */
export function playWait(kind: 'found' | 'given' | 'single'): Play {
  return async (disturb) => {
    const clock = quickClock(SPEED);
    const simulator = await startSimulator({ clock });
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
      const step = await lapsed(SPEED, {
        mode: 'wait-operations',
        'api-key': simulator.apiKey,
        'base-url': simulator.baseUrl,
        'project-id': PROJECT,
        ...(kind === 'found' ? { 'require-actions': 'create_branch' } : { 'operation-ids': ids }),
        timeout: `${TIMEOUT_S}s`,
        'request-timeout': `${REQUEST_TIMEOUT_S}s`,
        'poll-interval': '2s',
      });
      const finished = JSON.parse(step.outputs['finished-ids'] ?? '[]') as string[];
      const broken = [...leaksOf(step, [simulator.apiKey]), ...endedBadly(step)];
      if (step.succeeded && finished.length !== operations.length)
        broken.push('it is green, and not every operation is known to have finished');
      const elapsed = Number(step.outputs['elapsed-seconds']);
      if (!(elapsed <= TIMEOUT_S + REQUEST_TIMEOUT_S)) broken.push(`it took ${elapsed} s`);
      return { step, green: step.succeeded, broken, requests: simulator.requests.length };
    } finally {
      await simulator.close();
    }
  };
}

/** A rotation into one secret. */
export function playRotation(inputs: Record<string, string> = {}): Play {
  return async (disturb) => {
    const isOrganization = inputs['secret-targets']?.startsWith('organization') === true;
    const scene = await RotationScene.start(1);
    const { simulator } = scene;
    const { github } = simulator;
    if (isOrganization) {
      const { id } = github.addRepository('octo-org/reader');
      github.putSecret('organization:octo-org', 'DATABASE_API_KEY', scene.stored(), {
        updatedAt: simulator.clock.now() - 86_400_000,
        visibility: 'selected',
        selectedRepositoryIds: [id],
      });
    }
    disturb(simulator);
    try {
      const before = performance.now();
      // The scene throws where a secret leaked or the step hung.
      const order = { 'max-retries': '2', 'request-timeout': '8s', ...inputs };
      // Where the post step has nothing to do, it is not worth a process.
      const step = await scene.rotate(order, { jobSucceeds: inputs['revoke-old'] === 'after-job' });
      const took = performance.now() - before;
      const broken = endedBadly(step);
      const lockedOut = scene.lockedOut();
      if (lockedOut.length > 0) broken.push(`${lockedOut.join()} holds a key that does not work`);
      if (took > 15_000) broken.push(`it took ${Math.round(took)} ms`);
      const green = step.succeeded && step.post?.succeeded !== false;
      if (green && scene.valid().length !== 1 && step.post === undefined)
        broken.push('it is green, and the old key was not replaced');
      const requests = simulator.requests.length + github.requests.length;
      return { step, green, broken, requests };
    } finally {
      await simulator.close();
    }
  };
}

/** Runs the committed bundle in quick time. */
export function lapsed(
  speed: number,
  inputs: Record<string, string>,
  options: {
    env?: Record<string, string>;
    measure?: boolean;
    killAfterMs?: number;
    onSpawn?: (child: ChildProcess) => void;
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
export function endedBadly(step: StepResult): string[] {
  const broken: string[] = [];
  if (step.hung) broken.push('it did not end by itself');
  if (step.exitCode !== 0 && step.exitCode !== 1) broken.push(`it ended with ${step.exitCode}`);
  if ((step.outputs.result ?? '') === '') broken.push('the output result is not set');
  if (step.stdout.includes('Please report this')) broken.push('it broke off');
  return broken;
}
