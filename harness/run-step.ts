import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import {
  type ActionDefinition,
  effectiveInputs,
  inputVariable,
  readAction,
  unexpectedInputs,
} from './action-yml.ts';
import type { Command } from './commands.ts';
import { readNamedValues, readPaths, summaryError } from './files.ts';
import { type Annotation, StepLog } from './log.ts';
import { Masker } from './mask.ts';
import { node24, repository } from './paths.ts';
import { type CancelAfter, runProcess, type SignalAfter } from './process.ts';
import { type LeftFile, Sandbox } from './sandbox.ts';

export type { Command } from './commands.ts';
export type { Annotation } from './log.ts';
export { loggedAs } from './render.ts';

/** A step as a workflow would write it, and what a test wants to do to it. */
export interface StepOptions {
  /** As in `with:`. */
  inputs: Record<string, string>;
  /** As in `env:`. Replaces what the harness sets. */
  env?: Record<string, string>;
  /** The script to run, for main and post alike. Default: what `action.yml` names, in this repository. */
  entry?: string;
  /** Arguments for Node itself, for example `['--import', url]` to sabotage the process. */
  nodeArgs?: string[];
  /** Sends a signal after so many milliseconds, or once a line of output fulfils the condition. */
  signalAfter?: SignalAfter;
  /** Cancels as the runner does: SIGINT, 7.5 s later SIGTERM, 2.5 s later the process is killed. */
  cancelAfter?: CancelAfter;
  /** Called with the process as soon as it exists. */
  onSpawn?: (child: ChildProcess) => void;
  /** Files to create in the workspace, by relative path. */
  workspaceFiles?: Record<string, string | Uint8Array>;
  /** Whether step debugging is on: debug lines are shown and `RUNNER_DEBUG` is `1`. */
  debug?: boolean;
  /** The process is killed and called hung after this many milliseconds. Default: 60 000. */
  killAfterMs?: number;
  /** Secrets that the runner knows before the step, as it knows those of `${{ secrets.… }}`. */
  masks?: string[];
  /** Whether inputs that `action.yml` does not declare are warned of, as the runner does. Default: true. */
  warnUnknownInputs?: boolean;
  /** The action to play. Default: this repository's `action.yml`. */
  action?: ActionDefinition;
  /** What `${{ github.token }}` is. */
  githubToken?: string;
  /** As in the workflow: the job goes on, and its post steps run, although this step failed. */
  continueOnError?: boolean;
  /** Whether the rest of the job succeeds, which decides about the post step. Default: true. */
  jobSucceeds?: boolean;
  /** Whether to measure processor time and memory, with a small module loaded into the process. */
  measure?: boolean;
}

/** What one run of the process did. */
export interface PhaseResult {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Whether the harness had to kill it after `killAfterMs`. */
  hung: boolean;
  /** Whether `cancelAfter` cancelled it. */
  cancelled: boolean;
  durationMs: number;
  /** Raw: neither masked nor interpreted. */
  stdout: string;
  /** Raw: neither masked nor interpreted. */
  stderr: string;
  /** The log file's lines: commands interpreted, masked, issues as `##[error]…`, groups as `##[group]…`. */
  log: string[];
  /** What stands above the step's own lines in the log: `Run …` with its inputs, masked. */
  header: string[];
  /** Every command the runner executed, in order, also those the action did not mean to send. */
  commands: Command[];
  /** Masked, as GitHub shows them. */
  annotations: Annotation[];
  /** The values that this phase asked to mask, in order; not those that the runner knew before. */
  masks: string[];
  outputs: Record<string, string>;
  state: Record<string, string>;
  /** Masked, and empty if GitHub would have dropped it. */
  summary: string;
  /** Whether the runner would show a green step. */
  succeeded: boolean;
  /** Variables that the step set for the rest of the job. */
  environment: Record<string, string>;
  /** Folders that the step put on the path. */
  path: string[];
  /**
   * Raw content by name: `GITHUB_OUTPUT`, `GITHUB_STATE`, `GITHUB_ENV`, `GITHUB_PATH`, `GITHUB_STEP_SUMMARY`, and every
   * file left behind as `RUNNER_TEMP/…`, `GITHUB_WORKSPACE/…`, `HOME/…` or `TMPDIR/…`.
   */
  files: Record<string, string>;
  /** With `measure`, unless the process was killed. */
  maxRssKb?: number;
  userCpuMs?: number;
  systemCpuMs?: number;
}

/** What the post step takes over from main. */
export interface JobContext {
  root: string;
  left: LeftFile[];
  masker: Masker;
  environment: Record<string, string>;
  path: string[];
}

/** The result of main, and how to go on from there. */
export type MainResult = PhaseResult & { context: JobContext };

