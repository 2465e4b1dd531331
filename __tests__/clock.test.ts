import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { every, sleep, systemClock } from '../src/clock.ts';
import { FakeClock } from './support/fake-clock.ts';

describe('the clock that tests are handed', () => {
  test('fires timers in order, each at its own time, with promises in between', async () => {
    const clock = new FakeClock();
    const seen: [string, number][] = [];
    const note = (name: string) => () => void seen.push([name, clock.elapsed]);
    clock.timer(30, note('c'));
    clock.timer(10, () => {
      note('a')();
      Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => clock.timer(5, note('b')));
    });
    clock.timer(30, note('d'));
    clock.timer(0, note('first'));
    await clock.advance(29);
    expect(seen).toEqual([
      ['first', 0],
      ['a', 10],
      ['b', 15],
    ]);
    expect(clock.pending).toBe(2);
    expect(clock.nextInMs).toBe(1);
    await clock.runAll();
    expect(seen.slice(3)).toEqual([
      ['c', 30],
      ['d', 30],
    ]);
  });

  test('takes timers back, and keeps the wall clock apart', async () => {
    const clock = new FakeClock({ wall: 1_000_000 });
    const stop = clock.timer(10, () => {
      throw new Error('fired');
    });
    stop();
    await clock.advance(20);
    expect(clock.wall()).toBe(1_000_020);
    const before = clock.monotonic();
    clock.setWall(5);
    expect([clock.wall(), clock.monotonic()]).toEqual([5, before]);
  });

  test('says so when it could wait for ever', async () => {
    const clock = new FakeClock();
    const never = new Promise(() => {});
    await expect(clock.advanceUntil(never)).rejects.toThrow('no timer is set');
    const again = (): void => void clock.timer(1000, again);
    again();
    await expect(clock.advanceUntil(never, 10_000)).rejects.toThrow('still pending');
    await expect(clock.runAll(10_000)).rejects.toThrow('still set');
  });
});

describe('sleep', () => {
  test('takes its time, not a moment less', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1e9, noNaN: true }), async (ms) => {
        const clock = new FakeClock();
        await clock.advanceUntil(sleep(clock, ms, new AbortController().signal), 1e9);
        expect(clock.elapsed).toBeCloseTo(ms, 3);
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  test('ends with the reason of the abort, and leaves no timer behind', async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    const end = sleep(clock, 1000, abort.signal).catch((error) => error);
    await clock.advance(10);
    const reason = new Error('stop');
    abort.abort(reason);
    expect(await end).toBe(reason);
    expect(clock.pending).toBe(0);
  });

  test('does not begin when the signal has aborted before', async () => {
    const clock = new FakeClock();
    const reason = new Error('too late');
    await expect(sleep(clock, 1000, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(clock.pending).toBe(0);
  });

  test('lets go of the signal when it is over', async () => {
    const clock = new FakeClock();
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    await clock.advanceUntil(sleep(clock, 10, signal));
    expect(added.mock.calls.map(([name, listener]) => [name, listener])).toEqual(
      removed.mock.calls.map(([name, listener]) => [name, listener]),
    );
  });
});

describe('the machine’s clock', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test.each([2 ** 31 - 1, 2 ** 31, 30 * 86_400_000, 365 * 86_400_000])(
    'fires a timer of %d ms then, not at once',
    (ms) => {
      jest.useFakeTimers();
      let fired = 0;
      systemClock.timer(ms, () => {
        fired += 1;
      });
      jest.advanceTimersByTime(ms - 1);
      expect(fired).toBe(0);
      jest.advanceTimersByTime(2);
      expect(fired).toBe(1);
      expect(jest.getTimerCount()).toBe(0);
    },
  );

  test('takes a timer back, also one that was set anew on the way', () => {
    jest.useFakeTimers();
    const stop = systemClock.timer(2 ** 32, () => {
      throw new Error('fired');
    });
    jest.advanceTimersByTime(2 ** 31 + 5);
    stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  test.each([0, -5])('fires a timer of %d ms, but not in the middle of a statement', async (ms) => {
    let fired = false;
    const done = new Promise<void>((resolve) => {
      systemClock.timer(ms, () => {
        fired = true;
        resolve();
      });
    });
    expect(fired).toBe(false);
    await done;
  });

  test('a monotonic clock does not jump with the wall clock', () => {
    const before = systemClock.monotonic();
    jest.useFakeTimers({ now: 0, doNotFake: ['performance'] });
    expect(systemClock.wall()).toBe(0);
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before);
  });
});

test('what happens every so often goes on until it is stopped, also from within', async () => {
  const clock = new FakeClock();
  const at: number[] = [];
  const stop = every(clock, 10, () => {
    at.push(clock.elapsed);
    if (at.length === 3) stop();
  });
  await clock.advance(100);
  expect(at).toEqual([10, 20, 30]);
  expect(clock.pending).toBe(0);
});
