import { describe, expect, test } from '@jest/globals';
import type { Fault } from '../../simulator/server.ts';
import { DAY, idsOf, play, type RotationScene, said } from '../support/rotation.ts';

const KEYS = '/api_keys';

/** What happens to so many of the requests of a method to the keys. */
function spoil(scene: RotationScene, method: string, fault: Fault, match = {}): void {
  scene.simulator.faults.add({ match: { method, path: /^\/api_keys/, ...match }, fault });
}

describe('a new key that is not known everywhere yet', () => {
  test.concurrent('is waited for', () =>
    play(
      1,
      async (scene) => {
        const step = await scene.rotate();
        expect(step.outputs.result).toBe('rotated');
        // The proof before the store was asked more than once.
        expect(scene.count('GET /api_keys')).toBeGreaterThan(3);
        expect(scene.valid()).toEqual([step.outputs['key-id']]);
      },
      { keys: { propagationMs: 500 } },
    ));

  test.concurrent('is waited for at every use', () =>
    play(1, async (scene) => {
      scene.addKey(50 * DAY);
      const unknown: Fault = { kind: 'status', status: 401 };
      const keyId = scene.nextId;
      for (const nth of [1, 2, 4]) spoil(scene, 'GET', unknown, { keyId, nth });
      for (const nth of [1, 3]) spoil(scene, 'DELETE', unknown, { keyId, nth });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      expect(idsOf(step).revoked).toHaveLength(2);
      expect(scene.count('DELETE')).toBe(4);
    }));

  test.concurrent('and never is, is taken back with the old one', () =>
    play(1, async (scene) => {
      const before = [scene.valid(), scene.stored()];
      spoil(scene, 'GET', { kind: 'status', status: 401 }, { keyId: scene.nextId });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', 'key-id': '', 'stored-in': '[]' });
      expect(said('error', step)).toContain('No new key is left of this run.');
      expect([scene.valid(), scene.stored()]).toEqual(before);
      expect(scene.count('PUT', 'github')).toBe(0);
    }));

  test.concurrent('and is refused at the revocation: both stay, and it is not waited for twice', () =>
    play(1, async (scene) => {
      scene.addKey(50 * DAY);
      const before = scene.valid();
      spoil(scene, 'DELETE', { kind: 'status', status: 401 });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'true' });
      expect(step.exitCode).toBe(1);
      const { revoked, kept } = idsOf(step);
      expect([revoked, kept.toSorted()]).toEqual([[], before]);
      expect(scene.valid()).toEqual([...before, step.outputs['key-id']]);
      // Some thirty times for the first key, a second apart, and once for the other.
      const [first = 0, second] = before.map((id) => scene.count(`DELETE ${KEYS}/${id}`));
      expect(first).toBeGreaterThan(10);
      expect(second).toBe(1);
    }));
});

