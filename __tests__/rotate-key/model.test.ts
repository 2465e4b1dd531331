import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RotationOrder } from '../../src/rotate-key/rotation.ts';
import { type Luck, NAME, Run, World } from './world.ts';

const MINUTE = 60_000;
const RUNS = 4000;

const luck = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Luck>('ok') },
  { weight: 1, arbitrary: fc.constantFrom<Luck>('refused', 'lost-before', 'lost-after') },
);
/** A stretch in which one run gets on undisturbed. */
const calm = fc.array(fc.constant<Luck>('ok'), { minLength: 2, maxLength: 12 });
const move = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ who: fc.constantFrom(0, 1), lucks: fc.oneof(fc.tuple(luck), calm) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ passMs: fc.constantFrom(500, 30_000, 4 * MINUTE, 11 * MINUTE) }),
  },
  { weight: 1, arbitrary: fc.record({ kill: fc.constantFrom(0, 1) }) },
);
const history = fc.record({
  targets: fc.integer({ min: 1, max: 3 }),
  revokeOld: fc.constantFrom('immediately', 'after-job', 'never'),
  keepPrevious: fc.constantFrom(0, 0, 1, 2),
  orphans: fc.integer({ min: 0, max: 2 }),
  moves: fc.array(move, { minLength: 5, maxLength: 40 }),
});

function order(change: Partial<RotationOrder>): RotationOrder {
  return {
    keyName: NAME,
    oldKeyIds: undefined,
    revokeOld: 'immediately',
    keepPrevious: 0,
    rotateAfterMs: undefined,
    dryRun: false,
    targets: 1,
    ...change,
  };
}

/** An account with a key that every target holds, and orphans of runs that were interrupted after it. */
function established(targets: number, orphans: number): World {
  const world = new World();
  const { id } = world.addKey(NAME, 40 * 24 * 60 * MINUTE);
  for (let target = 0; target < targets; target += 1) {
    world.targets.push({ holds: id, writtenAt: world.now - 40 * 24 * 60 * MINUTE });
  }
  for (let orphan = 0; orphan < orphans; orphan += 1)
    world.addKey(NAME, (20 - orphan) * 60 * MINUTE);
  return world;
}

/** The invariant, after every single step. */
function goAndCheck(world: World, run: Run | undefined, each: Luck): void {
  run?.go(each);
  if (world.lockedOut().length > 0) throw new Error(`locked out: targets ${world.lockedOut()}`);
}

/** What the first target holds is what a workflow passes. */
function holder(world: World): string {
  return world.targets[0]?.holds ?? '';
}

test('two rotations of one name, with faults, kills and sleep between any two steps, lock nobody out', () => {
  fc.assert(
    fc.property(history, ({ targets, revokeOld, keepPrevious, orphans, moves }) => {
      const world = established(targets, orphans);
      const wish = order({
        targets,
        revokeOld: revokeOld as RotationOrder['revokeOld'],
        keepPrevious,
      });
      const runs = [new Run(world, wish, holder(world)), new Run(world, wish, holder(world))];
      for (const one of moves) {
        if ('passMs' in one) world.now += one.passMs;
        else if ('kill' in one) runs[one.kill]?.kill();
        else for (const each of one.lucks) goAndCheck(world, runs[one.who], each);
      }
      // Whatever happened: the next rotation, an hour later and undisturbed, brings everything in order.
      world.now += 60 * MINUTE;
      const next = new Run(world, order({ targets }), holder(world));
      while (!next.isOver) {
        goAndCheck(world, next, 'ok');
      }
      expect(next.end).toMatchObject({ result: 'rotated', problems: [] });
      expect(world.valid()).toEqual([next.end?.newKeyId]);
      expect(world.targets.map(({ holds }) => holds)).toEqual(
        Array(targets).fill(next.end?.newKeyId),
      );
    }),
    { numRuns: RUNS },
  );
});

test('a rotation that is killed between any two steps, or loses any answer, is mended by the next', () => {
  for (const revokeOld of ['immediately', 'after-job', 'never'] as const) {
    for (const targets of [1, 3]) {
      for (let at = 0; at < 40; at += 1) {
        for (const what of ['kill', 'refused', 'lost-before', 'lost-after'] as const) {
          const world = established(targets, 0);
          const run = new Run(world, order({ targets, revokeOld }), holder(world));
          for (let step = 0; !run.isOver; step += 1) {
            if (step !== at) run.go('ok');
            else if (what === 'kill') run.kill();
            else run.go(what);
            expect(world.lockedOut()).toEqual([]);
          }
          world.now += 60 * MINUTE;
          const next = new Run(world, order({ targets }), holder(world));
          while (!next.isOver) next.go('ok');
          expect(world.valid()).toEqual([next.end?.newKeyId]);
        }
      }
    }
  }
});

/** A rule that is left out must be missed: the model is only worth what it can refuse. */
test.each([
  ['the newest ten minutes are left alone', 'young'],
  ['a store is tried for five minutes only', 'late-store'],
])('the model notices when %s is not kept', (_rule, broken) => {
  const lockedOut = (): boolean => {
    let found = false;
    fc.assert(
      fc.property(history, ({ targets, moves }) => {
        const world = established(targets, 0);
        const runs = [0, 1].map(() => new Run(world, order({ targets }), holder(world), broken));
        for (const one of moves) {
          if ('passMs' in one) world.now += one.passMs;
          else if ('who' in one) for (const _ of one.lucks) runs[one.who]?.go('ok');
          if (world.lockedOut().length > 0) found = true;
        }
      }),
      { numRuns: RUNS },
    );
    return found;
  };
  expect(lockedOut()).toBe(true);
});
