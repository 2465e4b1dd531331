/**
 * Drives the command-line tool `neonctl`, written by others against the real service, with the simulator behind it:
 * what it understands, the simulator says rightly. Checked are
 *
 * - API keys: created, listed, used, revoked; refused once revoked, a second revoke, a wrong key;
 * - projects: a listing of three pages is complete and in order;
 * - operations: listed with the status that the clock gives them;
 * - branches: created with both operations, listed, deleted;
 * - that the client spoke to no other machine.
 *
 *     npm ci --prefix clients && node clients/neonctl.ts
 */
import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Simulator, startSimulator } from '../simulator/server.ts';
import { forbiddenMark } from './loopback-only.ts';

const clientProgram = fileURLToPath(import.meta.resolve('neonctl/bin/cli.js'));
const guard = new URL('./loopback-only.ts', import.meta.url).href;

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `neonctl` against the simulator. */
type Client = (args: string[], apiKey?: string) => Promise<Run>;

function clientOf(simulator: Simulator, home: string, runs: Run[]): Client {
  return async (args, apiKey = simulator.apiKey) => {
    const ended = await run(
      [
        ...['--disable-warning=ExperimentalWarning', '--import', guard, clientProgram, ...args],
        ...['--api-host', simulator.baseUrl, '--api-key', apiKey, '--config-dir', home],
        ...['--no-analytics', '--output', 'json'],
      ],
      { home },
    );
    runs.push(ended);
    return ended;
  };
}

/** Runs this Node to its end, with nothing of this process's environment that a client could take for settings. */
async function run(args: string[], { home }: { home: string }): Promise<Run> {
  const env = { PATH: process.env.PATH, HOME: home, CI: 'true' };
  const child = spawn(process.execPath, args, { cwd: home, env, timeout: 60_000 });
  child.stdin.end();
  const ended: Run = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    ended.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ended.stderr += text;
  });
  ended.code = await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  return ended;
}

