import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node24, repository } from '../harness/paths.ts';
import { runProcess } from '../harness/process.ts';
import { runMain } from '../harness/run-step.ts';
import type { Job } from './service.ts';

/** How a contender's process ended. */
export interface Ended {
  /** It said that all operations had finished. */
  readonly green: boolean;
  /** Milliseconds since 1970. */
  readonly spawnedAt: number;
  readonly exitedAt: number;
  /** With `measure`, of Node processes only. */
  readonly cpuMs?: number | undefined;
  readonly maxRssKb?: number | undefined;
  readonly words: string;
}

export interface RunOptions {
  /** After this many milliseconds the process is killed and counts as not green. */
  readonly killAfterMs: number;
  readonly measure?: boolean;
}

/** Something that waits for operations, as a process of its own. */
export interface Contender {
  readonly name: string;
  run(job: Job, options: RunOptions): Promise<Ended>;
}

const rivals = join(repository, 'bench/rivals');
const has = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** Whether the loops are curl, jq and bash, or a Node script that does the same. */
export const shellLoops: boolean = process.platform !== 'win32' && has('curl') && has('jq');

export const action: Contender = {
  name: 'this action',
  async run({ simulator, operations }, options) {
    const times = { spawnedAt: 0, exitedAt: 0 };
    const result = await runMain({
      inputs: {
        mode: 'wait-operations',
        'api-key': simulator.apiKey,
        'base-url': simulator.baseUrl,
        'operations-file': 'operations.json',
      },
      workspaceFiles: { 'operations.json': JSON.stringify({ operations }) },
      onSpawn: watch(times),
      ...options,
    });
    const cpuMs = (result.userCpuMs ?? Number.NaN) + (result.systemCpuMs ?? Number.NaN);
    const { maxRssKb, succeeded } = result;
    return { green: succeeded, ...times, cpuMs, maxRssKb, words: result.log.slice(-3).join('\n') };
  },
};

export const sdk: Contender = {
  name: 'SDK',
  run: (job, options) => rival(job, options, node24(), ['sdk.mjs'], {}),
};

export const loop = (seconds: number): Contender => ({
  name: `loop, ${seconds} s`,
  run: (job, { measure: _, ...options }) =>
    shellLoops
      ? rival(job, options, 'bash', ['-e', 'loop.sh'], { INTERVAL: String(seconds) })
      : rival(job, options, node24(), ['loop.mjs'], { INTERVAL: String(seconds) }),
});

export const contenders: readonly Contender[] = [action, sdk, loop(5), loop(1)];

async function rival(
  { simulator, projectId, operations }: Job,
  options: RunOptions,
  command: string,
  args: string[],
  env: Record<string, string>,
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'rival-'));
  const times = { spawnedAt: 0, exitedAt: 0 };
  try {
    const file = join(folder, 'operations.json');
    writeFileSync(file, JSON.stringify({ operations }));
    const ended = await runProcess({
      command,
      args: args.map((arg) => (arg.startsWith('-') ? arg : join(rivals, arg))),
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        BASE_URL: simulator.baseUrl,
        API_KEY: simulator.apiKey,
        PROJECT_ID: projectId,
        OPERATIONS: file,
        ...env,
      },
      onLine: () => {},
      onSpawn: watch(times),
      ...options,
    });
    const cpuMs = (ended.userCpuMs ?? Number.NaN) + (ended.systemCpuMs ?? Number.NaN);
    const { maxRssKb, stderr } = ended;
    return { green: ended.exitCode === 0, ...times, cpuMs, maxRssKb, words: stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Child = Parameters<NonNullable<Parameters<typeof runMain>[0]['onSpawn']>>[0];

function watch(times: { spawnedAt: number; exitedAt: number }): (child: Child) => void {
  return (child) => {
    times.spawnedAt = Date.now();
    child.once('exit', () => {
      times.exitedAt = Date.now();
    });
  };
}
