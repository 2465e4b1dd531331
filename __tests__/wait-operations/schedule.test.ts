import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gapMs } from '../../src/wait-operations/schedule.ts';

const STEADY = 5000;
/** A draw of the jitter that leaves the gap as it is: a fifth shorter to a tenth longer, evenly. */
const EVEN = 2 / 3;

/** The moments of the looks at something that takes `ms`, the one that shows its end included. */
function looks(ms: number, random: () => number, steady = STEADY): number[] {
  const moments = [0];
  let now = 0;
  while (now < ms) {
    now += gapMs(now, steady, random());
    moments.push(now);
  }
  return moments;
}

describe('gapMs', () => {
  test.each([
    [0, 1000],
    [1, 1000],
    [4999, 1000],
    [5000, 1000],
    [5500, 2500],
    [6000, 4000],
    [7000, 5000],
    [9000, 5000],
    [3_600_000, 5000],
  ])('after %d ms is %d ms', (elapsed, gap) => {
    expect(gapMs(elapsed, STEADY, EVEN)).toBeCloseTo(gap, 6);
  });

  test('looks a second for five seconds, then quadruples, and stays at the steady interval', () => {
    const moments = looks(30_000, () => EVEN).map(Math.round);
    expect(moments).toEqual([
      0, 1000, 2000, 3000, 4000, 5000, 6000, 10_000, 15_000, 20_000, 25_000, 30_000,
    ]);
  });

  test('is a fifth shorter to a tenth longer', () => {
    expect(gapMs(0, STEADY, 0)).toBeCloseTo(800, 6);
    expect(gapMs(0, STEADY, 1)).toBeCloseTo(1100, 6);
    expect(gapMs(60_000, STEADY, 0)).toBeCloseTo(4000, 6);
    expect(gapMs(60_000, STEADY, 1)).toBeCloseTo(5500, 6);
  });

  const steady = fc.integer({ min: 1000, max: 3_600_000 });
  const elapsed = fc.double({ min: 0, max: 1e9, noNaN: true });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test('never hurries, and never keeps longer than the steady interval and its jitter', () => {
    fc.assert(
      fc.property(elapsed, steady, random, (now, interval, draw) => {
        const gap = gapMs(now, interval, draw);
        expect(gap).toBeGreaterThanOrEqual(800 - 1e-9);
        expect(gap).toBeLessThanOrEqual(interval * 1.1);
      }),
    );
  });

  test('never shrinks as time passes', () => {
    fc.assert(
      fc.property(elapsed, elapsed, steady, random, (one, other, interval, draw) => {
        const [earlier, later] = [Math.min(one, other), Math.max(one, other)];
        expect(gapMs(later, interval, draw)).toBeGreaterThanOrEqual(gapMs(earlier, interval, draw));
      }),
    );
  });

  test('finds an end in the first five seconds within 1.1 s, and one after a minute with at most 25 looks', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(random),
        fc.double({ min: 1, max: 5000, noNaN: true }),
        (draws, ms) => {
          const next = (): number => draws.next().value as number;
          expect((looks(ms, next).at(-1) ?? 0) - ms).toBeLessThanOrEqual(1100);
          expect(looks(60_000, next).length).toBeLessThanOrEqual(25);
        },
      ),
    );
  });
});
