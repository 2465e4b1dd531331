import { type Simulator, startSimulator } from '../../simulator/server.ts';
import { type Contender, contenders } from '../contenders.ts';
import { untilIdle } from '../idle.ts';
import { drawAbout, drawWork, type Work } from '../mix.ts';
import { startWork } from '../service.ts';
import { mean, median, quantile, seeded } from '../statistics.ts';

export interface LatencyOptions {
  /** About how long the operations take, in seconds. */
  readonly seconds: readonly number[];
  readonly runs: number;
  /** For operations of half a minute and more, whose loops would fill the machine. */
  readonly longRuns: number;
  readonly mixRuns: number;
  /** Draws from the mix that take longer are left out, so that the benchmark ends. */
  readonly longestMix: number;
}

/** What one contender did at one point. */
export interface LatencyFigures {
  readonly point: string;
  readonly seconds: number | undefined;
  readonly contender: string;
  /** Seconds from the end of the last operation to the end of the process. */
  readonly median: number;
  readonly p95: number;
  readonly requests: number;
}

interface Task {
  readonly point: string;
  readonly seconds: number | undefined;
  readonly contender: Contender;
  readonly work: Work;
}

/** Runs all contenders side by side, in real time, against one service; the same work for each. */
export async function measureLatency(options: LatencyOptions): Promise<LatencyFigures[]> {
  const simulator = await startSimulator();
  try {
    const tasks = plan(options);
    const running: ReturnType<typeof run>[] = [];
    for (const task of tasks) {
      await untilIdle();
      running.push(run(simulator, task));
      // Looked at in the end, with all others.
      running.at(-1)?.catch(() => {});
    }
    const outcomes = await Promise.all(running);
    return [...Map.groupBy(outcomes, ({ task }) => `${task.point}/${task.contender.name}`)].map(
      ([, group]) => {
        const task = group[0]?.task;
        const delays = group.map(({ delay }) => delay);
        return {
          point: task?.point ?? '',
          seconds: task?.seconds,
          contender: task?.contender.name ?? '',
          median: median(delays),
          p95: quantile(delays, 0.95),
          requests: mean(group.map(({ requests }) => requests)),
        };
      },
    );
  } finally {
    await simulator.close();
  }
}

/** The longest first, so that they take no time of their own; contenders by turns. */
function plan({ seconds, runs, longRuns, mixRuns, longestMix }: LatencyOptions): Task[] {
  const works = seconds.flatMap((about) => {
    const random = seeded(about * 1000);
    return Array.from({ length: about < 30 ? runs : longRuns }, () => ({
      point: `${about} s`,
      seconds: about,
      work: drawAbout(random, about),
    }));
  });
  const random = seeded(7);
  const mix: Work[] = [];
  while (mix.length < mixRuns) {
    const work = drawWork(random);
    if (Math.max(...work.ends) <= longestMix) mix.push(work);
  }
  const all = [...works, ...mix.map((work) => ({ point: 'mix', seconds: undefined, work }))];
  return all
    .sort((one, other) => Math.max(...other.work.ends) - Math.max(...one.work.ends))
    .flatMap((task) => contenders.map((contender) => ({ ...task, contender })));
}

async function run(simulator: Simulator, task: Task) {
  const { work, contender, point } = task;
  const job = startWork(simulator, work);
  const longest = Math.max(...work.ends) * 1000;
  const ended = await contender.run(job, { killAfterMs: longest + 60_000 });
  if (!ended.green) throw new Error(`${contender.name} failed at ${point}:\n${ended.words}`);
  const requests = simulator.requests.filter(({ path }) => path.includes(job.projectId)).length;
  return { task, delay: (ended.exitedAt - Math.max(job.endsAt, ended.spawnedAt)) / 1000, requests };
}
