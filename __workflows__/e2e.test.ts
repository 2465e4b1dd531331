import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ActRun } from './support/act-run.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;
let run: ActRun;

beforeAll(async () => {
  stage = await Stage.start();
  stage.simulator.addProject({ id: 'demo-project', name: 'demo' });
  run = await stage.runOwn('e2e.yml', {
    variables: { SIMULATOR_URL: new URL(stage.simulator.baseUrl).origin },
  });
});
afterAll(() => stage?.close());

test('every job of the workflow ran, and succeeded', () => {
  expect(run.job('wait')).toEqual(['success']);
  expect(run.job('deploy')).toEqual(['success']);
  expect(run.job('each')).toEqual(['success', 'success']);
  expect(run.job('tolerated')).toEqual(['success']);
  expect(run.job('rotation')).toEqual(['success']);
  expect(run.job('projects')).toEqual(['success']);
  expect(run.job('project')).toEqual(['success', 'success']);
  expect(run.exitCode).toBe(0);
});

test('a wait’s outputs reach the jobs that need it, also as a matrix', () => {
  const wait = run.step('wait', 'wait');
  expect(wait.result).toBe('success');
  const ids = JSON.parse(wait.outputs['finished-ids'] ?? '[]') as string[];
  expect(ids).toHaveLength(2);
  expect(
    run
      .matrix('each')
      .map(({ id }) => String(id))
      .toSorted(),
  ).toEqual(ids.toSorted());
});

test('a listing’s matrix makes a job for each project', () => {
  const names = run.matrix('project').map(({ name }) => String(name));
  expect(names.toSorted()).toEqual(['shop-eu', 'shop-us']);
});

test('a tolerated failure sets its outputs, and has nothing to do at the end of the job', () => {
  const wait = run.step('tolerated', 'wait');
  expect(wait.result).toBe('failure');
  expect(wait.outputs).toMatchObject({ result: 'failed', 'finished-ids': '[]', count: '1' });
  expect(wait.errors.join('\n')).toContain('no space left');
  expect(run.step('tolerated', 'wait', 'Post')).toMatchObject({ result: 'success', printed: [] });
});

test('the new key is masked, works for a later step, and revokes the old one when the job is done', () => {
  const rotated = run.step('rotation', 'rotation');
  const key = rotated.outputs['api-key'] ?? '';
  const id = rotated.outputs['key-id'];
  const pending = rotated.outputs['pending-key-ids'] ?? '';
  expect(key).not.toBe('');
  expect(run.step('rotation', 'Use the new key').printed).toEqual(['The new key is ***.']);
  expect(run.shown()).not.toContain(key);

  const { account, requests } = stage.simulator;
  expect(account.keys.find((found) => found.key === key)?.id).toBe(BigInt(id ?? 0));
  const used = requests.filter(({ keyId }) => keyId === id);
  const [revoked] = used.splice(-1);
  expect(used.filter(({ path }) => path.endsWith('/projects'))).toHaveLength(1);
  expect(`${revoked?.method} [${revoked?.path.split('/').at(-1)}]`).toBe(`DELETE ${pending}`);
  expect(run.step('rotation', 'rotation', 'Post').printed.join('\n')).toContain('is revoked');
  expect(account.keys.map(({ name }) => name)).toEqual(['first', 'octo-org/shop/e2e']);
});