/** The result of main, and that of the post step if there was one. */
export interface StepResult extends PhaseResult {
  post?: PhaseResult;
}

/** Runs a step as GitHub's runner does: main, then, at the end of the job, the post step with the saved state. */
export async function runStep(options: StepOptions): Promise<StepResult> {
  const main = await runMain(options);
  const { context: _, ...result } = main;
  const { runs } = options.action ?? readAction();
  const jobSucceeded =
    (main.succeeded || options.continueOnError === true) && options.jobSucceeds !== false;
  if (runs.post === undefined || !postRuns(runs['post-if'], jobSucceeded)) return result;
  return { ...result, post: await runPost(options, main) };
}

/** Runs only the main part of a step. */
export async function runMain(options: StepOptions): Promise<MainResult> {
  const masker = new Masker();
  for (const secret of options.masks ?? []) masker.add(secret);
  masker.add(options.githubToken ?? defaultToken);
  return runPhase('main', options, {}, { masker, environment: {}, path: [] });
}

/** Runs only the post step, after a main that `runMain` ran, whether or not that succeeded. */
export async function runPost(options: StepOptions, main: MainResult): Promise<PhaseResult> {
  const { context: _, ...result } = await runPhase('post', options, main.state, main.context);
  return result;
}

const defaultToken = 'ghs_0000000000000000000000000000000000ab';

async function runPhase(
  phase: 'main' | 'post',
  options: StepOptions,
  state: Record<string, string>,
  job: Omit<JobContext, 'root' | 'left'> & Partial<JobContext>,
): Promise<MainResult> {
  const action = options.action ?? readAction();
  const script = phase === 'main' ? action.runs.main : (action.runs.post ?? action.runs.main);
  const entry = options.entry ?? join(repository, script);
  const sandbox = Sandbox.create(
    job.root === undefined ? undefined : { root: job.root, left: job.left ?? [] },
  );
  try {
    if (phase === 'main') {
      for (const [path, content] of Object.entries(options.workspaceFiles ?? {})) {
        sandbox.write(`GITHUB_WORKSPACE/${path}`, content);
      }
    }
    const environment = runnerEnvironment(sandbox, options, job);
    const inputs = effectiveInputs(action, options.inputs, contextsOf(environment, options));
    const log = new StepLog(job.masker, { debug: options.debug === true });
    const header =
      phase === 'main'
        ? runHeader(inputs, options.env ?? {}).flatMap((line) => log.masked(line))
        : ['Post job cleanup.'];
    const unexpected = unexpectedInputs(action, options.inputs);
    if (phase === 'main' && unexpected.length > 0 && options.warnUnknownInputs !== false) {
      log.issue('warning', unexpectedInputsMessage(unexpected, Object.keys(action.inputs)));
    }

    const ended = await runProcess({
      command: node24(),
      args: [...(options.nodeArgs ?? []), entry],
      cwd: sandbox.folder('GITHUB_WORKSPACE'),
      env: {
        ...environment,
        ...named(inputs, inputVariable),
        ...named(state, (name) => `STATE_${name}`),
      },
      killAfterMs: options.killAfterMs ?? 60_000,
      onLine: (line, stream) => log.line(line, stream),
      ...(options.signalAfter ? { signalAfter: options.signalAfter } : {}),
      ...(options.cancelAfter === undefined ? {} : { cancelAfter: options.cancelAfter }),
      ...(options.onSpawn ? { onSpawn: options.onSpawn } : {}),
      ...(options.measure ? { measure: true } : {}),
    });

    const environmentChanges: Record<string, string> = {};
    readCommandFile(sandbox, log, 'GITHUB_ENV', (name, value) => {
      // A step must not be able to load code into every later one.
      if (name.toUpperCase() === 'NODE_OPTIONS') {
        log.issue('error', `Can't store ${name} output parameter using '$GITHUB_ENV' command.`);
      } else {
        environmentChanges[name] = value;
      }
    });
    readCommandFile(sandbox, log, 'GITHUB_STATE', (name, value) => {
      log.state[name] = value;
    });
    readCommandFile(sandbox, log, 'GITHUB_OUTPUT', (name, value) => {
      log.outputs[name] = value;
    });
    const summary = sandbox.read('GITHUB_STEP_SUMMARY');
    const tooLarge = summaryError(summary);
    if (tooLarge !== undefined) log.issue('error', tooLarge);
    const path = readPaths(sandbox.read('GITHUB_PATH').toString('utf8'));

    const left = sandbox.leftFiles();
    const files: Record<string, string> = {};
    for (const name of ['OUTPUT', 'STATE', 'ENV', 'PATH', 'STEP_SUMMARY'] as const) {
      files[`GITHUB_${name}`] = sandbox.read(`GITHUB_${name}`).toString('utf8');
    }
    for (const file of left) files[file.path] = file.content.toString('utf8');

    return {
      ...ended,
      log: log.lines,
      header,
      commands: log.commands,
      annotations: log.annotations,
      masks: log.commands.filter(({ name }) => name === 'add-mask').map(({ message }) => message),
      outputs: log.outputs,
      state: log.state,
      summary: tooLarge === undefined ? log.masked(summary.toString('utf8')).join('\n') : '',
      succeeded: ended.exitCode === 0 && !ended.hung && !ended.cancelled && !log.failed,
      environment: environmentChanges,
      path,
      files,
      context: {
        root: sandbox.root,
        left,
        masker: job.masker,
        environment: { ...job.environment, ...environmentChanges },
        path: [...path.toReversed(), ...job.path],
      },
    };
  } finally {
    sandbox.remove();
  }
}

