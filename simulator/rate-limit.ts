import { ApiError } from './errors.ts';
import type { Settings } from './settings.ts';

/** Counts requests and refuses those beyond the limit. Times are the simulator's. */
export class RateLimiter {
  readonly #accepted = new Map<string, number[]>();

  /** @throws ApiError 429 */
  check(limits: Settings['rateLimit'], account: string, route: string, now: number): void {
    const windows = [
      { key: account, limit: limits.perMinute, ms: 60_000 },
      { key: `${account} ${route}`, limit: limits.perSecond, ms: 1000 },
    ].flatMap(({ key, limit, ms }) => (limit === undefined ? [] : [{ key, limit, ms }]));

    for (const { key, limit, ms } of windows) {
      const recent = (this.#accepted.get(key) ?? []).filter((time) => time > now - ms);
      this.#accepted.set(key, recent);
      if (recent.length < limit) continue;
      const wait = Math.max(1, Math.ceil(((recent[0] ?? now) + ms - now) / 1000));
      throw new ApiError(
        429,
        'TOO_MANY_REQUESTS',
        `rate limit of ${limit} requests per ${ms === 1000 ? 'second' : 'minute'} exceeded`,
        limits.retryAfter ? { 'retry-after': String(wait) } : {},
      );
    }
    for (const { key } of windows) this.#accepted.get(key)?.push(now);
  }
}
