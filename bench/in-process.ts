import { runAction } from '../src/action.ts';
import { systemClock } from '../src/clock.ts';
import { createHttp } from '../src/control-api/http.ts';
import type { Runner } from '../src/runner/runner.ts';
import type { Job } from './service.ts';

/** Whether a contender called the work finished; `undefined`: it had not decided when it was told to stop. */
export type Verdict = boolean | undefined;

/** A contender without a process of its own, for hundreds at once on one machine. Each has its own connections. */
export interface InProcess {
  readonly name: string;
  run(job: Job, signal: AbortSignal): Promise<Verdict>;
}

// The rivals are plain scripts without types, and the SDK is installed for this benchmark alone.
const { waitInLoop } = await import(new URL('rivals/loop.mjs', import.meta.url).href);
const { waitWithSdk } = await import(new URL('rivals/sdk.mjs', import.meta.url).href);

/** The action, the SDK and the loops, as they are in their processes. */
export const inProcess: readonly InProcess[] = [
  { name: 'this action', run: runActionHere },
  {
    name: 'SDK',
    run: ({ simulator, operations }, signal) =>
      until(signal, waitWithSdk(simulator.baseUrl, simulator.apiKey, operations)),
  },
  ...[5, 1].map((seconds) => ({
    name: `loop, ${seconds} s`,
    run: ({ simulator, projectId, operations }: Job, signal: AbortSignal) => {
      const ids = operations.map(({ id }) => id);
      const { baseUrl, apiKey } = simulator;
      return until(signal, waitInLoop(baseUrl, apiKey, projectId, ids, seconds * 1000, signal));
    },
  })),
];

async function until(signal: AbortSignal, ended: Promise<{ finished: boolean }>): Promise<Verdict> {
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const decided = ended.then(
    ({ finished }) => finished,
    () => (signal.aborted ? undefined : false),
  );
  return Promise.race([decided, stopped]);
}

/** The whole action, with its defaults, save for the process and the runner's files. */
async function runActionHere(job: Job, signal: AbortSignal): Promise<Verdict> {
  const runner = silentRunner(job, signal);
  const world = { clock: systemClock, random: Math.random, createHttp };
  const succeeded = await runAction({ ...world, runner });
  return signal.aborted ? undefined : succeeded;
}

function silentRunner({ simulator, operations }: Job, cancelled: AbortSignal): Runner {
  const inputs: Record<string, string> = {
    mode: 'wait-operations',
    'api-key': simulator.apiKey,
    'base-url': simulator.baseUrl,
    operations: JSON.stringify({ operations }),
  };
  const nothing = (): void => {};
  return {
    isPost: false,
    cancelled,
    repository: 'octo-org/octo-repo',
    gitHubApiUrl: '',
    input: (name) => inputs[name] ?? '',
    readFile: () => Buffer.alloc(0),
    log: { info: nothing, group: nothing, debug: nothing, warning: nothing, error: nothing },
    mask: nothing,
    setOutputs: nothing,
    setSecretOutput: nothing,
    saveSecretState: nothing,
    secretState: () => '',
    writeSummary: () => Promise.resolve(),
    fail: nothing,
    onBreakdown: nothing,
    createFile: () => {
      throw new Error('no file is written here');
    },
  };
}
