import type { Work } from '../mix.ts';
import type { Schedule } from './schedules.ts';

/** What one wait cost. */
export interface Outcome {
  /** Seconds from the end of the last operation, or from the wait's begin if that was later, until the wait knew. */
  readonly delay: number;
  readonly requests: number;
}

/** Seconds that a look takes; it shows how things stand half-way. */
const LOOK = 0.1;

/**
 * Plays one wait, without real time.
 * @param history how long such work took before
 */
export function simulate(
  schedule: Schedule,
  { ends, age }: Work,
  random: () => number,
  history: readonly number[] = [],
): Outcome {
  const { gap, atOnce = true, eachOperation = false, jitter = [0.8, 1.1] } = schedule;
  const [low, high] = jitter;
  const jittered = (seconds: number): number => seconds * (low + (high - low) * random());
  const last = Math.max(...ends) - age;
  const sorted = [...history].sort((a, b) => a - b);
  let now = atOnce ? 0 : jittered(1);
  let requests = 0;
  let looks = 0;
  let sinceChange = 0;
  let pendingBefore = ends.length;
  for (;;) {
    looks += 1;
    const pending = ends.filter((end) => end - age > now + LOOK / 2).length;
    requests += eachOperation ? pendingBefore : 1;
    now += LOOK * (eachOperation ? pendingBefore : 1);
    if (pending === 0) return { delay: now - Math.max(0, last), requests };
    sinceChange = pending === pendingBefore && looks > 1 ? sinceChange + 1 : 1;
    pendingBefore = pending;
    now += jittered(gap({ looks, elapsed: now, sinceChange, age: age + now, history: sorted }));
  }
}
