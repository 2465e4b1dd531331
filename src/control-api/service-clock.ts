import type { Clock } from '../clock.ts';

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

  /** Takes in a `Date` header; an absent or unreadable one changes nothing. */
  learn(header: string | undefined): void {
    const date = Date.parse(header ?? '');
    if (!Number.isNaN(date)) this.#known = { date, at: this.#clock.monotonic() };
  }

  /** Milliseconds since 1970 by the service's clock; by the machine's, until the service has told its own. */
  now(): number {
    if (this.#known === undefined) return this.#clock.wall();
    return this.#known.date + (this.#clock.monotonic() - this.#known.at);
  }
}
