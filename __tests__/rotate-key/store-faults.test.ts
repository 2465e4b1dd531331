import { describe, expect, test } from '@jest/globals';
import type { Fault } from '../../simulator/server.ts';
import { DAY, idsOf, play, type RotationScene, said } from '../support/rotation.ts';

/** What befalls the PUTs to GitHub, one after the other; those after the last go through. */
function spoil(scene: RotationScene, ...faults: (Fault | undefined)[]): void {
  for (const [index, fault] of faults.entries()) {
    const match = { method: 'PUT', nth: index + 1 };
    if (fault) scene.simulator.github.faults.add({ match, fault });
  }
}

const bad: Fault = { kind: 'status', status: 502 };
const refused: Fault = { kind: 'status', status: 403 };
const SECONDARY = 'You have exceeded a secondary rate limit. Please wait a few minutes.';

describe('a store that is tried again', () => {
  test.concurrent.each<[string, Fault]>([
    ['502', bad],
    ['a cut connection', { kind: 'act-then-cut' }],
    ['a reset', { kind: 'reset' }],
    ['not HTTP', { kind: 'garbage' }],
    ['a web page', { kind: 'status', status: 200, body: 'html' }],
    ['429 with retry-after', { kind: 'status', status: 429, retryAfter: 3 }],
    ['403 with retry-after', { kind: 'status', status: 403, retryAfter: 3, message: SECONDARY }],
  ])('%s, then stored', (_what, fault) =>
    play(1, async (scene) => {
      spoil(scene, fault);
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      expect(scene.count('PUT', 'github')).toBe(2);
      expect(scene.valid()).toEqual([step.outputs['key-id']]);
    }),
  );

  test.concurrent('a secondary limit that does not say how long is waited for a minute', () =>
    play(1, async (scene) => {
      spoil(scene, { kind: 'status', status: 403, message: SECONDARY });
      const step = await scene.rotate({}, { env: { TIME_LAPSE: '100' } });
      expect(step.outputs.result).toBe('rotated');
      const [first, second] = scene.simulator.github.requests.filter(
        ({ method }) => method === 'PUT',
      );
      expect((second?.realTime ?? 0) - (first?.realTime ?? 0)).toBeGreaterThan(550);
    }));

  test.concurrent('a primary limit is waited for until its reset', () =>
    play(1, async (scene) => {
      const { simulator } = scene;
      const reset = Math.ceil(simulator.clock.now() / 1000) + 20;
      const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
      spoil(scene, { kind: 'status', status: 403, headers });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      const [first, second] = simulator.github.requests.filter(({ method }) => method === 'PUT');
      expect((second?.realTime ?? 0) - (first?.realTime ?? 0)).toBeGreaterThan(700);
    }));

  test.concurrent('a limit longer than two minutes is a failure, and the new key goes', () =>
    play(1, async (scene) => {
      const before = scene.valid();
      spoil(scene, { kind: 'status', status: 429, retryAfter: 121 });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', 'key-id': '' });
      expect(scene.count('PUT', 'github')).toBe(1);
      expect(scene.valid()).toEqual(before);
    }));
});

describe('a store in doubt', () => {
  test.concurrent.each<[string, Fault[]]>([
    ['502, then 403', [bad, refused]],
    [
      'an answer that was lost, then 422',
      [{ kind: 'act-then-cut' }, { kind: 'status', status: 422 }],
    ],
    ['502 to the end', [bad, bad, bad]],
  ])('%s: it is perhaps stored, and nothing is revoked', (_what, faults) =>
    play(1, async (scene) => {
      const { first } = scene;
      spoil(scene, ...faults);
      const step = await scene.rotate({ 'max-retries': '2' });
      expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'false', 'stored-in': '[]' });
      expect(scene.valid()).toEqual([first, step.outputs['key-id']]);
      expect(scene.count('DELETE')).toBe(0);
      expect(said('error', step)).toContain('It may be stored in repository:octo-org/shop');
      expect(step.summary).toContain('perhaps stored');
      const next = await scene.rotateLater();
      expect(scene.valid()).toEqual([next.outputs['key-id']]);
    }),
  );

  test.concurrent('200 is not what GitHub says: it is perhaps stored', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const page: Fault = { kind: 'status', status: 200, body: 'html' };
      scene.simulator.github.faults.add({ match: { method: 'PUT' }, fault: page });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'false' });
      expect(said('error', step)).toContain('the answer (200) is not what was asked for');
      expect(scene.valid()).toEqual([first, step.outputs['key-id']]);
    }));

  test.concurrent('204 for a secret that stays as it was: the old key, which it holds, stays', () =>
    play(3, async (scene) => {
      const { first } = scene;
      spoil(scene, undefined, { kind: 'status', status: 204 });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed' });
      expect(said('error', step)).toContain('production is still the one of');
      expect(scene.count('DELETE')).toBe(0);
      expect(scene.valid()).toEqual([first, step.outputs['key-id']]);
    }));

  test.concurrent('a store that shows only seconds later is waited for', () =>
    play(1, async (scene) => {
      const updated = new Date(scene.simulator.clock.now() - 40 * DAY);
      const updated_at = updated.toISOString().replace(/\.\d+/, '');
      for (const nth of [1, 2, 3, 4]) {
        scene.simulator.github.faults.add({
          match: { method: 'GET', path: /DATABASE_API_KEY$/, nth },
          fault: { kind: 'set', set: { updated_at } },
        });
      }
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
    }));

  test.concurrent('502, then refused, then stored, is stored', () =>
    play(2, async (scene) => {
      spoil(scene, bad, { kind: 'status', status: 429 }, undefined);
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
    }));
});

