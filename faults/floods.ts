import pMap from 'p-map';
import type { StepResult } from '../harness/run-step.ts';
import { quickClock } from '../simulator/clock.ts';
import { type Simulator, startSimulator } from '../simulator/server.ts';
import { pollNaively } from './naive-poller.ts';
import { endedBadly, lapsed, leaksOf } from './plays.ts';

/** As in the field: an account's requests a minute, and those of one route a second. */
const RATE_LIMIT = { perMinute: 700, perSecond: 40, retryAfter: true };

interface Work {
  readonly name: string;
  /** Projects of each step. */
  readonly steps: number;
  readonly projects: number;
  /** Operations of each project. */
  readonly operations: number;
  /** How long each takes, in milliseconds. */
  readonly runningMs: number;
  readonly speed: number;
  /** Processes that start at once. */
  readonly atOnce: number;
}

export const FLOODS: readonly Work[] = [
  {
    name: '100 steps at once, 3 operations each',
    steps: 100,
    projects: 1,
    operations: 3,
    runningMs: 45_000,
    speed: 1,
    atOnce: 100,
  },
  {
    name: '256 projects in one step',
    steps: 1,
    projects: 256,
    operations: 1,
    runningMs: 30_000,
    speed: 8,
    atOnce: 1,
  },
  {
    name: '10,000 operations in one step',
    steps: 1,
    projects: 1,
    operations: 10_000,
    runningMs: 20_000,
    speed: 4,
    atOnce: 1,
  },
];

export interface Side {
  readonly green: number;
  readonly requests: number;
  readonly limited: number;
  /** From the end of the last operation to the end of the last step, in seconds of the work's own time. */
  readonly lateS: number;
}

export interface FloodResult {
  readonly work: Work;
  readonly action: Side;
  readonly naive: Side;
  /** Broken promises; empty is good. */
  readonly broken: readonly string[];
}

/** Runs the same work with the action and with a naive poller, each against a service of its own. */
export async function flood(work: Work): Promise<FloodResult> {
  const broken: string[] = [];
  const action = await side(work, async (simulator, jobs) => {
    const results = await pMap(jobs, (operations) => step(simulator, work, operations), {
      concurrency: work.atOnce,
    });
    for (const one of results) {
      broken.push(...leaksOf(one, [simulator.apiKey]), ...endedBadly(one));
      if (!one.succeeded) broken.push(one.annotations.map(({ message }) => message).join(' '));
    }
    return results.map(({ succeeded }) => succeeded);
  });
  const naive = await side(work, async ({ baseUrl, apiKey }, jobs) => {
    const order = { baseUrl, apiKey, speed: work.speed };
    const results = await Promise.all(
      jobs.map((operations) => pollNaively({ ...order, operations })),
    );
    return results.map(({ green }) => green);
  });
  if (action.green !== work.steps) broken.push(`${work.steps - action.green} steps are red`);
  return { work, action, naive, broken };
}

type Job = readonly ReturnType<Simulator['addOperation']>[];

async function side(
  { steps, projects, operations, runningMs, speed }: Work,
  run: (simulator: Simulator, jobs: readonly Job[]) => Promise<readonly boolean[]>,
): Promise<Side> {
  const clock = quickClock(speed);
  const simulator = await startSimulator({ clock, rateLimit: RATE_LIMIT });
  simulator.faults.add({ before: () => clock.run() });
  const endsAt = clock.now() + runningMs;
  const jobs = Array.from({ length: steps }, () =>
    Array.from({ length: projects }, () => simulator.addProject()).flatMap(({ id: projectId }) =>
      Array.from({ length: operations }, (_, index) =>
        simulator.addOperation({
          projectId,
          action: 'apply_config',
          createdAt: clock.now() - index,
          schedulingMs: 0,
          runningMs: runningMs + index,
        }),
      ),
    ),
  );
  try {
    const green = await run(simulator, jobs);
    return {
      green: green.filter(Boolean).length,
      requests: simulator.requests.length,
      limited: simulator.requests.filter(({ status }) => status === 429).length,
      lateS: (clock.now() - endsAt) / 1000,
    };
  } finally {
    await simulator.close();
  }
}

function step(simulator: Simulator, { speed }: Work, operations: Job): Promise<StepResult> {
  return lapsed(
    speed,
    {
      mode: 'wait-operations',
      'api-key': simulator.apiKey,
      'base-url': simulator.baseUrl,
      'operations-file': 'all.json',
      timeout: '10m',
    },
    {
      killAfterMs: 240_000,
      workspaceFiles: { 'all.json': JSON.stringify({ operations }) },
    },
  );
}
