import { afterEach, expect, test } from '@jest/globals';
import type { ActRun } from './support/act-run.ts';
import { Stage } from './support/stage.ts';

const NAME = 'preview/pr-7';

let stage: Stage;
afterEach(() => stage?.close());

async function start(): Promise<Stage> {
  stage = await Stage.start({ scripts: ['migrate.sh', 'test.sh'] });
  stage.simulator.addProject({ id: 'shop', name: 'shop' });
  return stage;
}

function runFor(action: string, from = 'octo-org/shop'): Promise<ActRun> {
  return stage.runExample('preview-environment.yml', {
    event: 'pull_request',
    payload: {
      action,
      number: 7,
      pull_request: {
        number: 7,
        head: { ref: 'feature', sha: '0'.repeat(40), repo: { full_name: from } },
        base: { ref: 'main', sha: '0'.repeat(40) },
      },
      repository: { full_name: 'octo-org/shop' },
    },
    variables: { DATABASE_PROJECT_ID: 'shop' },
  });
}

/** The writing requests so far, and how many looks were taken after each. */
function written(): string[] {
  return stage.simulator.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path.replace('/projects/shop', '')}`);
}

async function previews(): Promise<string[]> {
  const { baseUrl, apiKey } = stage.simulator;
  const answer = await fetch(`${baseUrl}/projects/shop/branches`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { branches } = (await answer.json()) as { branches: { id: string; name: string }[] };
  return branches.filter(({ name }) => name === NAME).map(({ id }) => id);
}

test('a new pull request gets a branch, which is migrated when it is ready', async () => {
  const { simulator } = await start();
  const run = await runFor('opened');

  expect(run.job('preview')).toEqual(['success']);
  expect(run.job('clean-up')).toEqual([]);
  expect(run.exitCode).toBe(0);
  expect(run.step('preview', 'Wait until it is gone').result).toBeUndefined();
  expect(written()).toEqual(['POST /branches']);
  expect(stage.scriptRuns()).toMatchObject([
    { script: 'migrate.sh', unfinished: 0 },
    { script: 'test.sh', unfinished: 0 },
  ]);
  const [{ databaseUrl } = { databaseUrl: '' }] = stage.scriptRuns();
  expect(databaseUrl).toMatch(/^postgresql:\/\/owner:simulated_password_/);
  expect(run.shown()).not.toContain(databaseUrl);
  expect(run.shown()).not.toContain(simulator.apiKey);
});

test('a further push replaces the branch, once the earlier one is gone', async () => {
  const { simulator } = await start();
  const { id: earlier } = simulator.addBranch({ projectId: 'shop', name: NAME });
  // The run that this one replaced is still busy with it.
  simulator.faults.add({
    match: { method: 'DELETE', times: 1 },
    fault: { kind: 'status', status: 423 },
  });
  const run = await runFor('synchronize');

  expect(run.exitCode).toBe(0);
  const deleted = `DELETE /branches/${earlier}`;
  expect(written()).toEqual([deleted, deleted, 'POST /branches']);
  const gone = run.step('preview', 'Wait until it is gone');
  expect(gone.result).toBe('success');
  expect(gone.outputs).toMatchObject({ result: 'finished', count: '2' });
  const left = await previews();
  expect(left).toHaveLength(1);
  expect(left).not.toContain(earlier);
  expect(stage.scriptRuns()).toMatchObject([{ unfinished: 0 }, { unfinished: 0 }]);
});

test('a compute that does not start stops migration and tests', async () => {
  const { simulator } = await start();
  simulator.settings.outcomes = { start_compute: { outcome: 'failed' } };
  const run = await runFor('opened');
  expect(run.exitCode).not.toBe(0);
  expect(run.job('preview')).toEqual(['failure']);
  expect(run.step('preview', 'Wait until the database is ready').result).toBe('failure');
  expect(stage.scriptRuns()).toEqual([]);
});

test('a closed pull request takes its branch along, and no other', async () => {
  const { simulator } = await start();
  simulator.addBranch({ projectId: 'shop', name: NAME });
  simulator.addBranch({ projectId: 'shop', name: 'preview/pr-70' });
  const run = await runFor('closed');
  expect(run.exitCode).toBe(0);
  expect(run.job('preview')).toEqual([]);
  expect(run.job('clean-up')).toEqual(['success']);
  expect(await previews()).toEqual([]);
  expect(written()).toHaveLength(1);
});

test('a fork’s pull request runs nothing', async () => {
  await start();
  const run = await runFor('opened', 'somebody/shop');
  expect(run.exitCode).toBe(0);
  expect([...run.job('preview'), ...run.job('clean-up')]).toEqual([]);
  expect(stage.simulator.requests).toEqual([]);
});
