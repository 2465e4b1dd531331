/** The first looks come quickly: most operations end within a few seconds. */
export const FIRST_GAP_MS = 1000;
const GROWTH = 1.5;
const JITTER = 0.2;

/**
 * Milliseconds between look number `looks` and the next: from one second up to the steady interval, each up to a fifth
 * shorter or longer, so that a fleet of jobs that started together does not march in step.
 * @param looks how many looks there were, 1 or more
 * @param random a number in [0, 1)
 */
export function gapMs(looks: number, pollIntervalMs: number, random: number): number {
  const gap = Math.min(pollIntervalMs, FIRST_GAP_MS * GROWTH ** (looks - 1));
  return gap * (1 - JITTER + 2 * JITTER * random);
}
