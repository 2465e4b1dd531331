import { FakeClock } from '../__tests__/support/fake-clock.ts';
import { quickClock } from '../simulator/clock.ts';
import { startSimulator } from '../simulator/server.ts';
import { ControlApi } from '../src/control-api/client.ts';
import { type Http, HttpFault } from '../src/control-api/http.ts';
import { ServiceClock } from '../src/control-api/service-clock.ts';
import { Throttle } from '../src/control-api/throttle.ts';
import { Secret } from '../src/secret.ts';
import type { WaitReport } from '../src/wait-operations/report.ts';
import { Wait } from '../src/wait-operations/wait.ts';
import { endedBadly, lapsed, leaksOf } from './plays.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const POLL_MS = 5000;
const TIMEOUT_MS = 7 * HOUR;

/** What happens in a long wait, in milliseconds from its begin. */
export interface Course {
  readonly endsAt: number;
  readonly outage?: { readonly from: number; readonly to: number };
  readonly revokedAt?: number;
  /** The runner's clock jumps by so much at that moment. */
  readonly jump?: { readonly at: number; readonly by: number };
}

export interface LongWait {
  readonly report: WaitReport;
  /** When each request was sent. */
  readonly asked: readonly number[];
  /** Milliseconds that the clock that was handed in moved on. */
  readonly elapsedMs: number;
  /** Bytes in use after each hour; empty where the collector cannot be called. */
  readonly heap: readonly number[];
  /** Timers left behind. */
  readonly timers: number;
}

/** A wait of hours in moments: the action's own code, with a clock and a service handed in. */
export async function waitLong(course: Course): Promise<LongWait> {
  const clock = new FakeClock();
  const begin = clock.monotonic();
  const wallAtBegin = clock.wall();
  const asked: number[] = [];
  const heap: number[] = [];
  const now = (): number => clock.monotonic() - begin;
  const http: Http = {
    exchange: async () => {
      const at = now();
      asked.push(at);
      if (heap.length < Math.floor(at / HOUR) && globalThis.gc) {
        globalThis.gc();
        heap.push(process.memoryUsage().heapUsed);
      }
      if (course.outage && at >= course.outage.from && at < course.outage.to)
        throw new HttpFault('network', 'the connection was cut (ECONNRESET)', true);
      const headers = { date: new Date(wallAtBegin + at).toUTCString() };
      if (course.revokedAt !== undefined && at >= course.revokedAt)
        return { status: 401, headers, body: '{"message":"key revoked"}' };
      return { status: 200, headers, body: JSON.stringify({ operation: operationAt(at) }) };
    },
    close: () => {},
  };
  const operationAt = (at: number) => ({
    id: 'o1',
    project_id: 'p1',
    action: 'create_branch',
    status: at >= course.endsAt ? 'finished' : 'running',
    created_at: new Date(wallAtBegin).toISOString(),
    updated_at: new Date(wallAtBegin + Math.min(at, course.endsAt)).toISOString(),
  });
  const { jump } = course;
  if (jump) clock.timer(jump.at, () => clock.setWall(clock.wall() + jump.by));
  const serviceClock = new ServiceClock(clock);
  const parts = { clock, serviceClock, random: Math.random };
  const api = new ControlApi({
    ...parts,
    baseUrl: 'https://service.example/api/v2',
    apiKey: new Secret('a-key-of-a-long-wait'),
    requestTimeoutMs: 30_000,
    maxRetries: 5,
    http,
    throttle: new Throttle(clock),
    onRetry: () => {},
  });
  const wait = new Wait(
    {
      selection: { kind: 'given', operations: [{ projectId: 'p1', id: 'o1' }] },
      pollIntervalMs: POLL_MS,
      timeoutMs: TIMEOUT_MS,
      failFast: true,
      failedGraceMs: 0,
      requestTimeoutMs: 30_000,
    },
    { ...parts, api, observe: () => {} },
  );
  const report = await clock.advanceUntil(wait.run(new AbortController().signal));
  return { report, asked, elapsedMs: now(), heap, timers: clock.pending };
}

export interface LongResult {
  readonly name: string;
  readonly result: string;
  readonly requests: number;
  readonly facts: string;
  readonly broken: readonly string[];
}

/** Every long wait of the suite. */
export async function longWaits(): Promise<readonly LongResult[]> {
  return [await sixHours(), await revokedHalfWay(), await bundleForSixHours()];
}

