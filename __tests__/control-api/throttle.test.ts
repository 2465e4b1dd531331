import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Throttle } from '../../src/control-api/throttle.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** Takes `count` times at once, and tells who passed and when. */
function takeMany(clock: FakeClock, throttle: Throttle, count: number, name = '') {
  const passed: [string, number][] = [];
  for (let index = 0; index < count; index += 1) {
    throttle
      .take(new AbortController().signal)
      .then(() => passed.push([`${name}${index}`, Math.round(clock.elapsed)]));
  }
  return passed;
}

describe('the throttle', () => {
  test('lets twenty requests through at once, then ten a second, in order', async () => {
    const clock = new FakeClock();
    const passed = takeMany(clock, new Throttle(clock), 50);
    await clock.settle();
    expect(passed).toHaveLength(20);
    await clock.advance(99);
    expect(passed).toHaveLength(20);
    await clock.runAll();
    expect(passed.map(([name]) => Number(name))).toEqual(Array.from({ length: 50 }, (_, n) => n));
    expect(passed.slice(20).map(([, at]) => at)).toEqual(
      Array.from({ length: 30 }, (_, n) => (n + 1) * 100),
    );
    expect(clock.pending).toBe(0);
  });

  test('saves up no more than one burst in a pause', async () => {
    const clock = new FakeClock();
    const throttle = new Throttle(clock);
    takeMany(clock, throttle, 20);
    await clock.advance(3_600_000);
    const passed = takeMany(clock, throttle, 30);
    await clock.settle();
    expect(passed).toHaveLength(20);
  });

  test('does not care for a wall clock that is set back', async () => {
    const clock = new FakeClock();
    const throttle = new Throttle(clock);
    const passed = takeMany(clock, throttle, 25);
    await clock.settle();
    clock.setWall(0);
    await clock.advance(500);
    expect(passed).toHaveLength(25);
  });

  test('never lets more through than the rate allows, whenever they ask', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 60 }),
        async (gaps) => {
          const clock = new FakeClock();
          const throttle = new Throttle(clock, { perSecond: 10, burst: 5 });
          const times: number[] = [];
          for (const gap of gaps) {
            await clock.advance(gap);
            throttle.take(new AbortController().signal).then(() => times.push(clock.elapsed));
          }
          await clock.runAll();
          expect(times).toHaveLength(gaps.length);
          for (const [from, start] of times.entries())
            for (const [to, end] of times.entries())
              if (to >= from)
                expect(to - from + 1).toBeLessThanOrEqual(5 + (end - start) / 100 + 0.01);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('a waiter whose signal aborts', () => {
  test('gets the reason, uses nothing up, and holds nobody up', async () => {
    const clock = new FakeClock();
    const throttle = new Throttle(clock);
    takeMany(clock, throttle, 20);
    const abort = new AbortController();
    const reason = new Error('stop');
    const first = throttle.take(abort.signal).catch((error) => error);
    const after = takeMany(clock, throttle, 2);
    await clock.advance(50);
    abort.abort(reason);
    expect(await first).toBe(reason);
    await clock.runAll();
    // As if it had never asked.
    expect(after.map(([, at]) => at)).toEqual([100, 200]);
  });

  test('gets it at once, also behind others', async () => {
    const clock = new FakeClock();
    const throttle = new Throttle(clock);
    takeMany(clock, throttle, 30);
    const abort = new AbortController();
    let end: unknown;
    throttle.take(abort.signal).catch((error) => {
      end = error;
    });
    const after = takeMany(clock, throttle, 1);
    await clock.advance(50);
    const reason = new Error('stop');
    abort.abort(reason);
    await clock.settle();
    expect(end).toBe(reason);
    await clock.runAll();
    expect(after).toEqual([['0', 1100]]);
  });

  test('before it asked gets it, too, and uses nothing up', async () => {
    const clock = new FakeClock();
    const throttle = new Throttle(clock);
    const reason = new Error('stop');
    for (let count = 0; count < 40; count += 1)
      await expect(throttle.take(AbortSignal.abort(reason))).rejects.toBe(reason);
    const passed = takeMany(clock, throttle, 20);
    await clock.settle();
    expect(passed).toHaveLength(20);
  });
});
