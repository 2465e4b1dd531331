import { drawAbout, drawWork, type Work } from '../mix.ts';
import { logNormal, mean, median, quantile, seeded } from '../statistics.ts';
import { candidates, type Schedule, today } from './schedules.ts';
import { type Outcome, simulate } from './simulate.ts';

const WAITS = 4000;
const HISTORY = 20;
/** The aim speaks of operations under five seconds, one by one. */
export const SHORT = [0.3, 1, 2, 3] as const;

/** What a schedule does, over many waits of each kind; times in seconds, requests are means. */
export interface StudyFigures {
  readonly name: string;
  readonly mix: { median: number; p95: number; mean: number; requests: number };
  readonly short: readonly { seconds: number; median: number; requests: number }[];
  readonly long: { median: number; requests: number };
}

/** All schedules against all distributions, without real time; the same work for each. */
export function study(): StudyFigures[] {
  return [...today, ...candidates].map((schedule) => {
    const mix = play(schedule, drawWork);
    const about = (seconds: number) => {
      const outcomes = play(schedule, (random) => drawAbout(random, seconds));
      return { seconds, median: median(delays(outcomes)), requests: requests(outcomes) };
    };
    return {
      name: schedule.name,
      mix: {
        median: median(delays(mix)),
        p95: quantile(delays(mix), 0.95),
        mean: mean(delays(mix)),
        requests: requests(mix),
      },
      short: SHORT.map(about),
      long: about(60),
    };
  });
}

const delays = (outcomes: readonly Outcome[]): number[] => outcomes.map(({ delay }) => delay);
const requests = (outcomes: readonly Outcome[]): number =>
  mean(outcomes.map((outcome) => outcome.requests));

/** Work, jitter and history are drawn apart, so that every schedule meets the same work. */
function play(schedule: Schedule, draw: (random: () => number) => Work): Outcome[] {
  const work = seeded(1);
  const jitter = seeded(2);
  const past = seeded(3);
  const { historySpread: spread } = schedule;
  return Array.from({ length: WAITS }, () => {
    const now = draw(work);
    const length = spread === undefined ? 0 : HISTORY;
    const took = (): number => logNormal(past, Math.max(...now.ends), spread ?? 0);
    return simulate(schedule, now, jitter, Array.from({ length }, took));
  });
}
