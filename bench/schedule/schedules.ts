import { gapMs } from '../../src/wait-operations/schedule.ts';

/** What a schedule may know when it says how long to wait until the next look. All times in seconds. */
export interface Known {
  /** Looks so far, 1 or more. */
  readonly looks: number;
  /** Since the wait began. */
  readonly elapsed: number;
  /** Looks since the last one that showed a change, itself included. */
  readonly sinceChange: number;
  /** Since the creating request. */
  readonly age: number;
  /** How long such work took before, in the order of size; empty where nobody looks it up. */
  readonly history: readonly number[];
}

export interface Schedule {
  readonly name: string;
  readonly gap: (known: Known) => number;
  /** Whether it looks before it waits for the first time. Default: true. */
  readonly atOnce?: boolean;
  /** Whether a look costs a request for each pending operation, and not one for all. Default: false. */
  readonly eachOperation?: boolean;
  /** A gap is multiplied by a number from this range. Default: 0.8 to 1.1. */
  readonly jitter?: readonly [number, number];
  /** It is shown how long twenty such works took before: those differ from this one by so much (sigma of the logarithm). */
  readonly historySpread?: number;
}

const STEADY = 5;
const FIRST = 1;
const between = (low: number, gap: number, high: number): number =>
  Math.max(low, Math.min(gap, high));

const none = [1, 1] as const;

/** What people use today. */
export const today: readonly Schedule[] = [
  { name: 'SDK, every 1 s', gap: () => 1, atOnce: false, eachOperation: true, jitter: none },
  { name: 'loop, every 1 s', gap: () => 1, eachOperation: true, jitter: none },
  { name: 'loop, every 5 s', gap: () => 5, eachOperation: true, jitter: none },
];

/** What `src/wait-operations/schedule.ts` does. */
export const chosen: Schedule = {
  name: 'chosen: 1 s for 5 s, then × 4 up to 5 s',
  // The draw at which its own jitter leaves a gap as it is.
  gap: ({ elapsed }) => gapMs(elapsed * 1000, STEADY * 1000, 2 / 3) / 1000,
};

const geometric = (factor: number, first = FIRST, cap = STEADY): Schedule => ({
  name: `geometric × ${factor} from ${first} s to ${cap} s`,
  gap: ({ looks }) => Math.min(cap, first * factor ** (looks - 1)),
});

const held = (seconds: number, factor: number): Schedule => ({
  name: `1 s for ${seconds} s, then × ${factor}`,
  gap: ({ elapsed }) => between(FIRST, FIRST + (elapsed - seconds) * (factor - 1), STEADY),
});

const proportional = (share: number): Schedule => ({
  name: `${share * 100} % of the time so far`,
  gap: ({ elapsed }) => between(FIRST, elapsed * share, STEADY),
});

const linear = (step: number): Schedule => ({
  name: `linear, + ${step} s a look`,
  gap: ({ looks }) => Math.min(STEADY, FIRST + (looks - 1) * step),
});

const withJitter = (schedule: Schedule, low: number, high: number): Schedule => ({
  ...schedule,
  name: `${schedule.name}, jitter ${low} to ${high}`,
  jitter: [low, high],
});

/** After a change again as at the beginning. */
const afterChange = (schedule: Schedule): Schedule => ({
  ...schedule,
  name: `${schedule.name}, anew after a change`,
  gap: (known) => schedule.gap({ ...known, looks: known.sinceChange }),
});

/** Looks when four of five earlier ones had ended; falls back when there is no history or it was wrong. */
const predicted = (schedule: Schedule, historySpread: number): Schedule => ({
  ...schedule,
  name: `history (spread ${historySpread}), else as chosen`,
  historySpread,
  gap: (known) => {
    const end = known.history[Math.floor(known.history.length * 0.8)] ?? 0;
    const rest = end - known.age;
    return rest > 0 ? between(FIRST, rest, STEADY) : schedule.gap(known);
  },
});

/** What could be built. */
export const candidates: readonly Schedule[] = [
  { name: 'fixed 1 s', gap: () => 1 },
  { name: 'fixed 5 s', gap: () => 5 },
  linear(0.1),
  linear(0.25),
  linear(0.5),
  geometric(1.1),
  geometric(1.2),
  geometric(1.5),
  geometric(2),
  geometric(1.5, 0.5),
  geometric(1.5, 1, 10),
  afterChange(geometric(1.5)),
  proportional(0.2),
  proportional(0.3),
  proportional(0.5),
  held(4, 2),
  held(5, 2),
  chosen,
  withJitter(held(5, 4), 0.8, 1),
  withJitter(held(5, 4), 0.8, 1.2),
  held(5, 8),
  predicted(chosen, 0.1),
  predicted(chosen, 0.3),
  predicted(chosen, 0.6),
];
