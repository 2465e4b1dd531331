/**
 * `npm run bench`: what a step costs, measured in one run on this machine against the simulator. Every figure stands beside
 * its aim; nothing is kept from earlier runs.
 */
import { spawnSync } from 'node:child_process';
import { node24 } from '../harness/paths.ts';
import { runMain, type StepOptions } from '../harness/run-step.ts';
import { type Simulator, startSimulator } from '../simulator/server.ts';
import { median, printTable } from './table.ts';

const STARTS = 15;
const OPERATIONS = [1, 10, 100, 1000, 10_000];
/** How long the operations of the scale runs take. */
const DURATION_MS = 4000;

const node = node24();
console.log(`Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}\n`);
await start();
await scale();

/** The whole step for one operation that has finished, beside the same Node doing nothing. */
async function start(): Promise<void> {
  const simulator = await startSimulator();
  const { id: projectId } = simulator.addProject();
  const operation = simulator.addOperation({
    projectId,
    action: 'create_branch',
    status: 'finished',
  });
  const inputs = { 'project-id': projectId, 'operation-ids': operation.id };
  const given = { operations: JSON.stringify([operation]) };
  const bare: number[] = [];
  const asked: number[] = [];
  const known: number[] = [];
  // By turns, so that a machine that slows down slows all of them.
  for (let turn = 0; turn < STARTS; turn += 1) {
    bare.push(bareNode());
    asked.push((await finishedStep(simulator, { inputs })).durationMs);
    known.push((await finishedStep(simulator, { inputs: given })).durationMs);
  }
  await simulator.close();
  const base = median(bare);
  console.log(
    `The whole step for one finished operation, median of ${STARTS} (aim: within 3 times)\n`,
  );
  const row = (what: string, times: number[]): string[] => {
    const ms = median(times);
    return [what, `${ms.toFixed(0)} ms`, `${(ms / base).toFixed(2)} ×`];
  };
  printTable(
    ['process', 'time', 'to bare Node'],
    [
      row('node -e 0', bare),
      row('step, operation given as JSON (no request)', known),
      row('step, operation given by id (one request)', asked),
    ],
  );
}

function bareNode(): number {
  const begin = performance.now();
  const { status } = spawnSync(node, ['-e', '0']);
  if (status !== 0) throw new Error('bare Node failed');
  return performance.now() - begin;
}

/** Requests, latency, processor time and memory by the number of operations of one project. */
async function scale(): Promise<void> {
  const rows: string[][] = [];
  for (const count of OPERATIONS) rows.push(await scaleRow(count));
  console.log(
    `\nOperations of one project that all end after ${DURATION_MS / 1000} s, given as a file`,
  );
  console.log('(aims: at most 11 requests a look for 1,000; at most 200 MiB for 10,000)\n');
  printTable(
    ['operations', 'requests a look', 'requests', 'end to end of step', 'CPU', 'peak memory'],
    rows,
  );
}

async function scaleRow(count: number): Promise<string[]> {
  const simulator = await startSimulator();
  const { id: projectId } = simulator.addProject();
  const body = (): string => {
    const now = Date.now();
    const operations = Array.from({ length: count }, (_, index) =>
      simulator.addOperation({
        projectId,
        action: 'apply_config',
        createdAt: now - index,
        schedulingMs: 0,
        runningMs: DURATION_MS + index,
      }),
    );
    return JSON.stringify({ operations });
  };
  const oneLook = await step(simulator, {
    inputs: { 'operations-file': 'all.json', timeout: '0' },
    workspaceFiles: { 'all.json': body() },
  });
  const all = body();
  const endsAt = Date.now() + DURATION_MS;
  let exitedAt = 0;
  const run = await finishedStep(simulator, {
    inputs: { 'operations-file': 'all.json' },
    workspaceFiles: { 'all.json': all },
    measure: true,
    onSpawn: (child) => {
      child.once('exit', () => {
        exitedAt = Date.now();
      });
    },
  });
  await simulator.close();
  const cpu = (run.userCpuMs ?? Number.NaN) + (run.systemCpuMs ?? Number.NaN);
  return [
    count.toLocaleString('en-US'),
    oneLook.outputs.requests ?? '?',
    run.outputs.requests ?? '?',
    `${((exitedAt - endsAt) / 1000).toFixed(1)} s`,
    `${(cpu / 1000).toFixed(2)} s`,
    `${((run.maxRssKb ?? Number.NaN) / 1024).toFixed(0)} MiB`,
  ];
}

function step(simulator: Simulator, options: StepOptions) {
  const { inputs, ...rest } = options;
  return runMain({
    inputs: {
      mode: 'wait-operations',
      'api-key': simulator.apiKey,
      'base-url': simulator.baseUrl,
      ...inputs,
    },
    ...rest,
  });
}

/** A figure of a step that did not do its work would be worth nothing. */
async function finishedStep(simulator: Simulator, options: StepOptions) {
  const result = await step(simulator, options);
  if (result.outputs.result !== 'finished') {
    throw new Error(`The step ended as ${result.outputs.result}:\n${result.log.join('\n')}`);
  }
  return result;
}
