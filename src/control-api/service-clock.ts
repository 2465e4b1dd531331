import type { Clock } from '../clock.ts';

const HTTP_DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, \d\d[ -]\w{3}[ -](\d\d){1,2} \d\d:\d\d:\d\d GMT$/;
/** A machine's clock is wrong by minutes, or by the hours of a time zone; a header that is days off is a fault. */
const MOST_OFF_MS = 24 * 60 * 60 * 1000;

/** Milliseconds since 1970 of a date as HTTP writes it; NaN for anything else that `Date.parse` would take. */
export function parseHttpDate(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
}

/**
 * The service's clock: the `Date` header of its answers, carried on by the monotonic clock. Ages of what the service
 * reports are measured with it, because a runner's own clock may be wrong by minutes.
 */
export class ServiceClock {
  readonly #clock: Clock;
  #known: { readonly date: number; readonly at: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes in a `Date` header; one that is absent, unreadable or more than a day off changes nothing. */
  learn(header: string | undefined): void {
    const date = parseHttpDate(header ?? '');
    if (Math.abs(date - this.#clock.wall()) < MOST_OFF_MS) {
      this.#known = { date, at: this.#clock.monotonic() };
    }
  }

  /** Milliseconds since 1970 by the service's clock; by the machine's, until the service has told its own. */
  now(): number {
    if (this.#known === undefined) return this.#clock.wall();
    return this.#known.date + (this.#clock.monotonic() - this.#known.at);
  }
}
