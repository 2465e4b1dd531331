import { type Fault, startSimulator } from '../../simulator/server.ts';
import { type InProcess, inProcess } from '../in-process.ts';
import { startWork } from '../service.ts';
import { seeded } from '../statistics.ts';

export interface FaultOptions {
  /** Shares of answers that fail, 0 to 1. */
  readonly shares: readonly number[];
  readonly steps: number;
  /** Seconds after which what has not ended counts as not ended. */
  readonly patience: number;
}

export interface FaultFigures {
  readonly share: number;
  readonly contender: string;
  readonly steps: number;
  /** Steps that ended as their operation did: green where it finished, red where it failed. */
  readonly right: number;
  /** Green although the operation failed. */
  readonly falselyGreen: number;
  /** Red although the operation finished. */
  readonly falselyRed: number;
  readonly notEnded: number;
}

const SECONDS = 10;

/** The ways of the field, drawn with equal chances. */
export const FIELD_FAULTS: readonly (readonly [string, Fault])[] = [
  ['503 in JSON', { kind: 'status', status: 503 }],
  ['502 as a gateway’s HTML', { kind: 'status', status: 502, body: 'html' }],
  ['500', { kind: 'status', status: 500 }],
  ['429 with `Retry-After: 1`', { kind: 'status', status: 429, retryAfter: 1 }],
  ['a reset connection', { kind: 'reset' }],
  ['a body cut off', { kind: 'cut' }],
  ['no answer at all', { kind: 'hang' }],
];

/** Steps whose operation ends after ten seconds, every second one as failed, on a service whose answers fail by chance. */
export async function measureFaults(options: FaultOptions): Promise<FaultFigures[]> {
  const rows = options.shares.flatMap((share) =>
    inProcess.map((contender) => row(contender, share, options)),
  );
  return Promise.all(rows);
}

async function row(
  contender: InProcess,
  share: number,
  { steps, patience }: FaultOptions,
): Promise<FaultFigures> {
  const simulator = await startSimulator();
  const random = seeded(share * 1000);
  let drawn = -1;
  const draw = (): void => {
    drawn = random() < share ? Math.floor(random() * FIELD_FAULTS.length) : -1;
  };
  FIELD_FAULTS.forEach(([, fault], index) => {
    const when = (): boolean => {
      if (index === 0) draw();
      return drawn === index;
    };
    simulator.faults.add({ match: { when }, fault });
  });
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience * 1000);
  try {
    const verdicts = await Promise.all(
      Array.from({ length: steps }, async (_, index) => {
        const outcome = index % 2 === 0 ? 'finished' : 'failed';
        const job = startWork(simulator, { age: 0, ends: [SECONDS] }, outcome);
        return { outcome, verdict: await contender.run(job, stop.signal) };
      }),
    );
    const count = (outcome: string, green: boolean): number =>
      verdicts.filter((one) => one.outcome === outcome && one.verdict === green).length;
    return {
      share,
      contender: contender.name,
      steps,
      right: count('finished', true) + count('failed', false),
      falselyGreen: count('failed', true),
      falselyRed: count('finished', false),
      notEnded: verdicts.filter(({ verdict }) => verdict === undefined).length,
    };
  } finally {
    clearTimeout(timer);
    await simulator.close();
  }
}
