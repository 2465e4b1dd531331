/** What the simulator takes for the time. Moving it moves every operation, and the `Date` header. */
export interface SimulatorClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Moves the clock forward, or back with a negative number. */
  advance(ms: number): void;
}

/** The machine's clock, `offsetMs` ahead of it: a service whose clock is not the client's. */
export function machineClock(offsetMs = 0): SimulatorClock {
  let offset = offsetMs;
  return {
    now: () => Date.now() + offset,
    advance: (ms) => {
      offset += ms;
    },
  };
}

/** A clock that stands still until it is told to advance. */
export function manualClock(start: number | string = '2026-01-01T00:00:00Z'): SimulatorClock {
  let time = new Date(start).getTime();
  return {
    now: () => time,
    advance: (ms) => {
      time += ms;
    },
  };
}

/** Runs only while a step is at work: from its first request to its end, however long a process takes to start. */
export interface QuickClock extends SimulatorClock {
  run(): void;
  stop(): void;
}

/** A clock for a step whose time is lapsed `speed` times; stands still until it is run. */
export function quickClock(speed: number): QuickClock {
  let time = Date.now();
  let since: number | undefined;
  const now = (): number =>
    Math.floor(since === undefined ? time : time + (performance.now() - since) * speed);
  return {
    now,
    advance: (ms) => {
      time += ms;
    },
    run: () => {
      since ??= performance.now();
    },
    stop: () => {
      time = now();
      since = undefined;
    },
  };
}
