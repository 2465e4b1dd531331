import { describe, expect, test } from '@jest/globals';
import type { StepOptions, StepResult } from '../../harness/run-step.ts';
import {
  DAY,
  idsOf,
  KEY_NAME,
  play,
  type RotationScene,
  SECRET,
  said,
} from '../support/rotation.ts';

const AFTER = { 'revoke-old': 'after-job' };

/** The moment at which the post step reads a secret again: whatever happens before it, happens during the job. */
function duringTheJob(scene: RotationScene, act: () => void): void {
  scene.simulator.github.faults.add({
    match: { method: 'GET', path: new RegExp(`${SECRET}$`), nth: 3 },
    before: act,
  });
}

/** The post step revoked nothing, failed the job, and said which keys are left. */
function expectNothingRevoked(scene: RotationScene, step: StepResult, words: string): void {
  const pending = idsOf(step).pending;
  expect(step.exitCode).toBe(0);
  expect(pending).not.toEqual([]);
  expect(step.post?.exitCode).toBe(1);
  const message = step.post ? said('error', step.post) : '';
  expect(message).toContain(words);
  for (const id of pending) {
    expect(message).toContain(id);
    expect(step.post?.summary).toContain(id);
  }
  expect(step.post?.summary).toContain('Old keys were not revoked');
  expect(scene.count('DELETE')).toBe(0);
  expect(scene.valid()).toEqual(expect.arrayContaining(pending));
}

describe('a job that succeeds', () => {
  test.concurrent('a vault: without secret-name the end of the job is the default', () =>
    play(0, async (scene) => {
      const { first } = scene;
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'rotated', rotated: 'true', 'stored-in': '[]' });
      expect(idsOf(step)).toEqual({ revoked: [], pending: [first], kept: [] });
      const stored = scene.simulator.account.keys.at(-1)?.key;
      expect(step.outputs['api-key']).toBe(stored);
      expect(step.post?.exitCode).toBe(0);
      expect(scene.valid()).toEqual([step.outputs['key-id']]);
    }));

  test.concurrent('the post step uses the new key alone, and waits until it is known', () =>
    play(1, async (scene) => {
      const fault = { kind: 'status' as const, status: 401 };
      scene.simulator.faults.add({ match: { method: 'DELETE', times: 3 }, fault });
      const step = await scene.rotate(AFTER);
      expect(step.post?.exitCode).toBe(0);
      expect(scene.count('DELETE')).toBe(4);
      const last = scene.simulator.requests.at(-1);
      expect(last?.headers.authorization).toBe(`Bearer ${step.outputs['api-key']}`);
    }));

  test.concurrent('it masks before it says or does anything', () =>
    play(1, async (scene) => {
      const old = scene.stored();
      const step = await scene.rotate(AFTER, { debug: true });
      const lines = step.post?.stdout.split('\n') ?? [];
      expect(lines.slice(0, 3).map((line) => line.slice(0, 12))).toEqual(
        Array(3).fill('::add-mask::'),
      );
      expect(step.post?.masks).toEqual([
        step.outputs['api-key'],
        scene.simulator.github.token,
        old,
      ]);
    }));

  test.concurrent('summary: false holds for both', () =>
    play(1, async (scene) => {
      const step = await scene.rotate({ ...AFTER, summary: 'false' });
      expect([step.summary, step.post?.summary]).toEqual(['', '']);
      expect(step.post?.exitCode).toBe(0);
    }));
});

