import type { Runner } from './runner.ts';

/** What the guard runs; loaded when it already stands guard. */
export interface Program {
  /**
   * @param cancelled aborts when the runner asks the step to stop
   * @param onBreakdown takes what sets the outputs when the process ends in a way that nobody foresaw
   */
  createRunner(cancelled: AbortSignal, onBreakdown: Runner['onBreakdown']): Runner;
  /** Resolves to whether the step succeeded. */
  run(runner: Runner): Promise<boolean>;
}

/** A step that is done and does not end by itself is ended after this, so that a cancelled one ends within a second. */
const LINGER_MS = 200;
/** Requests to the threads behind the event loop: lookups of names, and files. */
const ON_A_THREAD = /^(GetAddrInfo|GetNameInfo|FS)Req/;

/**
 * Runs the step closed until proven open: the process fails unless the program came to its end and said that it succeeded.
 * A promise that never settles, an event loop that runs dry, an exception in a callback and a rejection that nobody handles
 * are failures.
 */
export function guard(load: () => Promise<{ program: Program }>): void {
  const cancellation = new AbortController();
  let runner: Runner | undefined;
  let setOutputs = (): void => {};
  /** The program came to its end. */
  let ended = false;
  let broken = false;
  process.exitCode = 1;

  const breakDown = (what: string, error?: unknown): void => {
    process.exitCode = 1;
    if (broken) return;
    broken = true;
    const why = error instanceof Error ? `: ${error.message}` : '';
    const message = `The step broke off: ${what}${why}. Nothing is proven, so it fails. Please report this.`;
    if (runner === undefined) {
      // Nothing but this file is loaded, and nothing from outside is in the message.
      process.stdout.write(`::error title=Broke off::${message.replace(/\s+/g, ' ')}\n`);
      return;
    }
    runner.fail(message, { title: 'Broke off' });
    if (error instanceof Error) runner.log.debug(error.stack ?? error.message);
    setOutputs();
  };
  const crash = (error: unknown): void => {
    breakDown('an unexpected error', error);
    process.exit(1);
  };

  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  // Runs last in every case, also when the event loop ran dry while a promise was still pending.
  process.on('exit', () => {
    if (!ended) breakDown('it stopped before it was decided');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => cancellation.abort(new Error(`${signal} received`)));
  }

  const run = async (): Promise<boolean> => {
    const { program } = await load();
    runner = program.createRunner(cancellation.signal, (set) => {
      setOutputs = set;
    });
    return program.run(runner);
  };
  run().then((succeeded) => {
    if (broken) return;
    ended = true;
    if (succeeded) process.exitCode = 0;
    // Connections are closed by now. Whatever else keeps the loop alive must not keep the job waiting; what was printed
    // is written before the end.
    const leave = (): void => void process.stdout.write('', () => end());
    setTimeout(leave, LINGER_MS).unref();
  }, crash);
}

/**
 * Ends the process now. `process.exit` waits for the threads that look up host names, and a resolver that does not answer
 * keeps one of them for half a minute. A failed step does not wait for that: it becomes another program that only fails,
 * which keeps the exit code, or, where a process cannot (Windows), is ended from outside, which means 1 there.
 */
function end(): void {
  const isStuck = process.getActiveResourcesInfo().some((name) => ON_A_THREAD.test(name));
  if (process.exitCode === 0 || !isStuck) process.exit();
  if (process.execve === undefined || process.platform === 'win32') {
    process.kill(process.pid, 'SIGKILL');
    return;
  }
  process.execve(process.execPath, [process.execPath, '--eval', 'process.exit(1)'], {});
}
