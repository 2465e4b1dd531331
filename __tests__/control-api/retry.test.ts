import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ControlApiError, type ErrorKind, isPassing } from '../../src/control-api/errors.ts';
import { pauseMs, retryAfterMs, withRetries } from '../../src/control-api/retry.ts';
import { FakeClock } from '../support/fake-clock.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the pause before another try', () => {
  test('doubles from half a second to twenty seconds', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 2000].map((tries) => pauseMs(tries, undefined, 1));
    expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000, 20_000]);
  });

  test('is spread over all of the time up to that, so that a fleet does not come back as one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), random, (tries, chance) => {
        const longest = Math.min(20_000, 500 * 2 ** (tries - 1));
        expect(pauseMs(tries, undefined, chance)).toBeCloseTo(longest * chance, 6);
      }),
    );
  });

  test('is never shorter than the service asks, and hardly longer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(1e9), random, (tries, asked, chance) => {
        const pause = pauseMs(tries, asked, chance);
        expect(pause).toBeGreaterThanOrEqual(asked);
        expect(pause).toBeLessThanOrEqual(Math.max(20_000, asked + 1000));
        expect(pause).toBeGreaterThanOrEqual(pauseMs(tries, undefined, chance));
      }),
    );
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 2, 1, 8, 0, 0);

  test.each([
    ['0', 0],
    ['1', 1000],
    [' 120 ', 120_000],
    ['1.5', 1500],
    ['2030', 2_030_000],
    ['999999999999', 999_999_999_999_000],
    ['Sun, 01 Mar 2026 08:00:30 GMT', 30_000],
    ['Sunday, 01-Mar-26 08:00:30 GMT', 30_000],
  ])('%j is %d ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  test.each([
    undefined,
    '',
    ' ',
    '-1',
    '-5',
    '+5',
    '5s',
    '1e3',
    '0x10',
    'soon',
    'NaN',
    'Infinity',
    '1, 2',
    '2026-03-01T08:00:30Z',
    '9'.repeat(400),
    'Sun, 99 Foo 2026 08:00:30 GMT',
    'Sunny',
    'Sun, 01 Mar 2026 08:00:00 GMT',
    'Sun, 01 Mar 2026 07:59:59 GMT',
    'Thu, 01 Jan 1970 00:00:00 GMT',
  ])('%j counts as absent', (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined();
  });

  test('is never negative and always a number, whatever a service says', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[A-Z0-9 :,.GMT-]{0,30}$/)),
        (header) => {
          const ms = retryAfterMs(header, now);
          expect(ms === undefined || (Number.isFinite(ms) && ms >= 0)).toBe(true);
        },
      ),
    );
  });
});

describe('which faults are tried again', () => {
  const kinds: Record<ErrorKind, boolean> = {
    unauthorized: false,
    'not-found': false,
    busy: true,
    'rate-limited': true,
    unavailable: true,
    unreadable: true,
    'timed-out': true,
    ambiguous: false,
    refused: false,
    redirected: false,
    untrusted: false,
    endless: false,
  };

  test.each(Object.entries(kinds) as [ErrorKind, boolean][])('%s: %j', async (kind, again) => {
    const error = new ControlApiError(kind, { attempt: 'x', finding: 'y' });
    expect(isPassing(error)).toBe(again);
    const { tries } = await run([error], { retries: 2 });
    expect(tries).toBe(again ? 3 : 1);
  });

  test('an error that is not the service’s never is', async () => {
    expect(isPassing(new Error('x'))).toBe(false);
    expect((await run([new TypeError('bug')], { retries: 2 })).tries).toBe(1);
  });
});

const BUSY = new ControlApiError('busy', { attempt: 'x', finding: 'y' });

/** Fails with `errors` in order, the last again and again; `undefined` succeeds. */
async function run(
  errors: readonly (Error | undefined)[],
  { retries = 5, longestRetryAfterMs = 120_000, chance = 0.5 },
) {
  const clock = new FakeClock();
  const times: number[] = [];
  const pauses: number[] = [];
  const attempt = async (): Promise<string> => {
    times.push(clock.elapsed);
    const error = errors[Math.min(times.length, errors.length) - 1];
    if (error) throw error;
    return 'done';
  };
  const end = withRetries(
    attempt,
    { retries, longestRetryAfterMs },
    { clock, random: () => chance },
    new AbortController().signal,
    (_error, pause) => pauses.push(pause),
  ).catch((error) => error);
  const result = await clock.advanceUntil(end);
  return { result, tries: times.length, times, pauses, clock };
}

describe('trying again', () => {
  test('stops at the first success, and pauses before each try', async () => {
    const { result, times, pauses } = await run([BUSY, BUSY, undefined], {});
    expect(result).toBe('done');
    expect(times).toEqual([0, 250, 750]);
    expect(pauses).toEqual([250, 500]);
  });

  test('throws the last fault when the tries are used up', async () => {
    const last = new ControlApiError('unavailable', { attempt: 'x', finding: 'z' });
    const { result, tries, pauses } = await run([BUSY, last], { retries: 1 });
    expect(result).toBe(last);
    expect({ tries, pauses }).toEqual({ tries: 2, pauses: [250] });
  });

  test('does not happen with no retries', async () => {
    expect(await run([BUSY], { retries: 0 })).toMatchObject({ result: BUSY, tries: 1, pauses: [] });
  });

  test('does not happen when the service asks for more patience than there is', async () => {
    const error = (retryAfter: number) =>
      new ControlApiError('rate-limited', { attempt: 'x', finding: 'y', retryAfterMs: retryAfter });
    expect((await run([error(120_001), undefined], {})).tries).toBe(1);
    const patient = await run([error(120_000), undefined], {});
    expect(patient.times[1]).toBeGreaterThanOrEqual(120_000);
    const endless = await run([error(500_000_000), undefined], {
      longestRetryAfterMs: Number.POSITIVE_INFINITY,
    });
    expect(endless.result).toBe('done');
  });

  test('ends within the pause when the signal aborts, and leaves no timer behind', async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    let tries = 0;
    const attempt = async (): Promise<never> => {
      tries += 1;
      throw BUSY;
    };
    const policy = { retries: 9, longestRetryAfterMs: 0 };
    const end = withRetries(attempt, policy, { clock, random: () => 0.9 }, abort.signal, () => {});
    const caught = end.catch((error) => error);
    await clock.advance(100);
    expect(clock.pending).toBe(1);
    const reason = new Error('stop');
    abort.abort(reason);
    expect(await caught).toBe(reason);
    await clock.advance(60_000);
    expect({ tries, pending: clock.pending }).toEqual({ tries: 1, pending: 0 });
  });
});
