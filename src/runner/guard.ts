import { createGitHubRunner } from './github.ts';
import type { Runner } from './runner.ts';

/** A step that is done and does not end by itself is ended after this. */
const LINGER_MS = 1000;

/**
 * Runs the step closed until proven open: the process fails unless `step` came to its end and said so. A promise that
 * never settles, an event loop that runs dry, an exception in a callback and a rejection that nobody handles are
 * failures.
 * @param step resolves to whether the step succeeded
 */
export function guard(step: (runner: Runner) => Promise<boolean>): void {
  const cancellation = new AbortController();
  let breakdown = (): void => {};
  let ended = false;
  process.exitCode = 1;

  const runner = createGitHubRunner(cancellation.signal, (setOutputs) => {
    breakdown = setOutputs;
  });

  const breakDown = (what: string, error?: unknown): void => {
    process.exitCode = 1;
    if (ended) return;
    ended = true;
    const why = error instanceof Error ? `: ${error.message}` : '';
    runner.fail(
      `The step broke off: ${what}${why}. Nothing is proven, so it fails. Please report this.`,
      {
        title: 'Broke off',
      },
    );
    if (error instanceof Error) runner.log.debug(error.stack ?? error.message);
    breakdown();
  };

  process.on('uncaughtException', (error) => {
    breakDown('an unexpected error', error);
    process.exit(1);
  });
  process.on('unhandledRejection', (error) => {
    breakDown('an unexpected error', error);
    process.exit(1);
  });
  // Runs last in every case, also when the event loop ran dry while a promise was still pending.
  process.on('exit', () => {
    if (!ended) breakDown('it stopped before it was decided');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => cancellation.abort(new Error(`${signal} received`)));
  }

  step(runner).then(
    (succeeded) => {
      if (ended) return;
      ended = true;
      if (succeeded) process.exitCode = 0;
      // Connections are closed by now. Whatever else keeps the loop alive must not keep the job waiting.
      setTimeout(() => process.exit(), LINGER_MS).unref();
    },
    (error) => {
      breakDown('an unexpected error', error);
      process.exit(1);
    },
  );
}