describe('creating', () => {
  test.concurrent('503 is tried again, and makes one key', () =>
    play(1, async (scene) => {
      spoil(scene, 'POST', { kind: 'status', status: 503 }, { times: 2 });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      expect(scene.valid()).toEqual([step.outputs['key-id']]);
    }));

  test.concurrent('lost twice ends the step, and names what appeared', () =>
    play(1, async (scene) => {
      const { first } = scene;
      spoil(scene, 'POST', { kind: 'act-then-cut' });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', 'key-id': '' });
      expect(scene.count('POST')).toBe(2);
      const [, ...appeared] = scene.valid();
      expect(appeared).toHaveLength(2);
      expect(said('warning', step)).toContain(`keys ${appeared.join(' and ')} appeared`);
      expect(said('error', step)).toContain(
        `Of this run or of another rotation: keys ${appeared.join(' and ')}`,
      );
      expect(said('error', step)).not.toContain('No new key is left');
      expect(step.summary).toContain(appeared[1]);
      expect(idsOf(step).kept).toEqual([first]);
      const next = await scene.rotateLater();
      expect(scene.valid()).toEqual([next.outputs['key-id']]);
    }));

  test.concurrent('lost, and the list cannot be read: it does not say that nothing is left', () =>
    play(1, async (scene) => {
      spoil(scene, 'POST', { kind: 'act-then-cut' });
      spoil(scene, 'GET', { kind: 'status', status: 403 }, { after: 1 });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('failed');
      expect(scene.count('POST')).toBe(1);
      expect(said('error', step)).toContain('whether it is there could not be checked');
      expect(said('error', step)).not.toContain('No new key is left');
    }));

  test.concurrent('a key that shows only after the second creation is named, too', () =>
    play(1, async (scene) => {
      spoil(scene, 'POST', { kind: 'reset' }, { times: 1 });
      let late = '';
      scene.simulator.faults.add({
        match: { method: 'POST', nth: 2 },
        before: () => {
          late = scene.addKey(0);
        },
      });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      expect(said('warning', step)).toContain(`key ${late} appeared`);
    }));

  test.concurrent.each<[string, Fault]>([
    ['not JSON', { kind: 'truncated' }],
    ['cut', { kind: 'cut' }],
    ['an id with a fraction', { kind: 'set', set: { id: 1.5 } }],
    ['an id that is text', { kind: 'set', set: { id: '165436' } }],
    ['an id beyond JSON’s numbers', { kind: 'set', set: { id: 1e21 } }],
    ['no id', { kind: 'set', remove: ['id'] }],
    ['an empty key', { kind: 'set', set: { key: '' } }],
    ['a key in an array', { kind: 'transform', transform: ({ id, key }) => ({ id, key: [key] }) }],
    ['an array', { kind: 'transform', transform: (body) => [body] }],
    ['the key in a message', { kind: 'transform', transform: ({ key }) => ({ message: key }) }],
  ])('an answer with %s is a lost one, and nothing of it is shown', (_what, fault) =>
    play(1, async (scene) => {
      spoil(scene, 'POST', fault, { times: 1 });
      const step = await scene.rotate({}, { debug: true });
      expect(step.outputs.result).toBe('rotated');
      const [, lost] = [scene.valid().at(-1), scene.valid()[0]];
      expect(said('warning', step)).toContain(`key ${lost} appeared`);
      expect(scene.valid()).toEqual([lost, step.outputs['key-id']]);
    }),
  );

  test.concurrent('an id that an earlier key has is not believed, and that key is not revoked', () =>
    play(1, async (scene) => {
      const other = scene.addKey(50 * DAY);
      spoil(scene, 'POST', { kind: 'set', set: { id: Number(other) } });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('failed');
      expect(said('error', step)).toContain(`the id ${other}, which an earlier key has`);
      expect(scene.valid()).toContain(other);
      expect(scene.count('DELETE')).toBe(0);
    }));

  test.concurrent('refused is an end, and nothing is left', () =>
    play(1, async (scene) => {
      spoil(scene, 'POST', { kind: 'status', status: 400, message: 'too many keys' });
      const step = await scene.rotate();
      expect(said('error', step)).toContain('(too many keys');
      expect(said('error', step)).toContain('No new key is left of this run.');
      expect(scene.count('POST')).toBe(1);
    }));

  test.concurrent('an answer that is five minutes late leaves no time to store', () =>
    play(1, async (scene) => {
      const before = [scene.valid(), scene.stored()];
      spoil(scene, 'POST', { kind: 'delay', ms: 1600 });
      const options = { env: { TIME_LAPSE: '200' } };
      const step = await scene.rotate({ 'request-timeout': '10m' }, options);
      expect(step.outputs.result).toBe('failed');
      expect(said('error', step)).toContain('too much time has passed since the key was created');
      expect([scene.valid(), scene.stored()]).toEqual(before);
    }));
});