describe('what main leaves', () => {
  const stateOf = (step: StepResult): string =>
    Object.entries(step.state).find(([name]) => name.endsWith('-state'))?.[1] ?? '';

  test.concurrent('is what the post step needs, and no token', () =>
    play(2, async (scene) => {
      const { first, targets } = scene;
      const step = await scene.rotate(AFTER);
      expect(JSON.parse(stateOf(step))).toEqual({
        newKey: step.outputs['api-key'],
        newKeyId: step.outputs['key-id'],
        pending: [first],
        baseUrl: scene.simulator.baseUrl,
        requestTimeoutMs: 30_000,
        maxRetries: 5,
        summary: true,
        secretName: SECRET,
        targets,
        updatedAt: [expect.any(String), expect.any(String)],
      });
    }));

  test.concurrent.each<[string, Record<string, string>]>([
    ['fresh', { ...AFTER, 'rotate-after': '41d' }],
    ['a dry run', { ...AFTER, 'dry-run': 'true' }],
    ['revoked at once', {}],
    ['never', { 'revoke-old': 'never' }],
    ['nothing to revoke', { ...AFTER, 'keep-previous': '1' }],
    ['a failure', { ...AFTER, 'old-key-ids': '404404' }],
  ])('is nothing where nothing is pending: %s', (_what, inputs) =>
    play(1, async (scene) => {
      const step = await scene.rotate(inputs, { continueOnError: true });
      expect(stateOf(step)).toBe('');
      expect(step.post).toMatchObject({ exitCode: 0, stdout: '', summary: '' });
    }),
  );

  test.concurrent('is written last', () =>
    play(1, async (scene) => {
      const recorder = `data:text/javascript,${encodeURIComponent(RECORDER)}`;
      const step = await scene.rotate(AFTER, { nodeArgs: ['--import', recorder] });
      const done: string[] = JSON.parse(step.stderr.trim());
      expect(done.slice(-2)).toEqual(['printed', 'GITHUB_STATE']);
      expect(done.filter((what) => what === 'GITHUB_STATE')).toHaveLength(2);
      expect(done).toContain('GITHUB_OUTPUT');
    }));
});

describe('a job that does not get there', () => {
  test.concurrent('fails: both keys stay, and the next rotation is due', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const step = await scene.rotate(AFTER, { jobSucceeds: false });
      expect(step.post).toBeUndefined();
      expect(scene.valid()).toEqual([first, step.outputs['key-id']]);
      scene.simulator.clock.advance(11 * 60_000);
      const next = await scene.rotate({ ...AFTER, 'rotate-after': '30d' });
      expect(next.outputs.result).toBe('rotated');
      expect(scene.valid()).toEqual([next.outputs['key-id']]);
    }));

  test.concurrent('main failed under continue-on-error: the post step does nothing', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const fault = { kind: 'status' as const, status: 502 };
      scene.simulator.github.faults.add({ match: { method: 'PUT' }, fault });
      const options: Partial<StepOptions> = { continueOnError: true };
      const step = await scene.rotate({ ...AFTER, 'max-retries': '1' }, options);
      expect(step.exitCode).toBe(1);
      expect(step.post).toMatchObject({ exitCode: 0, stdout: '' });
      expect(scene.valid()).toEqual([first, step.outputs['key-id']]);
    }));
});

describe('nothing is revoked, and the job fails, where', () => {
  test.concurrent('somebody else wrote the secret during the job', () =>
    play(1, async (scene) => {
      const { simulator } = scene;
      const { key } = simulator.addKey(simulator.account, { name: 'by hand' });
      const updatedAt = simulator.clock.now() + 60_000;
      duringTheJob(scene, () =>
        simulator.github.putSecret(scene.targets[0] ?? '', SECRET, key, { updatedAt }),
      );
      const step = await scene.rotate(AFTER);
      expectNothingRevoked(scene, step, 'Somebody else wrote the secret');
      expect(step.post ? said('error', step.post) : '').toContain('a list shows as valid');
    }));

  test.concurrent('somebody put the old key back', () =>
    play(1, async (scene) => {
      const { simulator } = scene;
      const old = scene.stored();
      const updatedAt = simulator.clock.now() + 60_000;
      duringTheJob(scene, () =>
        simulator.github.putSecret(scene.targets[0] ?? '', SECRET, old, { updatedAt }),
      );
      expectNothingRevoked(scene, await scene.rotate(AFTER), 'Somebody else wrote the secret');
    }));

  test.concurrent('the token of the app has run out', () =>
    play(1, async (scene) => {
      const { github } = scene.simulator;
      duringTheJob(scene, () => github.revokeToken(github.token));
      const words = 'The token in github-token is wrong or has expired';
      expectNothingRevoked(scene, await scene.rotate(AFTER), words);
    }));

  test.concurrent('the secret is gone', () =>
    play(1, async (scene) => {
      const path = new RegExp(`${SECRET}$`);
      const fault = { kind: 'status' as const, status: 404 };
      scene.simulator.github.faults.add({ match: { method: 'GET', path, after: 2 }, fault });
      expectNothingRevoked(scene, await scene.rotate(AFTER), 'it is gone');
    }));

  test.concurrent('the repository moved', () =>
    play(1, async (scene) => {
      const { github } = scene.simulator;
      duringTheJob(scene, () => github.moveRepository('octo-org/shop', 'octo-org/store'));
      const step = await scene.rotate(AFTER);
      expectNothingRevoked(scene, step, 'the repository has moved');
    }));
});

