import { afterEach, expect, test } from '@jest/globals';
import { Stage } from './support/stage.ts';

let stage: Stage;
afterEach(() => stage?.close());

async function start(): Promise<Stage> {
  stage = await Stage.start({ scripts: ['maintain.sh'] });
  for (const name of ['shop-a', 'shop-b', 'shop-playground-1', 'billing']) {
    stage.simulator.addProject({ id: `id-of-${name}`, name });
  }
  return stage;
}

test('maintenance begins when every project of the fleet is idle', async () => {
  const { simulator } = await start();
  const projectId = 'id-of-shop-a';
  simulator.addOperation({ projectId, action: 'apply_config', runningMs: 3_000 });
  const run = await stage.runExample('fleet-maintenance.yml', { event: 'schedule' });

  expect(run.exitCode).toBe(0);
  expect(run.job('list')).toEqual(['success']);
  const fleet = run.matrix('idle').map(({ id }) => String(id));
  expect(fleet.toSorted()).toEqual(['id-of-shop-a', 'id-of-shop-b']);
  expect(run.job('idle')).toEqual(['success', 'success']);
  expect(run.job('maintain')).toEqual(['success']);
  expect(stage.scriptRuns()).toMatchObject([{ script: 'maintain.sh', unfinished: 0 }]);
  expect(run.step('maintain', 'Maintain').printed).toEqual(['All 2 projects are idle.']);
});

test('one project in which an operation fails stops it', async () => {
  const { simulator } = await start();
  const projectId = 'id-of-shop-b';
  simulator.addOperation({
    projectId,
    action: 'apply_config',
    runningMs: 2_000,
    outcome: 'failed',
  });
  const run = await stage.runExample('fleet-maintenance.yml', { event: 'schedule' });
  expect(run.exitCode).not.toBe(0);
  expect(run.job('idle').toSorted()).toEqual(['failure', 'success']);
  expect(run.job('maintain')).toEqual([]);
  expect(stage.scriptRuns()).toEqual([]);
});

test('a fleet without projects is no error, and nothing is maintained', async () => {
  stage = await Stage.start({ scripts: ['maintain.sh'] });
  stage.simulator.addProject({ name: 'billing' });
  const run = await stage.runExample('fleet-maintenance.yml', { event: 'schedule' });
  expect(run.exitCode).toBe(0);
  expect(run.job('list')).toEqual(['success']);
  expect(run.step('list', 'projects').outputs.count).toBe('0');
  expect([...run.job('idle'), ...run.job('maintain')]).toEqual([]);
  expect(stage.scriptRuns()).toEqual([]);
});