function readCommandFile(
  sandbox: Sandbox,
  log: StepLog,
  file: 'GITHUB_OUTPUT' | 'GITHUB_STATE' | 'GITHUB_ENV',
  take: (name: string, value: string) => void,
): void {
  const { values, error } = readNamedValues(sandbox.read(file).toString('utf8'));
  for (const [name, value] of values) take(name, value);
  if (error === undefined) return;
  const name = file.replace('GITHUB_', '').toLowerCase();
  log.issue('error', `Unable to process file command '${name}' successfully.`);
  log.issue('error', error);
  log.failed = true;
}

// Nothing else of the parent's environment: a proxy, NODE_OPTIONS or an INPUT_* of its own would change the result.
function runnerEnvironment(
  sandbox: Sandbox,
  options: StepOptions,
  job: { environment: Record<string, string>; path: string[] },
): Record<string, string> {
  const windows = ['SystemRoot', 'ComSpec', 'PATHEXT'].flatMap((name) => {
    const value = process.platform === 'win32' ? process.env[name] : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  const separator = process.platform === 'win32' ? ';' : ':';
  const system = { win32: 'Windows', darwin: 'macOS' } as Record<string, string>;
  return {
    ...Object.fromEntries(windows),
    PATH: [...job.path, process.env.PATH ?? ''].join(separator),
    ...sandbox.environment,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: 'control',
    GITHUB_ACTOR: 'octocat',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_EVENT_NAME: 'push',
    GITHUB_GRAPHQL_URL: 'https://api.github.com/graphql',
    GITHUB_JOB: 'deploy',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_REPOSITORY: 'octo-org/octo-repo',
    GITHUB_REPOSITORY_OWNER: 'octo-org',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RUN_ID: '1658821493',
    GITHUB_RUN_NUMBER: '1',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_SHA: 'ffac537e6cbbf934b08745a378932722df287a53',
    GITHUB_WORKFLOW: 'Deploy',
    RUNNER_ARCH: process.arch.toUpperCase(),
    RUNNER_ENVIRONMENT: 'github-hosted',
    RUNNER_NAME: 'harness',
    RUNNER_OS: system[process.platform] ?? 'Linux',
    ...(options.debug ? { RUNNER_DEBUG: '1' } : {}),
    ...job.environment,
    ...options.env,
  };
}

function contextsOf(environment: Record<string, string>, options: StepOptions) {
  const github: Record<string, string> = { token: options.githubToken ?? defaultToken };
  const runner: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith('GITHUB_')) github[name.slice(7).toLowerCase()] = value;
    if (name.startsWith('RUNNER_')) runner[name.slice(7).toLowerCase()] = value;
  }
  return { github, runner };
}

function runHeader(inputs: Record<string, string>, env: Record<string, string>): string[] {
  const lines = (values: Record<string, string>) =>
    Object.entries(values)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `  ${name}: ${value}`);
  return [
    '##[group]Run ./',
    ...section('with:', lines(inputs)),
    ...section('env:', lines(env)),
    '##[endgroup]',
  ];
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function named(
  values: Record<string, string>,
  variable: (name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [variable(name), value]));
}

function unexpectedInputsMessage(names: string[], valid: string[]): string {
  const quoted = (list: string[]) => list.map((name) => `'${name}'`).join(', ');
  return `Unexpected input(s) ${quoted(names)}, valid inputs are [${quoted(valid)}]`;
}

function postRuns(condition: string | undefined, jobSucceeded: boolean): boolean {
  switch ((condition ?? 'always()').replace(/\s/g, '')) {
    case 'always()':
      return true;
    case 'success()':
      return jobSucceeded;
    case 'failure()':
      return !jobSucceeded;
    default:
      throw new Error(`The harness does not know the condition \`post-if: ${condition}\`.`);
  }
}