describe('a revocation that fails', () => {
  test.concurrent('the new key is refused: red, and no key is called revoked', () =>
    play(0, async (scene) => {
      const old = [scene.first, scene.addKey(50 * DAY)];
      const fault = { kind: 'status' as const, status: 401 };
      scene.simulator.faults.add({ match: { method: 'DELETE' }, fault });
      const step = await scene.rotate();
      expect(idsOf(step).pending).toEqual(old);
      expect(step.post?.exitCode).toBe(1);
      expect(said('error', step.post ?? step)).toContain(
        `Not revoked: keys ${old.join(' and ')} (a list shows as valid`,
      );
      expect(scene.valid()).toEqual([...old, step.outputs['key-id']]);
    }));

  test.concurrent('one of two: the other goes, and the job is red', () =>
    play(0, async (scene) => {
      const [first, second] = [scene.first, scene.addKey(50 * DAY)];
      const fault = { kind: 'status' as const, status: 403 };
      scene.simulator.faults.add({ match: { path: `/api_keys/${first}` }, fault });
      const step = await scene.rotate();
      expect(step.post?.exitCode).toBe(1);
      expect(said('error', step.post ?? step)).toContain(`Not revoked: key ${first}`);
      expect(scene.valid()).not.toContain(second);
    }));

  test.concurrent('the service cannot be reached: it does not say what is valid', () =>
    play(0, async (scene) => {
      scene.simulator.faults.add({ match: { method: 'DELETE' }, fault: { kind: 'reset' } });
      const broken = { kind: 'status' as const, status: 500 };
      scene.simulator.faults.add({ match: { method: 'GET', after: 3 }, fault: broken });
      const step = await scene.rotate({ 'max-retries': '1' });
      expect(step.post?.exitCode).toBe(1);
      expect(said('error', step.post ?? step)).toContain(
        `Perhaps revoked, because no answer came and the list could not be read: key ${scene.first}.`,
      );
    }));

  test.concurrent('a rotation that came after has the last word', () =>
    play(0, async (scene) => {
      const { simulator } = scene;
      const rotated = simulator.account.keys;
      simulator.faults.add({
        match: { method: 'DELETE', nth: 1 },
        before: () => {
          const [, ...mine] = rotated.filter(({ name }) => name === KEY_NAME);
          for (const key of mine) simulator.revokeKey(key);
        },
      });
      const step = await scene.rotate();
      expect(step.post?.exitCode).toBe(1);
      expect(scene.valid()).toEqual(idsOf(step).pending);
    }));

  test.concurrent('cancelled: what is not begun is left', () =>
    play(0, async (scene) => {
      const [first, second] = [scene.first, scene.addKey(50 * DAY)];
      scene.simulator.faults.add({
        match: { method: 'DELETE', nth: 1 },
        before: () => scene.signal('SIGINT'),
      });
      const step = await scene.rotate();
      expect(step.post).toMatchObject({ exitCode: 1, signal: null });
      expect(said('error', step.post ?? step)).toContain(
        `Not revoked: key ${second} (a list shows as valid: ${second})`,
      );
      expect(scene.valid()).not.toContain(first);
    }));
});

/** Notes, in their order, what a process printed and which of the runner's files it wrote to. */
const RECORDER = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const done = [];
  const names = Object.fromEntries(
    ['GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY'].map((name) => [process.env[name], name]),
  );
  const append = fs.appendFileSync;
  fs.appendFileSync = (path, ...rest) => {
    done.push(names[path] ?? 'a file');
    return append(path, ...rest);
  };
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (text, ...rest) => {
    if (text !== '') done.push('printed');
    return write(text, ...rest);
  };
  process.on('exit', () => fs.writeSync(2, JSON.stringify(done)));
  syncBuiltinESMExports();
`;