// biome-ignore lint/suspicious/noExplicitAny: the checks compare what was printed, whatever it is
function printed(run: Run): any {
  strictEqual(run.code, 0, `exit code ${run.code}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

function refused(run: Run, message: RegExp): void {
  notStrictEqual(run.code, 0, 'the client was to fail');
  strictEqual(run.stdout, '');
  match(run.stderr, message);
}

type Check = [name: string, run: () => Promise<void>];

function checksOf(simulator: Simulator, neonctl: Client): Check[] {
  const now = simulator.clock.now();
  const projectIds = Array.from({ length: 205 }, (_, index) => `project-${index + 1}`);
  for (const id of projectIds) simulator.addProject({ id });
  const projectId = 'project-1';
  const done = simulator.addOperation({
    projectId,
    action: 'create_timeline',
    createdAt: now - 9e6,
  });
  const failed = simulator.addOperation({
    projectId,
    action: 'apply_config',
    createdAt: now - 6e6,
    outcome: 'failed',
    error: 'out of space',
  });
  const running = simulator.addOperation({ projectId, action: 'start_compute', status: 'running' });
  const key = { id: 0, key: '' };

  return [
    [
      'creates a key, and the simulator lists it',
      async () => {
        const created = printed(await neonctl(['api-keys', 'create', '--name', 'from neonctl']));
        Object.assign(key, created);
        strictEqual(created.name, 'from neonctl');
        const [, known] = simulator.account.keys;
        strictEqual(known?.id, BigInt(created.id));
        strictEqual(known?.key, created.key);
      },
    ],
    [
      'lists the keys, and when they were used',
      async () => {
        const listed = printed(await neonctl(['api-keys', 'list']));
        deepStrictEqual(
          listed.map(({ name }: { name: string }) => name),
          ['first', 'from neonctl'],
        );
        strictEqual(listed[1].id, key.id);
        strictEqual(listed[0].last_used_from_addr, '127.0.0.1');
        strictEqual(listed[1].last_used_at, null);
        ok(!JSON.stringify(listed).includes(key.key), 'a listing shows no secret');
      },
    ],
    [
      'lists the projects with the new key: three pages, complete, in order',
      async () => {
        simulator.requests.length = 0;
        const listed = printed(await neonctl(['projects', 'list'], key.key));
        deepStrictEqual(
          listed.projects.map(({ id }: { id: string }) => id),
          projectIds,
        );
        const pages = simulator.requests.filter(({ path }) => path === '/projects');
        ok(pages.length >= 3, `${pages.length} pages`);
        ok(pages.every(({ keyId, status }) => keyId === String(key.id) && status === 200));
      },
    ],
    [
      'lists the operations, newest first, with status and error',
      async () => {
        const listed = printed(await neonctl(['operations', 'list', '--project-id', projectId]));
        deepStrictEqual(
          listed.map((operation: Record<string, unknown>) => [operation.id, operation.status]),
          [
            [running.id, 'running'],
            [failed.id, 'failed'],
            [done.id, 'finished'],
          ],
        );
        strictEqual(listed[1].error, 'out of space');
        deepStrictEqual(listed[2], JSON.parse(JSON.stringify(done)));
      },
    ],
    [
      'shows a running operation as finished once the clock says so',
      async () => {
        running.setStatus('finished');
        const path = `/projects/${projectId}/operations/${running.id}`;
        strictEqual(printed(await neonctl(['api', path])).operation.status, 'finished');
      },
    ],
    [
      'creates a branch: create_branch and start_compute of it are listed',
      async () => {
        const at = ['--project-id', projectId];
        const created = printed(await neonctl(['branches', 'create', ...at, '--name', 'preview']));
        strictEqual(created.branch.name, 'preview');
        const listed = printed(await neonctl(['operations', 'list', ...at]));
        const ofBranch = listed.filter(
          (operation: Record<string, unknown>) => operation.branch_id === created.branch.id,
        );
        deepStrictEqual(ofBranch.map(({ action }: { action: string }) => action).sort(), [
          'create_branch',
          'start_compute',
        ]);
      },
    ],
    [
      'lists the branch, deletes it, and misses it',
      async () => {
        const at = ['--project-id', projectId];
        const names = async () =>
          printed(await neonctl(['branches', 'list', ...at])).map(
            ({ name }: { name: string }) => name,
          );
        deepStrictEqual(await names(), ['main', 'preview']);
        strictEqual(
          printed(await neonctl(['branches', 'delete', 'preview', ...at])).name,
          'preview',
        );
        deepStrictEqual(await names(), ['main']);
      },
    ],
    [
      'revokes the key, which is refused from then on',
      async () => {
        const revoked = printed(await neonctl(['api-keys', 'revoke', String(key.id)]));
        strictEqual(revoked.id, key.id);
        strictEqual(revoked.revoked, true);
        deepStrictEqual(
          simulator.account.keys.map(({ name }) => name),
          ['first'],
        );
        refused(await neonctl(['projects', 'list'], key.key), /ERROR: .*(auth|key|401)/i);
        strictEqual(simulator.requests.at(-1)?.status, 401);
      },
    ],
    [
      'cannot revoke it twice',
      async () => {
        refused(
          await neonctl(['api-keys', 'revoke', String(key.id)]),
          /No account API key with id/,
        );
        strictEqual(simulator.requests.at(-1)?.status, 404);
      },
    ],
    [
      'is told of a project that does not exist',
      async () => {
        refused(await neonctl(['operations', 'list', '--project-id', 'nowhere']), /not found/);
      },
    ],
  ];
}

async function main(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'neonctl-'));
  const simulator = await startSimulator();
  const runs: Run[] = [];
  const checks = checksOf(simulator, clientOf(simulator, home, runs));
  checks.push([
    'has spoken to this machine only, and as itself',
    async () => {
      ok(runs.length >= 12, `${runs.length} runs`);
      ok(!runs.some(({ stderr }) => stderr.includes(forbiddenMark)));
      ok(simulator.requests.length > 0);
      for (const { headers } of simulator.requests)
        match(headers['user-agent'] ?? '', /^neonctl v/);
    },
  ]);

  checks.push([
    'and to another machine it could not',
    async () => {
      const elsewhere = `fetch('http://192.0.2.1').catch(() => process.exit(3))`;
      const { code, stderr } = await run(['--import', guard, '--eval', elsewhere], { home });
      strictEqual(code, 3);
      match(stderr, new RegExp(`^${forbiddenMark} 192.0.2.1`, 'm'));
    },
  ]);

  let failures = 0;
  for (const [name, check] of checks) {
    try {
      await check();
      console.log(`ok      ${name}`);
    } catch (error) {
      failures += 1;
      console.log(`FAILED  ${name}\n${String(error).replace(/^/gm, '        ')}`);
    }
  }
  await simulator.close();
  await rm(home, { recursive: true, force: true });
  console.log(`${checks.length - failures} passed, ${failures} failed`);
  process.exitCode = failures === 0 ? 0 : 1;
}

await main();
