import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { LineSplitter } from './commands.ts';

/** Milliseconds after the start, or what a line of output must fulfil. */
export type CancelAfter = number | ((line: string) => boolean);

/** A signal, and when to send it. */
export interface SignalAfter {
  signal: NodeJS.Signals;
  when: CancelAfter;
}

export interface ProcessOptions {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** After this many milliseconds the process is killed and called hung. */
  killAfterMs: number;
  /** Called with each line of either stream, in the order in which they arrive. */
  onLine: (line: string, stream: 'stdout' | 'stderr') => void;
  signalAfter?: SignalAfter;
  cancelAfter?: CancelAfter;
  onSpawn?: (child: ChildProcess) => void;
  measure?: boolean;
}

export interface EndedProcess {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  hung: boolean;
  cancelled: boolean;
  durationMs: number;
  stdout: string;
  stderr: string;
  maxRssKb?: number;
  userCpuMs?: number;
  systemCpuMs?: number;
}

/** The runner's patience with a cancelled step. */
const cancellation = { sigtermAfterMs: 7_500, killAfterMs: 10_000 };

/** A process that has ended may leave its pipes to children; the runner waits this long for them. */
const pipesMs = 5_000;

// As text in a URL, because a file would need a place in the tree that Node's loader can reach from anywhere. On Linux
// `maxRSS` begins with that of the process that forked this one, here a test with a simulator in it: VmHWM is its own.
const meter = `data:text/javascript,${encodeURIComponent(
  "import{readFileSync,writeSync}from'node:fs';process.on('exit',()=>{const u=process.resourceUsage();" +
    "let m=u.maxRSS;try{m=+/VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status','utf8'))[1]}catch{}" +
    'writeSync(3,JSON.stringify([m,u.userCPUTime,u.systemCPUTime]))})',
)}`;

/** Runs a process to its end. Rejects only if it cannot be started. */
export async function runProcess(options: ProcessOptions): Promise<EndedProcess> {
  const started = process.hrtime.bigint();
  const args = options.measure ? ['--import', meter, ...options.args] : options.args;
  const child = spawn(options.command, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe', options.measure ? 'pipe' : 'ignore'],
    windowsHide: true,
  });
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, action: () => void) => timers.push(setTimeout(action, ms));
  let hung = false;
  let cancelled = false;

  const triggers: ((line: string) => void)[] = [];
  const when = (moment: CancelAfter, action: () => void) => {
    if (typeof moment === 'number') {
      after(moment, action);
      return;
    }
    let done = false;
    triggers.push((line) => {
      if (done || !moment(line)) return;
      done = true;
      action();
    });
  };
  if (options.signalAfter) {
    const { signal, when: moment } = options.signalAfter;
    when(moment, () => child.kill(signal));
  }
  if (options.cancelAfter !== undefined) {
    when(options.cancelAfter, () => {
      cancelled = true;
      child.kill('SIGINT');
      after(cancellation.sigtermAfterMs, () => child.kill('SIGTERM'));
      after(cancellation.killAfterMs, () => child.kill('SIGKILL'));
    });
  }

  const onLine = (line: string, stream: 'stdout' | 'stderr') => {
    options.onLine(line, stream);
    for (const trigger of triggers) trigger(line);
  };
  const stdout = collect(child.stdout as Readable, (line) => onLine(line, 'stdout'));
  const stderr = collect(child.stderr as Readable, (line) => onLine(line, 'stderr'));
  const usage = options.measure ? collect(child.stdio[3] as Readable, () => {}) : undefined;

  try {
    const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(
      (resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code, killedBy) => resolve([code, killedBy]));
        child.once('exit', () =>
          after(pipesMs, () => {
            for (const stream of [child.stdout, child.stderr, child.stdio[3]]) stream?.destroy();
          }),
        );
        after(options.killAfterMs, () => {
          hung = true;
          child.kill('SIGKILL');
        });
        options.onSpawn?.(child);
      },
    );
    const durationMs = Number(process.hrtime.bigint() - started) / 1e6;
    return {
      exitCode,
      signal,
      hung,
      cancelled,
      durationMs,
      stdout: stdout(),
      stderr: stderr(),
      ...resources(usage?.()),
    };
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

function collect(stream: Readable, onLine: (line: string) => void): () => string {
  const pieces: string[] = [];
  const splitter = new LineSplitter();
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => {
    pieces.push(piece);
    for (const line of splitter.push(piece)) onLine(line);
  });
  stream.once('close', () => {
    for (const line of splitter.end()) onLine(line);
  });
  return () => pieces.join('');
}

function resources(
  text: string | undefined,
): Pick<EndedProcess, 'maxRssKb' | 'userCpuMs' | 'systemCpuMs'> {
  if (!text) return {};
  const [maxRssKb, user, system] = JSON.parse(text) as [number, number, number];
  return { maxRssKb, userCpuMs: user / 1000, systemCpuMs: system / 1000 };
}
