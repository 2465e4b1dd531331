import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import type { StepResult } from '../../harness/run-step.ts';
import type { Rule } from '../../simulator/server.ts';
import { type Point, RotationScene } from '../support/rotation.ts';

/**
 * A rotation is stopped, cancelled or cut off at each of its requests in turn, the post step's among them. Whatever happened,
 * every target holds a key that works; and the next rotation leaves the wanted key alone, in every target.
 */
const disturbances = {
  // The request is not performed: had it been, that would be the next line's case.
  'killed before': (scene) => ({
    before: () => scene.signal('SIGKILL'),
    fault: { kind: 'reset' },
  }),
  'killed after': (scene) => ({ acted: () => scene.signal('SIGKILL') }),
  'cancelled before': (scene) => ({ before: () => scene.signal('SIGINT') }),
  'cancelled after': (scene) => ({ acted: () => scene.signal('SIGINT') }),
  'answer lost': () => ({ fault: { kind: 'act-then-cut' } }),
} satisfies Record<string, (scene: RotationScene) => Omit<Rule, 'match'>>;

type Disturbance = keyof typeof disturbances;
/** Each is a process that starts cold: more of them than this only wait for each other. */
const AT_ONCE = 3;

const variants = [1, 3].flatMap((targets) =>
  ['immediately', 'after-job', 'never'].map((revokeOld) => ({ targets, revokeOld })),
);

test.each(variants)(
  '$targets targets, $revokeOld: no point locks anybody out',
  async (variant) => {
    const points = await undisturbed(variant);
    const cases = points.flatMap((point) =>
      (Object.keys(disturbances) as Disturbance[]).map((how) => ({ how, point })),
    );
    const ends = await pMap(cases, (one) => disturbed(variant, one), { concurrency: AT_ONCE });
    expect(ends.filter(({ faults }) => faults.length > 0)).toEqual([]);
    // For people: how much was tried.
    const counts = `${points.length} requests, ${ends.length} disturbed rotations`;
    process.stdout.write(`${variant.targets} targets, ${variant.revokeOld}: ${counts}\n`);
    // Each disturbance hit: a rule that nothing met would prove nothing.
    expect(ends.filter(({ hits }) => hits !== 1)).toEqual([]);
  },
  300_000,
);

interface Variant {
  targets: number;
  revokeOld: string;
}

/** The requests of a rotation that nothing disturbs. */
async function undisturbed({ targets, revokeOld }: Variant): Promise<Point[]> {
  const scene = await RotationScene.start(targets);
  try {
    const step = await scene.rotate({ 'revoke-old': revokeOld });
    expect(step.outputs.result).toBe('rotated');
    expect(step.post?.exitCode).toBe(0);
    return scene.points();
  } finally {
    await scene.simulator.close();
  }
}

async function disturbed(
  { targets, revokeOld }: Variant,
  { how, point }: { how: Disturbance; point: Point },
) {
  const scene = await RotationScene.start(targets);
  try {
    const rule = scene.disturb(point, disturbances[how](scene));
    const step = await scene.rotate({ 'revoke-old': revokeOld });
    const faults = [...endedAsItShould(how, step), ...lockedOut(scene, 'afterwards')];
    const { hits } = rule;
    const next = await scene.rotateLater();
    if (next.outputs.result !== 'rotated') faults.push(`the next ended: ${next.log.join(' | ')}`);
    faults.push(...lockedOut(scene, 'after the next'));
    const valid = scene.valid().join();
    if (valid !== next.outputs['key-id']) faults.push(`valid after the next: ${valid}`);
    const held = new Set(scene.targets.map((target) => scene.stored(target)));
    if (held.size !== 1 || !held.has(next.outputs['api-key'] ?? ''))
      faults.push('not every target holds the newest key');
    return { how, point, hits, faults };
  } finally {
    await scene.simulator.close();
  }
}

function lockedOut(scene: RotationScene, when: string): string[] {
  return scene.lockedOut().map((target) => `${target} was locked out ${when}`);
}

function endedAsItShould(how: Disturbance, { post, ...main }: StepResult): string[] {
  const last = post ?? main;
  if (how.startsWith('killed'))
    return last.signal === 'SIGKILL' ? [] : [`not killed, but ${last.exitCode}`];
  // A lost answer is found out about; nothing of it is left to the workflow.
  if (how === 'answer lost')
    return last.exitCode === 0 ? [] : [`red because of a lost answer: ${last.log.join(' | ')}`];
  // Cancelled at its last request, a step may have done all that it was asked to.
  const { result } = main.outputs;
  if (last.signal !== null) return [`ended by ${last.signal}`];
  const isHonest = (main.exitCode === 0) === (result === 'rotated');
  return isHonest ? [] : [`exit code ${main.exitCode} and ${result}`];
}
