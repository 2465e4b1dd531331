import { startSimulator } from '../../simulator/server.ts';
import { type InProcess, inProcess } from '../in-process.ts';
import { startMany } from '../service.ts';

export interface RateLimitOptions {
  /** Steps at once. */
  readonly steps: readonly number[];
  /** Seconds after which what has not ended counts as not ended. */
  readonly patience: number;
}

export interface RateLimitFigures {
  readonly steps: number;
  readonly contender: string;
  /** Seconds until the last step had ended; undefined: some had not when patience ran out. */
  readonly seconds: number | undefined;
  readonly requests: number;
  readonly refused: number;
  /** Steps that did not end as their operations did. */
  readonly failed: number;
}

const OPERATIONS = 3;
const SECONDS = 10;
/** The field's limits: an account's requests in a minute, a route's in a second. */
export const LIMIT = { perMinute: 700, perSecond: 40 };

/** Many jobs of one account at once, all of whose operations finish; each contender has an account to itself. */
export async function measureRateLimit(options: RateLimitOptions): Promise<RateLimitFigures[]> {
  const figures: RateLimitFigures[] = [];
  for (const steps of options.steps) {
    figures.push(...(await Promise.all(inProcess.map((one) => row(one, steps, options.patience)))));
  }
  return figures;
}

async function row(contender: InProcess, steps: number, patience: number) {
  const simulator = await startSimulator({ rateLimit: { ...LIMIT, retryAfter: true } });
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience * 1000);
  const begin = performance.now();
  try {
    const jobs = Array.from({ length: steps }, () => startMany(simulator, OPERATIONS, SECONDS));
    const verdicts = await Promise.all(jobs.map((job) => contender.run(job, stop.signal)));
    const seconds = (performance.now() - begin) / 1000;
    return {
      steps,
      contender: contender.name,
      seconds: verdicts.includes(undefined) ? undefined : seconds,
      requests: simulator.requests.length,
      refused: simulator.requests.filter(({ status }) => status === 429).length,
      failed: verdicts.filter((verdict) => verdict !== true).length,
    };
  } finally {
    clearTimeout(timer);
    await simulator.close();
  }
}
