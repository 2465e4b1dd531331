import { type Clock, sleep } from '../clock.ts';

/**
 * A token bucket that keeps this process below the service's rate limit: `burst` requests at once, then `perSecond`.
 * Requests are let through in the order in which they asked. One bucket serves the whole process.
 *
 * The bucket runs on the monotonic clock that it is handed; the common libraries run on `Date.now`, and a wall clock that
 * is set back would stop them for as long.
 */
export class Throttle {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt: number;
  #last: Promise<void> = Promise.resolve();

  constructor(clock: Clock, { perSecond = 10, burst = 20 } = {}) {
    this.#clock = clock;
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAt = clock.monotonic();
  }

  /** Resolves when one request may be sent; rejects with the signal's reason when it aborts first. */
  async take(signal: AbortSignal): Promise<void> {
    const previous = this.#last;
    let done: () => void = () => {};
    this.#last = new Promise((resolve) => {
      done = resolve;
    });
    try {
      await turnOrAbort(previous, signal);
      this.#fill();
      if (this.#tokens < 1) {
        await sleep(this.#clock, Math.ceil((1 - this.#tokens) / this.#perMs), signal);
        this.#fill();
      }
      this.#tokens -= 1;
    } finally {
      // Who gave up early keeps its place until its turn, so that the order stays.
      previous.then(done);
    }
  }

  #fill(): void {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#filledAt) * this.#perMs);
    this.#filledAt = now;
  }
}

/** Resolves with `turn`, or rejects as soon as `signal` aborts. */
async function turnOrAbort(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  let giveUp = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(signal.reason);
  });
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await Promise.race([turn, aborted]);
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
