/**
 * Time as a parameter. Everything that waits or measures is handed a {@link Clock}, so a test of a six-hour wait takes
 * milliseconds.
 */
export interface Clock {
  /** Milliseconds on a clock that never jumps: for durations and deadlines. Its zero means nothing. */
  monotonic(): number;
  /** Milliseconds since 1970, as the machine believes. It may be wrong by minutes and may jump. */
  wall(): number;
  /** Calls `callback` once after `ms` milliseconds (any length); the returned function takes that back. */
  timer(ms: number, callback: () => void): () => void;
}

/** The longest delay that `setTimeout` takes; a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The machine's own clocks. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  timer(ms, callback) {
    const end = performance.now() + ms;
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const rest = end - performance.now();
      handle = setTimeout(
        () => {
          // A timer may fire a moment early, too: nothing is over before its time.
          if (performance.now() < end) arm();
          else callback();
        },
        Math.min(Math.max(0, rest), LONGEST_TIMER),
      );
    };
    arm();
    return () => clearTimeout(handle);
  },
};

/**
 * Resolves after `ms` milliseconds. When `signal` aborts first, rejects with its reason and leaves no timer behind.
 */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      stop();
      reject(signal.reason);
    };
    const stop = clock.timer(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** What takes longer shows so often, in milliseconds, that it is alive. */
export const SIGN_OF_LIFE_MS = 30_000;

/** Calls `callback` every `ms` milliseconds until the returned function is called. */
export function every(clock: Clock, ms: number, callback: () => void): () => void {
  let stop = (): void => {};
  const arm = (): void => {
    stop = clock.timer(ms, () => {
      arm();
      callback();
    });
  };
  arm();
  return () => stop();
}
