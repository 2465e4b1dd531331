import type { FaultOptions } from './parts/faults.ts';
import type { LatencyOptions } from './parts/latency.ts';
import type { RateLimitOptions } from './parts/rate-limit.ts';
import type { ScaleOptions } from './parts/scale.ts';

/** How much is measured. */
export interface Plan {
  readonly startTurns: number;
  readonly rotationTargets: readonly number[];
  readonly latency: LatencyOptions;
  readonly scale: ScaleOptions;
  readonly rateLimit: RateLimitOptions;
  readonly faults: FaultOptions;
}

/** Under fifteen minutes. */
export const FULL: Plan = {
  startTurns: 40,
  rotationTargets: [1, 10, 100],
  latency: {
    seconds: [0.3, 1, 2, 3, 5, 10, 30, 60],
    runs: 25,
    longRuns: 10,
    mixRuns: 50,
    longestMix: 120,
  },
  scale: {
    operations: [1, 10, 100, 1000, 10_000],
    projects: [16, 64, 256],
    mostForSdk: 1000,
    mostForLoop: 100,
  },
  rateLimit: { steps: [1, 20, 50, 100, 200], patience: 150 },
  faults: { shares: [0.01, 0.05, 0.2], steps: 60, patience: 150 },
};

/** Under two minutes; too few runs for figures to quote. */
export const QUICK: Plan = {
  startTurns: 5,
  rotationTargets: [1, 10],
  latency: { seconds: [0.3, 1, 3, 10], runs: 3, longRuns: 1, mixRuns: 4, longestMix: 10 },
  scale: { operations: [100], projects: [16], mostForSdk: 100, mostForLoop: 0 },
  rateLimit: { steps: [20], patience: 40 },
  faults: { shares: [0.05, 0.2], steps: 10, patience: 45 },
};
