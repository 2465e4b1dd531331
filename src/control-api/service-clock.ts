import type { Clock } from '../clock.ts';

const HTTP_DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, \d\d[ -]\w{3}[ -](\d\d){1,2} \d\d:\d\d:\d\d GMT$/;
/** A header before or after these is a clock that was never set, or one that ran over. */
const EARLIEST = Date.UTC(2024, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
/** A moment further ahead of the service's own header is a fault of that one record. */
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000;

/** Milliseconds since 1970 of a date as HTTP writes it; NaN for anything else that `Date.parse` would take. */
export function parseHttpDate(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
}

interface Reading {
  readonly date: number;
  /** On the monotonic clock. */
  readonly at: number;
}

/**
 * The service's clock: the `Date` header of its answers, carried on by the monotonic clock. Ages of what the service
 * reports are measured with it, because a runner's own clock may be wrong by minutes, or by years. It is never earlier than
 * a moment that the service has already reported.
 */
export class ServiceClock {
  readonly #clock: Clock;
  #header: Reading | undefined;
  #newest: Reading | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes in a `Date` header; one that is absent, unreadable or of another age changes nothing. */
  learn(header: string | undefined): void {
    const date = parseHttpDate(header ?? '');
    if (date >= EARLIEST && date < LATEST) this.#header = this.#readingOf(date);
  }

  /** Takes in a moment that an answer names as past, in milliseconds since 1970; NaN changes nothing. */
  saw(moment: number): void {
    if (moment < LATEST && moment > this.now() && this.#believes(moment))
      this.#newest = this.#readingOf(moment);
  }

  /** Milliseconds since 1970 by the service's clock; by the machine's, until the service has told its own. */
  now(): number {
    const told = this.#told();
    if (this.#newest === undefined) return told;
    const least = this.#carriedOn(this.#newest);
    return this.#believes(least) ? Math.max(told, least) : told;
  }

  #told(): number {
    return this.#header === undefined ? this.#clock.wall() : this.#carriedOn(this.#header);
  }

  #believes(moment: number): boolean {
    return this.#header === undefined || moment - this.#told() <= MOST_AHEAD_MS;
  }

  #readingOf(date: number): Reading {
    return { date, at: this.#clock.monotonic() };
  }

  #carriedOn({ date, at }: Reading): number {
    return date + (this.#clock.monotonic() - at);
  }
}
