import { startSimulator } from '../../simulator/server.ts';
import { action, type Contender, loop, sdk } from '../contenders.ts';
import { startMany } from '../service.ts';

export interface ScaleOptions {
  readonly operations: readonly number[];
  readonly projects: readonly number[];
  /** The SDK asks for each operation by itself: more than so many would take too long. */
  readonly mostForSdk: number;
  readonly mostForLoop: number;
}

export interface ScaleFigures {
  readonly operations: number;
  readonly projects: number;
  readonly contender: string;
  readonly requests: number;
  readonly bytes: number;
  readonly cpuSeconds: number | undefined;
  readonly peakMiB: number | undefined;
  /** Seconds from the end of the last operation to the end of the process. */
  readonly delay: number;
}

/** How long the operations take: long enough for a pace to show. */
const SECONDS = 10;

/** One step that waits for many operations, of one project or of many, each contender by itself. */
export async function measureScale(options: ScaleOptions): Promise<ScaleFigures[]> {
  const { operations, projects, mostForSdk, mostForLoop } = options;
  const figures: ScaleFigures[] = [];
  for (const count of operations) {
    figures.push(await row(action, count, 1));
    if (count <= mostForSdk) figures.push(await row(sdk, count, 1));
    if (count <= mostForLoop) figures.push(await row(loop(1), count, 1));
  }
  for (const count of projects) {
    // Two of each, as after the creation of a branch in each.
    figures.push(await row(action, 2 * count, count));
    if (2 * count <= mostForSdk) figures.push(await row(sdk, 2 * count, count));
  }
  return figures;
}

async function row(contender: Contender, count: number, projects: number): Promise<ScaleFigures> {
  const simulator = await startSimulator();
  try {
    const job = startMany(simulator, count, SECONDS, projects);
    const ended = await contender.run(job, { killAfterMs: 180_000, measure: true });
    if (!ended.green) throw new Error(`${contender.name} failed with ${count}:\n${ended.words}`);
    return {
      operations: count,
      projects,
      contender: contender.name,
      requests: simulator.requests.length,
      bytes: simulator.bytesSent,
      cpuSeconds: ended.cpuMs === undefined ? undefined : ended.cpuMs / 1000,
      peakMiB: ended.maxRssKb === undefined ? undefined : ended.maxRssKb / 1024,
      delay: (ended.exitedAt - job.endsAt) / 1000,
    };
  } finally {
    await simulator.close();
  }
}
