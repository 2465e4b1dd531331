import { type Clock, sleep } from '../clock.ts';
import { type ControlApiError, isPassing } from './errors.ts';
import { parseHttpDate } from './service-clock.ts';

/** How one request is repeated. */
export interface RetryPolicy {
  /** Further tries after the first. */
  readonly retries: number;
  /** The longest `Retry-After` that is waited for, in milliseconds; a longer one ends the tries. */
  readonly longestRetryAfterMs: number;
}

/** What a `Retry-After` may ask for, in milliseconds, where nothing else bounds it. */
export const LONGEST_RETRY_AFTER_MS = 120_000;
/** A longer pause before a further try is worth a line to people, in milliseconds. */
export const LONG_PAUSE_MS = 5000;
/** The pause before the first repetition is at most this; it doubles with each. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;

/**
 * Milliseconds before try number `tries + 1`: exponential with full jitter, so that a fleet whose requests failed
 * together does not come back together; or what the service asked for, with a little jitter on top.
 * @param random a number in [0, 1)
 */
export function pauseMs(tries: number, retryAfterMs: number | undefined, random: number): number {
  const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)) * random;
  if (retryAfterMs === undefined) return backoff;
  return Math.max(backoff, retryAfterMs + Math.min(1000, retryAfterMs * 0.1) * random);
}

/**
 * Calls `attempt` until it succeeds, fails for good, or the tries are used up; throws the last error.
 * @param onRetry is told of each fault that is about to be tried again, with the pause in milliseconds
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  policy: RetryPolicy,
  { clock, random }: { clock: Clock; random: () => number },
  signal: AbortSignal,
  onRetry: (error: ControlApiError, pause: number) => void,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error) || tries > policy.retries) throw error;
      if ((error.retryAfterMs ?? 0) > policy.longestRetryAfterMs) throw error;
      const pause = pauseMs(tries, error.retryAfterMs, random());
      onRetry(error, pause);
      await sleep(clock, pause, signal);
    }
  }
}

/**
 * Milliseconds of a `Retry-After` header: seconds, or an HTTP date measured against the answer's own `Date` header, so
 * that a wrong clock on either side does not matter. Nonsense and the past count as absent.
 * @param now the service's clock, in milliseconds since 1970
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,12}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const ms = parseHttpDate(text) - now;
  return ms > 0 ? ms : undefined;
}
