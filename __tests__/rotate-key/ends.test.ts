import { describe, expect, test } from '@jest/globals';
import type { StepResult } from '../../harness/run-step.ts';
import type { Fault, Rule } from '../../simulator/server.ts';
import { DAY, idsOf, play, type RotationScene, said } from '../support/rotation.ts';

/*
 * That every output is set, that ids are numbers and that only what was done is green is checked of every run in every test
 * here and beside (`checkOutputs` in the scene).
 */

describe('outputs without a secret to store', () => {
  test.concurrent('`immediately` warns that nobody holds the new key yet', () =>
    play(0, async (scene) => {
      const { first } = scene;
      const step = await scene.rotate({ 'revoke-old': 'immediately' });
      expect(step.outputs).toMatchObject({ result: 'rotated', rotated: 'true', 'stored-in': '[]' });
      expect(idsOf(step)).toEqual({ revoked: [first], pending: [], kept: [] });
      expect(said('warning', step)).toContain('before anybody holds the new one');
    }));

  test.concurrent('a dry run of it warns, too', () =>
    play(0, async (scene) => {
      const step = await scene.rotate({ 'revoke-old': 'immediately', 'dry-run': 'true' });
      expect(step.outputs.result).toBe('dry-run');
      expect(said('warning', step)).toContain('before anybody holds the new one');
    }));

  test.concurrent('the first key of a name', () =>
    play(0, async (scene) => {
      const step = await scene.rotate({ 'key-name': 'octo-org/shop/other' });
      expect(step.outputs).toMatchObject({ result: 'rotated', rotated: 'true' });
      expect(idsOf(step)).toEqual({ revoked: [], pending: [], kept: [] });
      expect(step.outputs['key-id']).toMatch(/^\d+$/);
    }));
});

test.concurrent('kept-key-ids are keys that the last list shows', () =>
  play(1, async (scene) => {
    const { simulator, first } = scene;
    const second = scene.addKey(50 * DAY);
    const kept = simulator.account.keys.find(({ id }) => String(id) === first);
    simulator.faults.add({
      match: { method: 'DELETE' },
      fault: { kind: 'status', status: 403 },
      before: () => kept && simulator.revokeKey(kept),
    });
    const step = await scene.rotate({ 'keep-previous': '1' });
    expect(idsOf(step)).toEqual({ revoked: [], pending: [], kept: [second] });
  }));

describe('the end of a run that never began', () => {
  const empty = {
    result: 'failed',
    rotated: 'false',
    'api-key': '',
    'key-id': '',
    'revoked-key-ids': '[]',
    'pending-key-ids': '[]',
    'kept-key-ids': '[]',
    'stored-in': '[]',
  };

  test.concurrent.each<[string, Record<string, string>]>([
    ['bad input', { 'key-name': '' }],
    ['a wrong key', { 'api-key': 'simulated_key_ofSomebodyElse' }],
    ['a service that is not there', { 'base-url': 'http://127.0.0.1:1/api/v2' }],
  ])('%s', (_what, inputs) =>
    play(1, async (scene) => {
      const step = await scene.rotate({ 'max-retries': '1', ...inputs });
      expect(step.outputs).toMatchObject(empty);
      expect(scene.count('POST')).toBe(0);
    }),
  );
});

