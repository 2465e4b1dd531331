import { afterEach, expect, test } from '@jest/globals';
import { KEY_NAME, RotationScene, SECRET, TARGETS } from '../__tests__/support/rotation.ts';
import type { ActOptions } from './support/act.ts';
import type { ActRun } from './support/act-run.ts';
import { Stage } from './support/stage.ts';

const DAY = 86_400_000;

let stage: Stage;
afterEach(() => stage?.close());

/** An account whose key has been in all three places for forty days. @returns that key */
async function start(): Promise<string> {
  const { simulator } = await RotationScene.start(TARGETS.length);
  stage = await Stage.start({ simulator });
  return valid()[0] ?? '';
}

function rotate(key: string, options: Partial<ActOptions> = {}): Promise<ActRun> {
  const { github } = stage.simulator;
  return stage.runExample('rotate-into-github-secrets.yml', {
    event: 'schedule',
    secrets: { DATABASE_API_KEY: key, ROTATION_APP_PRIVATE_KEY: 'the-private-key' },
    variables: { ROTATION_APP_CLIENT_ID: 'the-client-id' },
    env: { GITHUB_API_URL: github.apiUrl, STAND_IN_TOKEN: github.token },
    ...options,
  });
}

function stored(): (string | undefined)[] {
  return TARGETS.map((target) => stage.simulator.github.secret(target, SECRET)?.value);
}

function valid(): string[] {
  return stage.simulator.account.keys.filter(({ name }) => name === KEY_NAME).map(({ key }) => key);
}

test('the new key is in all three places, and the one before it still works', async () => {
  const old = await start();
  const run = await rotate(old);
  expect(run.step('rotate', 'Rotate').errors).toEqual([]);
  expect(run.job('rotate')).toEqual(['success']);
  expect(run.exitCode).toBe(0);

  const [fresh = ''] = stored();
  expect(fresh).not.toBe(old);
  expect(stored()).toEqual([fresh, fresh, fresh]);
  expect(valid()).toEqual([old, fresh]);
  const { outputs } = run.step('rotate', 'Rotate');
  expect(outputs).toMatchObject({ result: 'rotated', 'revoked-key-ids': '[]' });
  expect(JSON.parse(outputs['stored-in'] ?? '')).toEqual(TARGETS);
  for (const secret of [old, fresh, stage.simulator.github.token]) {
    expect(run.shown()).not.toContain(secret);
  }
});

test('the one before that is revoked', async () => {
  const old = await start();
  const { simulator } = stage;
  const createdAt = Date.now() - 80 * DAY;
  const oldest = simulator.addKey(simulator.account, { name: KEY_NAME, createdAt });
  const run = await rotate(old);
  expect(run.exitCode).toBe(0);
  const [fresh = ''] = stored();
  expect(valid()).toEqual([old, fresh]);
  expect(run.step('rotate', 'Rotate').outputs['revoked-key-ids']).toBe(`[${oldest.id}]`);
});

test('a key that is young enough stays', async () => {
  const old = await start();
  expect((await rotate(old)).exitCode).toBe(0);
  const [fresh = ''] = stored();
  const run = await rotate(fresh);
  expect(run.exitCode).toBe(0);
  expect(run.step('rotate', 'Rotate').outputs.result).toBe('fresh');
  expect(valid()).toEqual([old, fresh]);
});

test('started by hand it is a dry run first', async () => {
  const old = await start();
  const run = await rotate(old, { event: 'workflow_dispatch', inputs: { 'dry-run': 'true' } });
  expect(run.exitCode).toBe(0);
  const step = run.step('rotate', 'Rotate');
  expect(step.outputs).toMatchObject({ result: 'dry-run', rotated: 'false' });
  expect(step.printed.join('\n')).toContain('Dry run, nothing was changed.');
  expect(valid()).toEqual([old]);
  expect(stored()).toEqual([old, old, old]);
  const { requests, github } = stage.simulator;
  expect([...requests, ...github.requests].filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a token without rights to one place ends it before anything is created', async () => {
  const old = await start();
  const { github } = stage.simulator;
  const run = await rotate(old, {
    env: {
      GITHUB_API_URL: github.apiUrl,
      STAND_IN_TOKEN: github.addToken({ targets: TARGETS.slice(0, 1) }),
    },
  });
  expect(run.exitCode).not.toBe(0);
  expect(run.job('rotate')).toEqual(['failure']);
  expect(valid()).toEqual([old]);
  expect(stored()).toEqual([old, old, old]);
});
