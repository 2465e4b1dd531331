/**
 * The main job against the embedded simulator: `npm run demo`. A branch is created, the real bundle waits for it as it
 * does on GitHub's runner; then a wait that fails, a rotation, and a listing. Ends by itself, with 0 when all ended as they should.
 */
import { loggedAs, runStep, type StepResult } from '../harness/run-step.ts';
import { type Simulator, startSimulator } from '../simulator/server.ts';

const simulator = await startSimulator({
  durations: { schedulingMs: 400, runningMs: 1500, computeDelayMs: 300 },
});
const { id: projectId } = simulator.addProject({ name: 'shop', region_id: 'aws-eu-central-1' });

try {
  title('A simulated control API is running');
  say(`${simulator.baseUrl}, with one project, ${projectId}.`);

  title('1. Create a branch, wait until the database is ready');
  say(`POST /projects/${projectId}/branches > branch.json`);
  const ready = await step({ 'operations-file': 'branch.json' }, await createBranch(simulator));
  show(ready);
  expectEnd(ready, 'finished', 0);

  title('2. The same, but the compute does not start: the deploy must stop here');
  simulator.settings.outcomes = {
    start_compute: { outcome: 'failed', error: 'no compute capacity in this region' },
  };
  const failed = await step({ 'operations-file': 'branch.json' }, await createBranch(simulator));
  show(failed);
  expectEnd(failed, 'failed', 1);

  title('3. Rotate the key into a repository secret; the old one must not work any more');
  await rotate();

  title('4. List the projects, to fan a matrix out over them');
  await list();

  title('Done');
  say(
    'The first step was green, the second red, the key is a new one, and the list is whole: as it should be.',
  );
} finally {
  await simulator.close();
}

async function rotate(): Promise<void> {
  const { github } = simulator;
  const target = 'repository:octo-org/octo-repo';
  const name = 'octo-org/octo-repo/deploy';
  const monthAgo = Date.now() - 30 * 24 * 3_600_000;
  const old = simulator.addKey(simulator.account, { name, createdAt: monthAgo });
  await github.putSecret(target, 'DATABASE_API_KEY', old.key, { updatedAt: monthAgo });
  const result = await runStep({
    inputs: {
      mode: 'rotate-key',
      'api-key': old.key,
      'base-url': simulator.baseUrl,
      'key-name': name,
      'secret-name': 'DATABASE_API_KEY',
      'github-token': github.token,
    },
    env: { GITHUB_API_URL: github.apiUrl },
    masks: [old.key, github.token],
  });
  show(result);
  expectEnd(result, 'rotated', 0);
  const stored = github.secret(target, 'DATABASE_API_KEY')?.value ?? '';
  say(`\n── Who gets in now ${'─'.repeat(61)}`);
  expectStatus('the old key', old.key, 401, await statusFor(old.key));
  expectStatus('the key in the secret', stored, 200, await statusFor(stored));
}

async function list(): Promise<void> {
  for (const [name, region_id, hours] of [
    ['shop-staging', 'aws-eu-central-1', 96],
    ['billing', 'aws-us-east-2', 312],
    ['shop-archive', 'aws-us-east-2', 4],
  ] as const)
    simulator.addProject({ name, region_id, cpu_used_sec: hours * 3600 });
  const result = await runStep({
    inputs: {
      mode: 'list-projects',
      'api-key': simulator.apiKey,
      'base-url': simulator.baseUrl,
      'project-name': 'shop*\n!*-archive',
    },
    masks: [simulator.apiKey],
  });
  show(result);
  expectEnd(result, undefined, 0);
  if (result.outputs.count === '2') return;
  say('This should have listed 2 projects.');
  process.exitCode = 1;
}

async function statusFor(key: string): Promise<number> {
  const answer = await fetch(`${simulator.baseUrl}/projects`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return answer.status;
}

function expectStatus(what: string, key: string, wanted: number, status: number): void {
  say(`${what} (…${key.slice(-4)}): ${status}`);
  if (status === wanted) return;
  say(`This should have been ${wanted}.`);
  process.exitCode = 1;
}

/** What a workflow does with one `curl`. */
async function createBranch({ baseUrl, apiKey }: Simulator): Promise<string> {
  const answer = await fetch(`${baseUrl}/projects/${projectId}/branches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ endpoints: [{ type: 'read_write' }] }),
  });
  if (!answer.ok) throw new Error(`The simulator answered ${answer.status}.`);
  return answer.text();
}

function step(inputs: Record<string, string>, branch: string): Promise<StepResult> {
  return runStep({
    inputs: {
      mode: 'wait-operations',
      'api-key': simulator.apiKey,
      'base-url': simulator.baseUrl,
      timeout: '1m',
      ...inputs,
    },
    // As `${{ secrets.DATABASE_API_KEY }}` would be.
    masks: [simulator.apiKey],
    workspaceFiles: { 'branch.json': branch },
  });
}

function show(result: StepResult): void {
  say(`\n── The log, as GitHub shows it ${'─'.repeat(49)}`);
  say(loggedAs(result).trimEnd());
  say(`\n── The outputs ${'─'.repeat(65)}`);
  for (const [name, value] of Object.entries(result.outputs)) {
    // The harness reads what the step wrote for the steps behind; GitHub shows a masked output nowhere.
    const shown = name === 'api-key' && value !== '' ? '***' : value;
    say(`${name}: ${shown.length > 160 ? `${shown.slice(0, 159)}…` : shown}`);
  }
  say(`\n── The job summary (Markdown) ${'─'.repeat(50)}`);
  say(result.summary.trimEnd());
}

/** @param wanted the output `result`, which a listing does not have */
function expectEnd(result: StepResult, wanted: string | undefined, exitCode: number): void {
  if (result.outputs.result === wanted && result.exitCode === exitCode) return;
  say(`This should have ended as ${wanted ?? 'a list'} with exit code ${exitCode}.`);
  process.exitCode = 1;
}

function title(text: string): void {
  say(`\n═══ ${text} ${'═'.repeat(Math.max(0, 75 - text.length))}`);
}

function say(text: string): void {
  console.log(text);
}
