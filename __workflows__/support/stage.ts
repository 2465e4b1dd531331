import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../harness/paths.ts';
import { type Simulator, startSimulator } from '../../simulator/server.ts';
import { type ActOptions, act } from './act.ts';
import type { ActRun } from './act-run.ts';

/** How the examples name this action. */
export const PUBLISHED = 'OWNER/cloud-database-control@v0';

/** Actions of others that the examples use and that cannot be fetched here, with what stands in for them. */
const STAND_INS = ['create-github-app-token', 'upload-artifact'];

/** What a stand-in for a script of the person who copied an example saw when it ran. */
export interface ScriptRun {
  script: string;
  databaseUrl: string;
  /** How many operations of the account had not ended at that moment. */
  unfinished: number;
}

export interface StageOptions {
  scripts?: string[];
  simulator?: Simulator;
}

/** A simulated service and a repository that holds one workflow, as it would in somebody's account. */
export class Stage {
  readonly simulator: Simulator;
  readonly #root: string;

  private constructor(simulator: Simulator, root: string) {
    this.simulator = simulator;
    this.#root = root;
  }

  /**
   * @param scripts names of scripts in `scripts/`: each notes when it ran, and succeeds
   * @param simulator the service; default: a new one
   */
  static async start({ scripts = [], simulator }: StageOptions = {}): Promise<Stage> {
    const root = mkdtempSync(join(realpathSync(tmpdir()), 'workflow-'));
    const durations = { schedulingMs: 200, runningMs: 600 };
    const stage = new Stage(simulator ?? (await startSimulator({ durations })), root);
    for (const script of scripts) {
      stage.write(`repository/scripts/${script}`, stage.#notingScript(script), 0o755);
    }
    return stage;
  }

  async close(): Promise<void> {
    await this.simulator.close();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Runs a workflow of this repository, unchanged, in its own place. */
  async runOwn(workflow: string, options: Partial<ActOptions>): Promise<ActRun> {
    for (const path of ['.github', 'action.yml', 'dist']) {
      cpSync(join(repository, path), join(this.#root, 'repository', path), { recursive: true });
    }
    return this.#run(`.github/workflows/${workflow}`, options);
  }

  /** Runs an example, unchanged. */
  async runExample(example: string, options: Partial<ActOptions> = {}): Promise<ActRun> {
    const text = readFileSync(join(repository, 'examples', example), 'utf8');
    return this.runText(example, text, options);
  }

  /** Runs a workflow: `uses:` finds the committed bundle, and stand-ins for the actions of others. */
  async runText(name: string, text: string, options: Partial<ActOptions> = {}): Promise<ActRun> {
    const workflow = `.github/workflows/${name}`;
    this.write(`repository/${workflow}`, text);
    const published = join(this.#root, 'published');
    for (const path of ['action.yml', 'dist']) {
      cpSync(join(repository, path), join(published, path), { recursive: true });
    }
    const others = [...text.matchAll(/uses: (actions\/([a-z-]+)@\S+)/g)]
      .filter(([, , action]) => STAND_INS.includes(String(action)))
      .map(([, uses, action]) => [
        String(uses),
        join(repository, '__workflows__/stand-ins', String(action)),
      ]);
    return this.#run(workflow, {
      ...options,
      actions: { [PUBLISHED]: published, ...Object.fromEntries(others) },
      secrets: { DATABASE_API_KEY: this.simulator.apiKey, ...options.secrets },
      variables: { DATABASE_API_URL: this.simulator.baseUrl, ...options.variables },
    });
  }

  /** Writes a file below the run's folder, `repository/` or another. @returns its path */
  write(path: string, content: string, mode = 0o644): string {
    const file = join(this.#root, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
    return file;
  }

  /** A path below the run's folder, outside of the repository. */
  path(name: string): string {
    return join(this.#root, name);
  }

  /** Which scripts ran, in order. */
  scriptRuns(): ScriptRun[] {
    const file = this.path('scripts.jsonl');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ScriptRun);
  }

  async #run(workflow: string, options: Partial<ActOptions>): Promise<ActRun> {
    const cwd = join(this.#root, 'repository');
    // The engine takes the names of repository, branch and commit from git.
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=o', '-c', 'user.email=o@example.com', ...args], {
        cwd,
        stdio: 'pipe',
      });
    if (!existsSync(join(cwd, '.git'))) {
      git('init', '--quiet', '--initial-branch=main');
      git('remote', 'add', 'origin', 'https://github.com/octo-org/shop');
    }
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message=workflow');
    return act({ event: 'push', ...options, root: this.#root, workflow });
  }

  #notingScript(script: string): string {
    return `#!/usr/bin/env bash
set -euo pipefail
curl --fail --silent '${this.simulator.adminUrl}/state' |
  jq --compact-output --arg script '${script}' --arg url "\${DATABASE_URL:-}" '{
    script: $script,
    databaseUrl: $url,
    unfinished: [.projects[].operations[] | select(.status == "scheduling" or .status == "running")] | length
  }' >>'${this.path('scripts.jsonl')}'
`;
  }
}
