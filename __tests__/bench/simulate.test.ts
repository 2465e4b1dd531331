import { describe, expect, test } from '@jest/globals';
import { drawAbout, drawWork, MIX } from '../../bench/mix.ts';
import { chosen, type Schedule, today } from '../../bench/schedule/schedules.ts';
import { simulate } from '../../bench/schedule/simulate.ts';
import { median, quantile, seeded } from '../../bench/statistics.ts';

const even = (): number => 0.5;
const everySecond: Schedule = { name: '', gap: () => 1, jitter: [1, 1] };

describe('simulate', () => {
  test('looks at once, then after each gap, and counts from the end to the answer that shows it', () => {
    // A look takes 0.1 s and shows how things stand half-way: looks begin at 0, 1.1, 2.2.
    const { delay, requests } = simulate(everySecond, { age: 0, ends: [1.5] }, even);
    expect(requests).toBe(3);
    expect(delay).toBeCloseTo(2.3 - 1.5, 9);
  });

  test('counts from the begin what had ended before it', () => {
    const { delay, requests } = simulate(everySecond, { age: 0.9, ends: [0.2] }, even);
    expect(requests).toBe(1);
    expect(delay).toBeCloseTo(0.1, 9);
  });

  test('lets the SDK wait first, and ask for each pending operation', () => {
    const sdk = today[0] as Schedule;
    // At 1 s both, at 2.2 s the second alone.
    const { delay, requests } = simulate(sdk, { age: 0, ends: [0.5, 2] }, even);
    expect(requests).toBe(3);
    expect(delay).toBeCloseTo(2.3 - 2, 9);
  });

  test('tells a schedule of a change', () => {
    const seen: number[] = [];
    const spy: Schedule = {
      ...everySecond,
      gap: ({ sinceChange }) => {
        seen.push(sinceChange);
        return 1;
      },
    };
    simulate(spy, { age: 0, ends: [1.5, 4] }, even);
    expect(seen).toEqual([1, 2, 1, 2]);
  });
});

describe('the draws', () => {
  test('are the same for the same seed', () => {
    const some = (seed: number) => {
      const random = seeded(seed);
      return Array.from({ length: 5 }, () => drawWork(random));
    };
    expect(some(1)).toEqual(some(1));
    expect(some(1)).not.toEqual(some(2));
  });

  test('of the mix have the shares that the page names', () => {
    const random = seeded(5);
    const works = Array.from({ length: 20_000 }, () => drawWork(random));
    const pairs = works.filter(({ ends }) => ends.length === 2);
    expect(pairs.length / works.length).toBeCloseTo(MIX[0].share, 1);
    expect(MIX.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
    expect(median(pairs.map(({ ends }) => ends[0] ?? 0))).toBeCloseTo(0.8, 1);
  });

  test('about a number of seconds lie evenly around it', () => {
    const random = seeded(6);
    const ends = Array.from({ length: 20_000 }, () => drawAbout(random, 3).ends[0] ?? 0);
    expect(Math.min(...ends)).toBeCloseTo(1.5, 1);
    expect(Math.max(...ends)).toBeCloseTo(4.5, 1);
    expect(quantile(ends, 0.25)).toBeCloseTo(2.25, 1);
  });
});

test('the schedule in force takes at most 35 % of the SDK’s requests on a minute, and is as quick under five seconds', () => {
  const play = (schedule: Schedule, seconds: number) => {
    const work = seeded(1);
    const jitter = seeded(2);
    return Array.from({ length: 2000 }, () => simulate(schedule, drawAbout(work, seconds), jitter));
  };
  const sdk = today[0] as Schedule;
  const sum = (schedule: Schedule): number =>
    play(schedule, 60).reduce((total, { requests }) => total + requests, 0);
  expect(sum(chosen) / sum(sdk)).toBeLessThan(0.35);
  for (const seconds of [1, 2, 3]) {
    const delay = (schedule: Schedule): number =>
      median(play(schedule, seconds).map((outcome) => outcome.delay));
    expect(delay(chosen)).toBeLessThanOrEqual(delay(sdk) + 0.03);
  }
});