describe('revoking', () => {
  test.concurrent('404 counts as revoked', () =>
    play(1, async (scene) => {
      const { simulator, first } = scene;
      const [, key] = simulator.account.keys;
      simulator.faults.add({
        match: { method: 'DELETE' },
        before: () => key && simulator.revokeKey(key),
      });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      expect(idsOf(step).revoked).toEqual([first]);
      // No list is needed to believe it.
      expect(scene.count('GET /api_keys')).toBe(3);
    }));

  test.concurrent('an answer that was lost is checked against the list', () =>
    play(1, async (scene) => {
      spoil(scene, 'DELETE', { kind: 'act-then-cut' });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      expect(scene.count('DELETE')).toBe(1);
    }));

  test.concurrent('a request that was lost is sent again', () =>
    play(1, async (scene) => {
      spoil(scene, 'DELETE', { kind: 'reset' }, { times: 2 });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      expect(scene.count('DELETE')).toBe(3);
      expect(scene.valid()).toEqual([step.outputs['key-id']]);
    }));

  test.concurrent.each<[string, Record<string, unknown>]>([
    ['revoked: false', { revoked: false }],
    ['no word of it', { revoked: null }],
  ])('%s is checked against the list: gone is gone', (_what, set) =>
    play(1, async (scene) => {
      spoil(scene, 'DELETE', { kind: 'set', set });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
    }),
  );

  test.concurrent('revoked: false, and the key is there: red, and named', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const text = `{"id":${first},"revoked":false}`;
      const body = { text, type: 'application/json' };
      spoil(scene, 'DELETE', { kind: 'status', status: 200, body });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'true' });
      expect(said('error', step)).toContain(`The service did not revoke key ${first}.`);
      expect(idsOf(step)).toEqual({ revoked: [], pending: [], kept: [first] });
    }));

  test.concurrent('refused for one of three: the rest go, and the step is red', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const [second, third] = [scene.addKey(50 * DAY), scene.addKey(60 * DAY)];
      spoil(scene, 'DELETE', { kind: 'status', status: 403 }, { path: `${KEYS}/${second}` });
      const step = await scene.rotate();
      expect(step.exitCode).toBe(1);
      expect(step.outputs).toMatchObject({
        result: 'failed',
        rotated: 'true',
        'api-key': scene.stored(),
      });
      expect(idsOf(step)).toEqual({ revoked: [first, third], pending: [], kept: [second] });
      expect(said('error', step)).toContain(
        `revoke the API key ${second}: the service answered 403`,
      );
      expect(said('error', step)).toContain('A list read after the fault shows as valid');
    }));
});

describe('taking the new key back', () => {
  test.concurrent('with the new key itself where the old one is refused', () =>
    play(1, async (scene) => {
      const before = scene.valid();
      const [, old] = scene.simulator.account.keys;
      scene.simulator.github.faults.add({
        match: { method: 'PUT' },
        fault: { kind: 'status', status: 403 },
      });
      spoil(scene, 'DELETE', { kind: 'status', status: 401 }, { keyId: String(old?.id) });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', 'key-id': '' });
      expect(scene.count('DELETE')).toBe(2);
      expect(scene.valid()).toEqual(before);
    }));

  test.concurrent('where that fails, too, it is named and handed on', () =>
    play(1, async (scene) => {
      const { first } = scene;
      scene.simulator.github.faults.add({
        match: { method: 'PUT' },
        fault: { kind: 'status', status: 403 },
      });
      spoil(scene, 'DELETE', { kind: 'status', status: 403 });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'false', 'stored-in': '[]' });
      const id = step.outputs['key-id'] ?? '';
      expect(scene.valid()).toEqual([first, id]);
      const value = scene.simulator.account.keys.find((key) => String(key.id) === id)?.key;
      expect(step.outputs['api-key']).toBe(value);
      expect(said('error', step)).toContain(`shows as valid: keys ${id} and ${first}`);
      // Nobody stored it, and so the next rotation takes it for what it is.
      const next = await scene.rotateLater();
      expect(scene.valid()).toEqual([next.outputs['key-id']]);
    }));
});

test.concurrent('the key of an organisation: the first look says where such keys live', () =>
  play(1, async (scene) => {
    spoil(scene, 'GET', { kind: 'status', status: 403 });
    const step = await scene.rotate();
    expect(said('error', step)).toContain('those of an organisation live elsewhere');
    expect(step.outputs['kept-key-ids']).toBe('[]');
  }));