describe('several places', () => {
  test.concurrent('the rest are tried after one that is refused, and nothing is revoked', () =>
    play(3, async (scene) => {
      const { first } = scene;
      spoil(scene, refused);
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({
        result: 'failed',
        rotated: 'false',
        'key-id': scene.valid()[1],
      });
      expect(JSON.parse(step.outputs['stored-in'] ?? '')).toEqual(scene.targets.slice(1));
      expect(idsOf(step)).toEqual({ revoked: [], pending: [], kept: [first] });
      expect(step.summary).toContain('not stored');
    }));

  test.concurrent('one in doubt and the others refused: nothing is revoked, not even the new key', () =>
    play(3, async (scene) => {
      const { first } = scene;
      spoil(scene, refused, { kind: 'act-then-cut' }, refused, refused);
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', 'stored-in': '[]' });
      expect(scene.valid()).toEqual([first, step.outputs['key-id']]);
    }));

  test.concurrent('all refused: the new key goes, and the step says why for each', () =>
    play(3, async (scene) => {
      const before = scene.valid();
      spoil(scene, refused, refused, refused);
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', 'key-id': '' });
      for (const target of scene.targets)
        expect(said('error', step)).toContain(`in ${target}: GitHub answered 403`);
      expect(scene.valid()).toEqual(before);
    }));

  test.concurrent('a public key that was renewed meanwhile: refused, not stored in a box nobody opens', () =>
    play(1, async (scene) => {
      const { simulator } = scene;
      const before = [scene.valid(), scene.stored()];
      simulator.faults.add({
        match: { method: 'POST' },
        before: () => simulator.github.renewPublicKey(scene.targets[0] ?? ''),
      });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', 'key-id': '' });
      expect([scene.valid(), scene.stored()]).toEqual(before);
    }));

  test.concurrent('no try begins five minutes after the creation', () =>
    play(1, async (scene) => {
      const before = [scene.valid(), scene.stored()];
      const limit: Fault = { kind: 'status', status: 429, retryAfter: 110 };
      spoil(scene, limit, limit, limit);
      const step = await scene.rotate({}, { env: { TIME_LAPSE: '150' } });
      expect(step.outputs.result).toBe('failed');
      expect(said('error', step)).toContain('too much time has passed');
      expect(scene.count('PUT', 'github')).toBe(3);
      expect([scene.valid(), scene.stored()]).toEqual(before);
    }));

  test.concurrent('nor after a sleep, which only the wall clock shows', () =>
    play(1, async (scene) => {
      const before = [scene.valid(), scene.stored()];
      const script =
        "process.on('SIGUSR2', () => { const now = Date.now; Date.now = () => now() + 301_000; })";
      const url = `data:text/javascript,${encodeURIComponent(script)}`;
      scene.simulator.faults.add({
        match: { method: 'GET', nth: 2 },
        before: () => scene.signal('SIGUSR2'),
      });
      const step = await scene.rotate({}, { nodeArgs: ['--import', url] });
      expect(said('error', step)).toContain('too much time has passed');
      expect(scene.count('PUT', 'github')).toBe(0);
      expect([scene.valid(), scene.stored()]).toEqual(before);
    }));

  test.concurrent('no try lasts so long, however patient request-timeout is', () =>
    play(1, async (scene) => {
      spoil(scene, { kind: 'hang' });
      const inputs = { 'request-timeout': '20m' };
      const step = await scene.rotate(inputs, { env: { TIME_LAPSE: '200' } });
      expect(step.outputs.result).toBe('rotated');
    }));
});
