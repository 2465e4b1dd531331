import { afterAll, describe, expect, test } from '@jest/globals';
import {
  ENVIRONMENT,
  HOUR,
  ORGANIZATION,
  OUTPUTS,
  type Point,
  REPOSITORY,
  RotationScene,
  type Step,
} from '../support/rotation-scene.ts';

/** What may befall a run at one of its requests. */
const TROUBLES = {
  'killed before': (scene, { side, nth }) =>
    scene.trouble(side, {
      match: { nth },
      // The process is gone, and the request with it.
      before: () => scene.signal('SIGKILL'),
      fault: { kind: 'reset' },
    }),
  'killed after': (scene, { side, nth }) =>
    scene.trouble(side, { match: { nth }, acted: () => scene.signal('SIGKILL') }),
  'cancelled before': (scene, { side, nth }) =>
    scene.trouble(side, { match: { nth }, before: () => scene.signal('SIGINT') }),
  'cancelled after': (scene, { side, nth }) =>
    scene.trouble(side, { match: { nth }, acted: () => scene.signal('SIGINT') }),
  'answer lost': (scene, { side, nth }) =>
    scene.trouble(side, { match: { nth }, fault: { kind: 'act-then-cut' } }),
} satisfies Record<string, (scene: RotationScene, point: Point) => unknown>;
type Trouble = keyof typeof TROUBLES;

const tried = Object.fromEntries(Object.keys(TROUBLES).map((what) => [what, 0])) as Record<
  Trouble,
  number
>;

const VARIANTS = (['immediately', 'after-job', 'never'] as const).flatMap((revokeOld) =>
  [1, 3].map((count) => ({
    revokeOld,
    count,
    targets: [REPOSITORY, ENVIRONMENT, ORGANIZATION].slice(0, count),
  })),
);
type Variant = (typeof VARIANTS)[number];

/** Scenes at once; each is mostly another process. */
const AT_ONCE = 5;

async function pointsOf({ revokeOld, targets }: Variant): Promise<Point[]> {
  const scene = await RotationScene.start({ targets });
  try {
    const step = await scene.rotate({ 'revoke-old': revokeOld });
    expect([step.result, step.exitCode, step.post?.exitCode]).toEqual(['rotated', 0, 0]);
    return scene.points().map(({ side, nth, what }) => ({ side, nth, what }));
  } finally {
    await scene.simulator.close();
  }
}

/** One run with one trouble, and the next one without; throws where something is not as it must be. */
async function disturb(
  { revokeOld, targets }: Variant,
  point: Point,
  what: Trouble,
): Promise<void> {
  const scene = await RotationScene.start({ targets });
  try {
    TROUBLES[what](scene, point);
    const inputs = { 'revoke-old': revokeOld };
    const step: Step =
      revokeOld === 'after-job' ? await scene.rotate(inputs) : await scene.main(inputs);
    scene.calm();
    // Somebody who reads the stored key can work with it: what all of this is for.
    expect(scene.lockedOut()).toEqual([]);
    if (what.startsWith('killed')) {
      expect((step.post ?? step).signal).toBe('SIGKILL');
    } else {
      expect((step.post ?? step).signal).toBeNull();
      expect(Object.keys(step.outputs).sort()).toEqual(OUTPUTS);
      checkWords(scene, step);
    }
    if (what === 'answer lost') {
      expect([step.result, step.exitCode, step.post?.exitCode ?? 0]).toEqual(['rotated', 0, 0]);
    }

    scene.later(HOUR);
    const next = await scene.main({ 'revoke-old': 'immediately' });
    expect([next.result, next.errors]).toEqual(['rotated', []]);
    expect(scene.valid()).toEqual([next.ids.new]);
    expect(scene.targets.map((target) => scene.stored(target))).toEqual(
      scene.targets.map(() => next.outputs['api-key']),
    );
  } finally {
    await scene.simulator.close();
  }
}

/** What a step said is true, and no valid key goes unmentioned. */
function checkWords(scene: RotationScene, step: Step): void {
  const valid = scene.valid();
  const { new: made, revoked, pending, kept } = step.ids;
  expect(revoked.filter((id) => valid.includes(id))).toEqual([]);
  if (step.result === 'rotated' && step.post === undefined) {
    expect(valid).toEqual(expect.arrayContaining([...pending, ...kept, made]));
  }
  if (made !== undefined) expect(valid).toContain(made);
  expect(step.outputs['api-key'] === '').toBe(made === undefined);
  const named = [step.text, step.post?.text].join('\n');
  const unnamed = valid.filter(
    (id) => ![made, ...kept, ...pending].includes(id) && !named.includes(id),
  );
  expect(unnamed.filter((id) => id !== String(scene.old.id))).toEqual([]);
  if (step.result === 'rotated') expect(scene.storedIds()).toEqual(scene.targets.map(() => made));
  // The post step is red unless it did all that was left to it.
  if (step.post !== undefined)
    expect(step.post.exitCode === 0).toBe(pending.every((id) => !valid.includes(id)));
}

/** Calls `play` with every item, some at once. */
async function each<Item>(
  items: readonly Item[],
  play: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const work = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await play(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

describe('whatever befalls a run at one of its requests, a working key is stored and the next run mends it', () => {
  test.each(VARIANTS)(
    'revoke-old: $revokeOld, targets: $count',
    async (variant) => {
      const points = await pointsOf(variant);
      expect(points.length).toBeGreaterThanOrEqual(8);
      const runs = points.flatMap((point) =>
        (Object.keys(TROUBLES) as Trouble[]).map((what) => ({ point, what })),
      );
      const failures: string[] = [];
      await each(runs, async ({ point, what }) => {
        try {
          await disturb(variant, point, what);
          tried[what] += 1;
        } catch (error) {
          const { side, nth } = point;
          failures.push(`${what} ${point.what} (${side} ${nth}): ${(error as Error).message}`);
        }
      });
      expect(failures).toEqual([]);
    },
    240_000,
  );
});

afterAll(() => {
  const kills = tried['killed before'] + tried['killed after'];
  const signals = tried['cancelled before'] + tried['cancelled after'];
  console.log(
    `${kills} kill points, ${signals} signals and ${tried['answer lost']} lost answers: nobody was locked out, and the next run mended each.`,
  );
});