describe('a crash', () => {
  /** Throws in the process at the moment of a request, where nothing catches it. */
  async function crash(scene: RotationScene, rule: Rule): Promise<StepResult> {
    const script = "process.on('SIGUSR2', () => { throw new Error('sabotage'); });";
    const url = `data:text/javascript,${encodeURIComponent(script)}`;
    const before = (): Promise<void> => scene.signal('SIGUSR2');
    scene.simulator.faults.add({ ...rule, before });
    return scene.rotate({}, { nodeArgs: ['--import', url] });
  }

  test.concurrent('before the creation', () =>
    play(1, async (scene) => {
      const step = await crash(scene, { match: { method: 'GET', nth: 1 } });
      expect(step.exitCode).toBe(1);
      expect(said('error', step)).toContain('sabotage');
      expect(step.outputs).toMatchObject({ result: 'failed', 'key-id': '' });
    }));

  test.concurrent('after it: the new key is handed on', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const step = await crash(scene, { match: { method: 'GET', nth: 3 } });
      expect(step.outputs).toMatchObject({ result: 'failed', 'api-key': scene.stored() });
      expect(scene.valid()).toEqual([first, step.outputs['key-id']]);
      const next = await scene.rotateLater();
      expect(scene.valid()).toEqual([next.outputs['key-id']]);
    }));

  test.concurrent('while the state is saved: what was done is told, and the step is red', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const script = `
        import fs from 'node:fs';
        import { syncBuiltinESMExports } from 'node:module';
        const append = fs.appendFileSync;
        fs.appendFileSync = (path, text, ...rest) => {
          if (path === process.env.GITHUB_STATE && text.includes('newKey')) throw new Error('disk full');
          return append(path, text, ...rest);
        };
        syncBuiltinESMExports();`;
      const url = `data:text/javascript,${encodeURIComponent(script)}`;
      const options = { nodeArgs: ['--import', url] };
      const step = await scene.rotate({ 'revoke-old': 'after-job' }, options);
      expect(step.outputs).toMatchObject({
        result: 'failed',
        rotated: 'true',
        'api-key': scene.stored(),
        'stored-in': '["repository:octo-org/shop"]',
      });
      expect(scene.valid()).toEqual([first, step.outputs['key-id']]);
    }));
});

