import { logNormal } from './statistics.ts';

/** What one step waits for. */
export interface Work {
  /** Moments in seconds after the creating request at which its operations end, in the order in which they run. */
  readonly ends: readonly number[];
  /** Seconds between the creating request and the wait's begin. */
  readonly age: number;
}

/**
 * The realistic mix. What is on record: `create_branch`, `start_compute` and `apply_config` typically end within one to a
 * few seconds, large ones take minutes; a new branch is a `create_branch` and then a `start_compute`; starting a compute
 * takes "500 ms to a few seconds" in the vendor's own documentation. The shares and spreads are this project's reading of
 * that, and no measurement: no public record of durations was found.
 */
export const MIX = [
  {
    share: 0.7,
    what: 'a new branch: `create_branch` (median 0.8 s), then `start_compute` (0.8 s)',
  },
  { share: 0.2, what: 'a change of configuration: `apply_config` (median 1.2 s)' },
  { share: 0.1, what: 'a large one (median 60 s)' },
] as const;

/** One draw from the mix. The step begins up to a second after the request that it waits for. */
export function drawWork(random: () => number): Work {
  const age = random();
  const which = random();
  if (which < MIX[0].share) {
    const created = logNormal(random, 0.8, 0.5);
    return { age, ends: [created, created + logNormal(random, 0.8, 0.6)] };
  }
  if (which < MIX[0].share + MIX[1].share) return { age, ends: [logNormal(random, 1.2, 0.6)] };
  return { age, ends: [logNormal(random, 60, 0.8)] };
}

/**
 * One operation that ends about `seconds` after the wait's begin: up to half of that, at most 2.5 s, earlier or later. For
 * whole seconds every phase of a one-second poll is then met equally, and nobody's looks fall upon the end by the choice
 * of a round number.
 */
export function drawAbout(random: () => number, seconds: number): Work {
  const spread = Math.min(2.5, seconds / 2);
  return { age: 0, ends: [seconds + spread * (2 * random() - 1)] };
}
