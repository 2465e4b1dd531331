import type { Clock } from '../../src/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** One week: a test that needs more has run away. */
const LONGEST_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * A clock that stands still until a test moves it. Timers fire in the order of their times (those of one moment in the
 * order in which they were set), each at its own time, and after every one of them the promises get to settle, so code
 * between two timers runs as it would in real time.
 *
 * Only promises settle, not sockets: hand the code under test an `Http` without a network.
 *
 * ```ts
 * const clock = new FakeClock();
 * const wait = sleep(clock, 60_000, signal);
 * await clock.advance(59_999);        // not yet
 * await clock.advanceUntil(wait);     // moves on as far as needed, and gives the promise's value or error
 * expect(clock.pending).toBe(0);      // nothing left behind
 * ```
 */
export class FakeClock implements Clock {
  /** In the order in which they were set. */
  readonly #timers = new Set<Timer>();
  readonly #zero: number;
  #now: number;
  #wall: number;

  /**
   * @param options.monotonic where the monotonic clock begins: not at 0, which a forgotten clock would also show
   * @param options.wall milliseconds since 1970 at the begin
   */
  constructor({ monotonic = 5_000, wall = Date.UTC(2026, 2, 1, 8) } = {}) {
    this.#zero = monotonic;
    this.#now = monotonic;
    this.#wall = wall - monotonic;
  }

  monotonic(): number {
    return this.#now;
  }

  wall(): number {
    return this.#wall + this.#now;
  }

  timer(ms: number, callback: () => void): () => void {
    if (Number.isNaN(ms)) throw new Error('A timer was set for NaN milliseconds.');
    const timer = { at: this.#now + Math.max(0, ms), callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Lets the wall clock jump, as people and time servers do; timers do not notice. */
  setWall(ms: number): void {
    this.#wall = ms - this.#now;
  }

  /** Milliseconds since the clock was made. */
  get elapsed(): number {
    return this.#now - this.#zero;
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer; undefined when none is set. */
  get nextInMs(): number | undefined {
    const next = this.#next();
    return next && next.at - this.#now;
  }

  /** Lets all promises settle that need no timer. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Moves on by `ms` milliseconds and fires what comes due, also timers that are set on the way. */
  async advance(ms: number): Promise<void> {
    await this.#advanceTo(this.#now + ms);
  }

  /** Moves on until no timer is set. @throws when timers still follow each other after `longestMs` */
  async runAll(longestMs = LONGEST_MS): Promise<void> {
    const end = this.#now + longestMs;
    await this.settle();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (next.at > end) throw new Error(`Timers are still set after ${longestMs} ms.`);
      await this.#fire(next);
    }
  }

  /**
   * Moves on, timer by timer, until `promise` settles, and gives its value or throws its error.
   * @throws when it is still pending and no timer is set, or none within `longestMs`
   */
  async advanceUntil<Value>(promise: Promise<Value>, longestMs = LONGEST_MS): Promise<Value> {
    const end = this.#now + longestMs;
    let settled = false;
    const note = (): void => {
      settled = true;
    };
    promise.then(note, note);
    await this.settle();
    while (!settled) {
      const next = this.#next();
      if (next === undefined) throw new Error('The promise is pending and no timer is set.');
      if (next.at > end) throw new Error(`The promise is still pending after ${longestMs} ms.`);
      await this.#fire(next);
    }
    return promise;
  }

  async #advanceTo(end: number): Promise<void> {
    await this.settle();
    for (let next = this.#next(); next && next.at <= end; next = this.#next()) {
      await this.#fire(next);
    }
    this.#now = Math.max(this.#now, end);
  }

  async #fire(timer: Timer): Promise<void> {
    this.#timers.delete(timer);
    this.#now = Math.max(this.#now, timer.at);
    timer.callback();
    await this.settle();
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.at < next.at) next = timer;
    return next;
  }
}
