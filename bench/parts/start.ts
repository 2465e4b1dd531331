import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { certificate } from '../../__tests__/simulator/certificate.ts';
import { node24 } from '../../harness/paths.ts';
import { runProcess } from '../../harness/process.ts';
import { type PhaseResult, runMain, type StepOptions } from '../../harness/run-step.ts';
import { type Simulator, startSimulator } from '../../simulator/server.ts';
import { bareNode } from '../bare-node.ts';
import { median } from '../statistics.ts';
import { rotationOf } from './rotation.ts';

export interface StartOptions {
  readonly turns: number;
  /** Bundles of other actions, to be started without inputs. */
  readonly against: readonly string[];
}

export interface StartFigures {
  readonly what: string;
  readonly ms: number;
  readonly toBareNode: number;
  /** Milliseconds from the start of the process to the arrival of its first request. */
  readonly firstRequestMs?: number | undefined;
  readonly peakMiB?: number | undefined;
}

export interface BytesFigures {
  readonly mode: string;
  readonly files: number;
  readonly bytes: number;
}

/** One way of starting a process: its milliseconds, and those to its first request. */
interface Starter {
  readonly what: string;
  run(measure: boolean): Promise<Start>;
}

interface Start {
  readonly ms: number;
  readonly firstRequestMs?: number | undefined;
  readonly maxRssKb?: number | undefined;
}

/** Whole steps for work that is done already, beside the same Node doing nothing; by turns, so that all have the same weather. */
export async function measureStart({ turns, against }: StartOptions): Promise<StartFigures[]> {
  const plain = await startSimulator();
  const secure = await startSimulator({ tls: certificate });
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, certificate.cert);
  try {
    const starters: Starter[] = [
      { what: '`node -e 0`', run: async () => ({ ms: bareNode() }) },
      finished('the step, operation given as JSON: no request', plain, 'body'),
      finished('the step, operation given by id: one request', plain, 'id'),
      finished('the same over TLS', secure, 'id', { NODE_EXTRA_CA_CERTS: authority }),
      ...against.map(other),
    ];
    const starts = new Map<Starter, Start[]>(starters.map((starter) => [starter, []]));
    for (const starter of starters) await starter.run(false);
    for (let turn = 0; turn < turns; turn += 1) {
      for (const starter of starters) starts.get(starter)?.push(await starter.run(false));
    }
    const ms = (starter: Starter | undefined): number =>
      median((starter && starts.get(starter)?.map((start) => start.ms)) ?? []);
    const figures: StartFigures[] = [];
    for (const starter of starters) {
      const firsts = (starts.get(starter) ?? []).flatMap(
        ({ firstRequestMs }) => firstRequestMs ?? [],
      );
      // Measuring memory loads a module more: in a run of its own.
      const { maxRssKb } = await starter.run(true);
      figures.push({
        what: starter.what,
        ms: ms(starter),
        toBareNode: ms(starter) / ms(starters[0]),
        firstRequestMs: firsts.length === 0 ? undefined : median(firsts),
        peakMiB: maxRssKb === undefined ? undefined : maxRssKb / 1024,
      });
    }
    return figures;
  } finally {
    await Promise.all([plain.close(), secure.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function finished(
  what: string,
  simulator: Simulator,
  given: 'id' | 'body',
  env: Record<string, string> = {},
): Starter {
  const options = finishedStep(simulator, given, env);
  return {
    what,
    async run(measure) {
      let spawnedAt = 0;
      simulator.requests.length = 0;
      const step = await runMain({
        ...options,
        measure,
        onSpawn: () => {
          spawnedAt = performance.timeOrigin + performance.now();
        },
      });
      if (step.outputs.result !== 'finished') throw new Error(step.log.join('\n'));
      const first = simulator.requests[0]?.realTime;
      return {
        ms: step.durationMs,
        firstRequestMs: first === undefined ? undefined : first - spawnedAt,
        maxRssKb: step.maxRssKb,
      };
    },
  };
}

function finishedStep(
  simulator: Simulator,
  given: 'id' | 'body',
  env: Record<string, string> = {},
): StepOptions {
  const { id: projectId } = simulator.addProject();
  const operation = simulator.addOperation({
    projectId,
    action: 'create_branch',
    status: 'finished',
  });
  return {
    inputs: {
      mode: 'wait-operations',
      'api-key': simulator.apiKey,
      'base-url': simulator.baseUrl,
      ...(given === 'id'
        ? { 'project-id': projectId, 'operation-ids': operation.id }
        : { operations: JSON.stringify([operation]) }),
    },
    env,
  };
}

/** Another action's bundle, which finds no inputs and gives up: what it costs to load it. */
function other(path: string): Starter {
  const what = `\`${[basename(dirname(dirname(path))), basename(dirname(path)), basename(path)].join('/')}\`, without inputs`;
  return {
    what,
    async run(measure) {
      const { durationMs, maxRssKb } = await runProcess({
        command: node24(),
        args: [path],
        cwd: dirname(path),
        env: { PATH: process.env.PATH ?? '', GITHUB_REPOSITORY: 'octo-org/octo-repo' },
        killAfterMs: 20_000,
        onLine: () => {},
        measure,
      });
      return { ms: durationMs, maxRssKb };
    },
  };
}

/** The files of `dist/` that each mode reads. */
export async function measureBytes(): Promise<BytesFigures[]> {
  const simulator = await startSimulator();
  try {
    const common = { 'api-key': simulator.apiKey, 'base-url': simulator.baseUrl };
    const modes: [string, StepOptions][] = [
      ['wait-operations', finishedStep(simulator, 'id')],
      ['list-projects', { inputs: { ...common, mode: 'list-projects' } }],
      ['rotate-key', { inputs: { ...common, mode: 'rotate-key', 'key-name': 'bench' } }],
      ['rotate-key with `secret-name`', rotationOf(simulator, 1)],
    ];
    const figures: BytesFigures[] = [];
    for (const [mode, options] of modes) figures.push({ mode, ...(await filesRead(options)) });
    return figures;
  } finally {
    await simulator.close();
  }
}

// The names of all modules that were loaded, told at the end; the bundle is CommonJS.
const TELL = `data:text/javascript,${encodeURIComponent(
  "import{createRequire}from'node:module';const r=createRequire(process.cwd()+'/x.js');" +
    "process.on('exit',()=>console.log('loaded '+JSON.stringify(Object.keys(r.cache))))",
)}`;

async function filesRead(options: StepOptions): Promise<{ files: number; bytes: number }> {
  const { stdout }: PhaseResult = await runMain({ ...options, nodeArgs: ['--import', TELL] });
  const files: string[] = JSON.parse(/^loaded (.*)$/m.exec(stdout)?.[1] ?? '[]');
  if (files.length === 0) throw new Error(`No file was read:\n${stdout}`);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { files: files.length, bytes };
}
