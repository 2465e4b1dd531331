/** The shortest gap between two looks. */
export const FIRST_GAP_MS = 1000;
/** Most operations end within this; until then a look a second costs little and finds the end soon. */
const HELD_MS = 5000;
const GROWTH = 4;
const SHORTEST = 0.8;
const LONGEST = 1.1;

/**
 * Milliseconds between a look and the next: one second in the first five, then each gap up to four times as long as the one
 * before, until the steady interval. Jitter makes it up to a fifth shorter or a tenth longer, so that a fleet of jobs
 * that started together does not march in step. Why these numbers: `bench/README.md`.
 * @param elapsedMs since the wait began
 * @param pollIntervalMs the steady interval
 * @param random a number in [0, 1)
 */
export function gapMs(elapsedMs: number, pollIntervalMs: number, random: number): number {
  // The gaps of a geometric series grow in proportion to the time since its begin.
  const grown = FIRST_GAP_MS + Math.max(0, elapsedMs - HELD_MS) * (GROWTH - 1);
  return Math.min(pollIntervalMs, grown) * (SHORTEST + (LONGEST - SHORTEST) * random);
}
