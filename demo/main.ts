/**
 * The main job against the embedded simulator: `npm run demo`. A branch is created, the real bundle waits for it as it
 * does on GitHub's runner; then a wait that fails. Ends by itself, with 0 when both ended as they should.
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

  title('Done');
  say('The first step was green, the second red, as they should be.');
} finally {
  await simulator.close();
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
    say(`${name}: ${value.length > 160 ? `${value.slice(0, 159)}…` : value}`);
  }
  say(`\n── The job summary (Markdown) ${'─'.repeat(50)}`);
  say(result.summary.trimEnd());
}

function expectEnd(result: StepResult, wanted: string, exitCode: number): void {
  if (result.outputs.result === wanted && result.exitCode === exitCode) return;
  say(`This should have ended as ${wanted} with exit code ${exitCode}.`);
  process.exitCode = 1;
}

function title(text: string): void {
  say(`\n═══ ${text} ${'═'.repeat(Math.max(0, 75 - text.length))}`);
}

function say(text: string): void {
  console.log(text);
}
