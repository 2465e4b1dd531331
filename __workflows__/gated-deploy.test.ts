import { afterEach, expect, test } from '@jest/globals';
import { Stage } from './support/stage.ts';

const variables = { DATABASE_PROJECT_ID: 'shop' };
const secrets = { DATABASE_URL: 'postgresql://production' };

let stage: Stage;
afterEach(() => stage?.close());

async function start(): Promise<Stage> {
  stage = await Stage.start({ scripts: ['migrate.sh', 'deploy.sh'] });
  stage.simulator.addProject({ id: 'shop', name: 'shop' });
  return stage;
}

test('the deploy begins when nothing is unfinished any more', async () => {
  const { simulator } = await start();
  const run = await stage.runExample('gated-deploy.yml', { variables, secrets });

  expect(run.job('database')).toEqual(['success']);
  expect(run.job('deploy')).toEqual(['success']);
  expect(run.job('report')).toEqual([]);
  expect(run.exitCode).toBe(0);
  const wait = run.step('database', 'wait');
  expect(wait.outputs.result).toBe('finished');
  expect(wait.printed.length).toBeGreaterThan(2);
  const databaseUrl = secrets.DATABASE_URL;
  expect(stage.scriptRuns()).toEqual([
    { script: 'migrate.sh', databaseUrl, unfinished: 0 },
    { script: 'deploy.sh', databaseUrl, unfinished: 0 },
  ]);
  // The restore point that the deploy names is the branch that was created.
  const created = simulator.requests.filter(({ method }) => method === 'POST');
  expect(created.map(({ path }) => path)).toEqual(['/projects/shop/branches']);
  const { id } = run.step('database', 'branch').outputs;
  expect(id).toMatch(/^br-/);
  expect(run.step('deploy', 'Migrate and deploy').printed).toEqual([
    `If anything goes wrong, restore from branch ${id}.`,
  ]);
  expect(run.shown()).not.toContain(simulator.apiKey);
});

test('a failed operation stops the deploy, and is named by a later job', async () => {
  const { simulator } = await start();
  simulator.settings.outcomes = { create_branch: { outcome: 'failed', error: 'no space left' } };
  const run = await stage.runExample('gated-deploy.yml', { variables, secrets });

  expect(run.exitCode).not.toBe(0);
  expect(run.job('database')).toEqual(['failure']);
  expect(run.job('deploy')).toEqual([]);
  expect(stage.scriptRuns()).toEqual([]);
  const { outputs, errors } = run.step('database', 'wait');
  expect(outputs.result).toBe('failed');
  expect(errors.join('\n')).toContain('no space left');
  expect(outputs['failed-ids']).toMatch(/^\["[0-9a-f-]{36}"/);
  expect(run.job('report')).toEqual(['success']);
  expect(run.step('report', 'Say what stopped the deploy').printed).toEqual([
    'Not deployed: the wait ended as failed.',
    `failed operations: ${outputs['failed-ids']}`,
    `unfinished operations: ${outputs['pending-ids']}`,
  ]);
});

test('a wrong key stops the deploy too', async () => {
  await start();
  const run = await stage.runExample('gated-deploy.yml', {
    variables,
    secrets: { ...secrets, DATABASE_API_KEY: 'mistyped' },
  });
  expect(run.exitCode).not.toBe(0);
  expect(run.job('database')).toEqual(['failure']);
  expect(run.job('deploy')).toEqual([]);
  expect(stage.scriptRuns()).toEqual([]);
});
