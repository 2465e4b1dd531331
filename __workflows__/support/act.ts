import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { node24 } from '../../harness/paths.ts';
import { toolPath } from '../../scripts/tools.ts';
import { type ActLine, ActRun } from './act-run.ts';

export interface ActOptions {
  /** The folder that holds everything of this run; `repository/` in it is what the workflow sees. */
  root: string;
  /** Path of the workflow file within the repository. */
  workflow: string;
  event: string;
  payload?: object;
  inputs?: Record<string, string>;
  secrets?: Record<string, string>;
  variables?: Record<string, string>;
  /** For every step. */
  env?: Record<string, string>;
  /** `OWNER/NAME@REF` of `uses:` → the folder that stands in for it. */
  actions?: Record<string, string>;
  /** Folders with programs, before the machine's own. */
  path?: string[];
}

const LONGEST_MS = 150_000;

/**
 * Runs a workflow on this machine, without containers, with the runner's own major version of Node, and nothing of the
 * environment but the path.
 * @throws Error when the engine does not end, or prints what is not its JSON log
 */
export async function act(options: ActOptions): Promise<ActRun> {
  const { root, path = [] } = options;
  const payload = join(root, 'event.json');
  writeFileSync(payload, JSON.stringify(options.payload ?? {}));
  const args = [
    options.event,
    ...['--workflows', options.workflow],
    ...['--eventpath', payload],
    ...['--platform', 'ubuntu-latest=-self-hosted'],
    ...['--action-cache-path', join(root, 'cache')],
    ...['--actor', 'octocat', '--json', '--no-cache-server', '--no-recurse'],
    ...pairs('--input', options.inputs),
    ...pairs('--secret', options.secrets),
    ...pairs('--var', options.variables),
    ...pairs('--env', options.env),
    ...pairs('--local-repository', options.actions),
  ];
  const child = spawn(toolPath('act'), args, {
    cwd: join(root, 'repository'),
    env: {
      PATH: [...path, dirname(node24()), process.env.PATH].join(delimiter),
      // Nobody's settings of the engine or of git.
      HOME: root,
      XDG_CONFIG_HOME: root,
      TMPDIR: root,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk) => stdout.push(chunk));
  child.stderr.on('data', (chunk) => stderr.push(chunk));
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    // The steps are its children: the whole group goes.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, LONGEST_MS);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearTimeout(timer));
  const printed = Buffer.concat(stdout).toString('utf8');
  const errors = Buffer.concat(stderr).toString('utf8');
  if (late) throw new Error(`act did not end within ${LONGEST_MS} ms.\n${printed}${errors}`);
  return new ActRun(exitCode ?? -1, linesOf(printed), errors);
}

function pairs(flag: string, values: Record<string, string> = {}): string[] {
  return Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`]);
}

function linesOf(printed: string): ActLine[] {
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return JSON.parse(line) as ActLine;
      } catch {
        throw new Error(`act printed what is not its JSON log: ${line}`);
      }
    });
}