describe('cancelled', () => {
  const hang: Fault = { kind: 'hang' };
  const lost: Fault = { kind: 'hang', act: true };
  const put = { method: 'PUT', nth: 1 };
  const none = 'No new key is left of this run.';
  const unsure = 'could not be checked';
  const listed = 'A list read after the fault shows as valid: keys NEW and OLD';

  interface Moment {
    side: 'service' | 'github';
    rule: Rule;
    says: string;
    /** How many keys of the name are valid at the end. */
    valid: number;
    rotated?: string;
  }
  test.concurrent.each<[string, Moment]>([
    [
      'at the first look',
      { side: 'service', rule: { fault: hang }, says: 'Nothing was created.', valid: 1 },
    ],
    [
      'at the look at a target',
      { side: 'github', rule: { fault: hang }, says: 'Nothing was created.', valid: 1 },
    ],
    [
      'before the creation',
      { side: 'github', rule: { match: { nth: 2 } }, says: 'Nothing was created.', valid: 1 },
    ],
    [
      'in a creation that is answered',
      { side: 'service', rule: { match: { method: 'POST' } }, says: none, valid: 1 },
    ],
    [
      'in a creation whose answer is cut off',
      {
        side: 'service',
        rule: { match: { method: 'POST' }, fault: { kind: 'act-then-cut' } },
        says: 'Of this run or of another rotation: key NEW',
        valid: 2,
      },
    ],
    [
      'in a creation that is never answered',
      {
        side: 'service',
        rule: { match: { method: 'POST' }, fault: lost },
        says: unsure,
        valid: 2,
      },
    ],
    [
      'at the proof',
      { side: 'service', rule: { match: { method: 'GET', nth: 2 } }, says: none, valid: 1 },
    ],
    [
      'in a store that is answered',
      { side: 'github', rule: { match: put }, says: listed, valid: 2, rotated: 'true' },
    ],
    [
      'in a store that is never answered',
      { side: 'github', rule: { match: put, fault: lost }, says: unsure, valid: 2 },
    ],
    [
      'at the second proof',
      {
        side: 'service',
        rule: { match: { method: 'GET', nth: 3 } },
        says: listed,
        valid: 2,
        rotated: 'true',
      },
    ],
    [
      'before the revocation',
      {
        side: 'github',
        rule: { match: { method: 'GET', nth: 4 } },
        says: listed,
        valid: 2,
        rotated: 'true',
      },
    ],
    [
      'in a revocation that is never answered',
      {
        side: 'service',
        rule: { match: { method: 'DELETE' }, fault: lost },
        says: unsure,
        valid: 1,
        rotated: 'true',
      },
    ],
  ])('%s', (_when, { side, rule, says, valid, rotated = 'false' }) =>
    play(1, async (scene) => {
      const { first: old, nextId, simulator } = scene;
      const faults = side === 'service' ? simulator.faults : simulator.github.faults;
      faults.add({ ...rule, before: () => scene.signal('SIGINT') });
      const step = await scene.rotate();
      expect(step).toMatchObject({ exitCode: 1, signal: null });
      expect(step.outputs.rotated).toBe(rotated);
      const message = said('error', step);
      expect(message).toContain('Cancelled');
      expect(message).toContain(says.replace('NEW', nextId).replace('OLD', old));
      expect(scene.valid()).toHaveLength(valid);
      const next = await scene.rotateLater();
      expect(scene.valid()).toEqual([next.outputs['key-id']]);
    }),
  );

  test.concurrent('between three stores: what is stored stays, and nothing more is begun', () =>
    play(3, async (scene) => {
      const { first } = scene;
      const before = (): Promise<void> => scene.signal('SIGINT');
      scene.simulator.github.faults.add({ match: put, before });
      const step = await scene.rotate();
      expect(step.outputs['stored-in']).toBe('["repository:octo-org/shop"]');
      expect(scene.count('PUT', 'github')).toBe(1);
      expect(scene.valid()).toEqual([first, step.outputs['key-id']]);
      expect(said('error', step)).toContain(
        `shows as valid: keys ${step.outputs['key-id']} and ${first}`,
      );
    }));

  test.concurrent('between two revocations: the second key stays, and is named', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const second = scene.addKey(50 * DAY);
      const before = (): Promise<void> => scene.signal('SIGINT');
      scene.simulator.faults.add({ match: { method: 'DELETE', nth: 1 }, before });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'true' });
      expect(idsOf(step)).toEqual({ revoked: [first], pending: [], kept: [second] });
      expect(said('error', step)).toContain(`keys ${step.outputs['key-id']} and ${second}`);
      expect(scene.count('DELETE')).toBe(1);
    }));

  test.concurrent('while a new key is waited for: it is not waited for on', () =>
    play(1, async (scene) => {
      const before = scene.valid();
      const fault: Fault = { kind: 'status', status: 401 };
      const match = { method: 'GET', keyId: scene.nextId };
      scene.simulator.faults.add({ match, fault });
      scene.simulator.faults.add({
        match: { ...match, nth: 2 },
        before: () => scene.signal('SIGINT'),
      });
      const step = await scene.rotate();
      expect(step.outputs['key-id']).toBe('');
      expect(scene.count('GET /api_keys')).toBeLessThan(5);
      expect(scene.valid()).toEqual(before);
    }));

  test.concurrent('in ordinary time: it ends before the runner’s second signal', () =>
    play(1, async (scene) => {
      const { first } = scene;
      // The second proof ends at once; the list that tells what is valid may take the time that is left.
      scene.simulator.faults.add({ match: { method: 'GET', after: 2 }, fault: hang });
      const step = await scene.rotate(
        {},
        {
          env: { TIME_LAPSE: '1' },
          cancelAfter: (line) => line.startsWith('Stored the new key'),
        },
      );
      expect(step).toMatchObject({ cancelled: true, exitCode: 1, signal: null });
      expect(step.durationMs).toBeGreaterThan(5000);
      expect(step.durationMs).toBeLessThan(7500);
      expect(scene.valid()).toEqual([first, step.outputs['key-id']]);
      for (const id of scene.valid()) expect(said('error', step)).toContain(id);
    }));
});