async function sixHours(): Promise<LongResult> {
  const endsAt = 6 * HOUR;
  const { report, asked, elapsedMs, heap, timers } = await waitLong({
    endsAt,
    outage: { from: 2 * HOUR, to: 2 * HOUR + 10 * MINUTE },
    jump: { at: 3 * HOUR, by: -5 * HOUR },
  });
  const broken: string[] = [];
  const lateMs = elapsedMs - endsAt;
  if (report.result !== 'finished') broken.push(report.message);
  if (lateMs > 1.2 * POLL_MS) broken.push(`it ended ${lateMs} ms late`);
  if (Math.abs(report.elapsedMs - elapsedMs) > 1) broken.push('its own clock has drifted');
  if (timers > 0) broken.push(`${timers} timers are left`);
  const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  if (Math.max(...gaps) > 30_000) broken.push(`nobody asked for ${Math.max(...gaps)} ms`);
  const growth = (heap.at(-1) ?? Number.NaN) - (heap[0] ?? Number.NaN);
  if (heap.length > 1 && growth > 1024 * 1024) broken.push(`memory grew by ${growth} bytes`);
  const memory =
    heap.length > 1
      ? `, heap ${(growth / 1024).toFixed(0)} KiB more after the last hour than after the first`
      : '';
  return {
    name: 'six hours, ten minutes of outage, the runner’s clock set back by five hours',
    result: report.result,
    requests: asked.length,
    facts: `seen ${(lateMs / 1000).toFixed(1)} s after the end${memory}`,
    broken,
  };
}

async function revokedHalfWay(): Promise<LongResult> {
  const revokedAt = 3 * HOUR;
  const { report, asked, elapsedMs } = await waitLong({ endsAt: 6 * HOUR, revokedAt });
  const broken: string[] = [];
  if (report.title !== 'Wrong API key') broken.push(report.message);
  const afterMs = elapsedMs - revokedAt;
  if (afterMs > 1.2 * POLL_MS) broken.push(`it went on for ${afterMs} ms`);
  if (asked.filter((at) => at >= revokedAt).length !== 1) broken.push('it asked again');
  return {
    name: 'six hours, the key revoked after three',
    result: `${report.result} (${report.title})`,
    requests: asked.length,
    facts: `ended ${(afterMs / 1000).toFixed(1)} s after the key, with the first 401`,
    broken,
  };
}

/** Seconds of a wait for each second of this run. */
const SPEED = 900;
const MOST_MORE_KB = 64 * 1024;

/** The committed bundle, its time lapsed; against the same bundle in a wait of a minute. */
async function bundleForSixHours(): Promise<LongResult> {
  const short = await bundleRun(MINUTE);
  const { step, requests, apiKey } = await bundleRun(6 * HOUR);
  const broken = [...leaksOf(step, [apiKey]), ...endedBadly(step)];
  if (!step.succeeded) broken.push(step.annotations.map(({ message }) => message).join(' '));
  const more = (step.maxRssKb ?? Number.NaN) - (short.step.maxRssKb ?? Number.NaN);
  if (!(more < MOST_MORE_KB)) broken.push(`it took ${more} KiB more than a short wait`);
  return {
    name: `six hours of the bundle at ${SPEED} times its speed, ten minutes of outage`,
    result: step.outputs.result ?? '',
    requests,
    facts: `${(more / 1024).toFixed(0)} MiB more at its peak than a wait of a minute`,
    broken,
  };
}

async function bundleRun(runningMs: number) {
  const clock = quickClock(SPEED);
  const simulator = await startSimulator({ clock });
  const { id: projectId } = simulator.addProject();
  const { id } = simulator.addOperation({
    projectId,
    action: 'create_branch',
    schedulingMs: 0,
    runningMs,
  });
  const begin = clock.now();
  simulator.faults.add({ before: () => clock.run() });
  let handle: { remove(): void } | undefined;
  simulator.faults.add({
    before: () => {
      const at = clock.now() - begin;
      const isOut = at > 2 * HOUR && at < 2 * HOUR + 10 * MINUTE;
      if (isOut && !handle) handle = simulator.faults.add({ fault: { kind: 'reset' } });
      if (!isOut && handle) {
        handle.remove();
        handle = undefined;
      }
    },
  });
  try {
    const step = await lapsed(
      SPEED,
      {
        mode: 'wait-operations',
        'api-key': simulator.apiKey,
        'base-url': simulator.baseUrl,
        'project-id': projectId,
        'operation-ids': id,
        timeout: '7h',
        'request-timeout': '30m',
      },
      { measure: true, killAfterMs: 120_000 },
    );
    return { step, requests: simulator.requests.length, apiKey: simulator.apiKey };
  } finally {
    await simulator.close();
  }
}
