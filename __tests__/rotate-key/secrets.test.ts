import { describe, expect, test } from '@jest/globals';
import { type Fault, startSimulator } from '../../simulator/server.ts';
import { DAY, play, type RotationScene, said } from '../support/rotation.ts';

/*
 * Every run of every test with a scene is searched for each key that the account ever had and for the token, in all forms;
 * only the outputs and the state may hold the new key (`#searchForLeaks` in the scene). The runs here provoke it.
 */

const DEBUG = { debug: true };
const AFTER = { 'revoke-old': 'after-job' };

describe('masks', () => {
  test.concurrent('what came in is masked before anything else, what is new in the next statement', () =>
    play(1, async (scene) => {
      const old = scene.stored();
      const step = await scene.rotate({}, DEBUG);
      const lines = step.stdout.split('\n').filter((line) => line !== '');
      const { token } = scene.simulator.github;
      expect(lines.slice(0, 2)).toEqual([`::add-mask::${old}`, `::add-mask::${token}`]);
      const mask = lines.indexOf(`::add-mask::${step.outputs['api-key']}`);
      expect(lines[mask - 1]).toMatch(/^Looked at repository:octo-org\/shop/);
      expect(lines[mask + 1]).toMatch(/^Created key \d+\.$/);
    }));

  test.concurrent('the new key is masked before it is used', () =>
    play(1, async (scene) => {
      scene.simulator.faults.add({
        match: { method: 'GET', nth: 2 },
        before: () => scene.signal('SIGKILL'),
      });
      const step = await scene.rotate();
      expect(step.signal).toBe('SIGKILL');
      expect(step.masks).toContain(scene.simulator.account.keys.at(-1)?.key);
    }));
});

describe('a server that repeats what it was sent', () => {
  const echoes: [string, Fault][] = [
    ['the header', { kind: 'echo-key', status: 400 }],
    ['the header, as a passing fault', { kind: 'echo-key', status: 503 }],
  ];

  for (const method of ['GET', 'POST', 'DELETE']) {
    test.concurrent.each(echoes)(`the service, ${method}: %s`, (_what, fault) =>
      play(1, async (scene) => {
        scene.simulator.faults.add({ match: { method, path: /^\/api_keys/ }, fault });
        const step = await scene.rotate({ 'max-retries': '1' }, DEBUG);
        expect(step.outputs.result).toBe('failed');
        // A creation's answer is not quoted at all where it may hold the new key.
        const isQuoted = !(method === 'POST' && 'status' in fault && fault.status === 503);
        expect(said('error', step).includes('***')).toBe(isQuoted);
      }),
    );
  }

  test.concurrent('the service, at the proof: the new key', () =>
    play(1, async (scene) => {
      const match = { method: 'GET', after: 1 };
      scene.simulator.faults.add({ match, fault: { kind: 'echo-key', status: 403 } });
      const step = await scene.rotate({}, DEBUG);
      expect(said('error', step)).toContain('***');
    }));

  test.concurrent('the service, in the post step', () =>
    play(1, async (scene) => {
      const match = { method: 'DELETE' };
      scene.simulator.faults.add({ match, fault: { kind: 'echo-key', status: 403 } });
      const step = await scene.rotate(AFTER, DEBUG);
      expect(said('error', step.post ?? step)).toContain('***');
    }));

  test.concurrent.each<[string, RegExp, string]>([
    ['the public key', /public-key$/, 'GET'],
    ['the secret', /DATABASE_API_KEY$/, 'GET'],
    ['the store', /DATABASE_API_KEY$/, 'PUT'],
  ])('GitHub, at %s: the token', (_what, path, method) =>
    play(1, async (scene) => {
      const fault: Fault = { kind: 'echo-key', status: 422 };
      scene.simulator.github.faults.add({ match: { method, path }, fault });
      const step = await scene.rotate({}, DEBUG);
      expect(said('error', step)).toContain('***');
    }),
  );

  test.concurrent('names and dates of keys that hold the key', () =>
    play(1, async (scene) => {
      const key = scene.stored();
      const id = scene.addKey(50 * DAY, { name: `x ${key} ${encodeURIComponent(key)}` });
      scene.simulator.faults.add({
        match: { method: 'GET', path: '/api_keys' },
        fault: { kind: 'set', set: { '*.last_used_at': Buffer.from(key).toString('base64') } },
      });
      const step = await scene.rotate({ 'old-key-ids': id, 'dry-run': 'true' }, DEBUG);
      expect(step.log.join('\n')).toMatch(
        new RegExp(`revoke ${id} \\(x \\*{3} \\*{3}, .* old, last used \\*{3}=?\\)`),
      );
    }));
});

describe('an answer that may hold the new key is never quoted', () => {
  test.concurrent.each<[string, Fault]>([
    ['500', { kind: 'status', status: 500, message: 'made simulated_key_unseen' }],
    ['302', { kind: 'status', status: 302, message: 'made simulated_key_unseen' }],
    ['not JSON', { kind: 'status', status: 200, body: { text: '{"key":"simulated_key_unseen' } }],
    ['no id', { kind: 'transform', transform: () => ({ key: 'simulated_key_unseen' }) }],
    [
      'a bad id',
      { kind: 'transform', transform: () => ({ id: 'simulated_key_unseen', key: 'x' }) },
    ],
  ])('%s', (_what, fault) =>
    play(1, async (scene) => {
      scene.simulator.faults.add({ match: { method: 'POST' }, fault });
      const step = await scene.rotate({}, DEBUG);
      expect(step.outputs.result).toBe('failed');
      const shown = [step.stdout, step.stderr, ...Object.values(step.files)].join('\n');
      expect(shown).not.toContain('simulated_key_unseen');
    }),
  );
});

describe('who gets what', () => {
  /** Both sides' headers and bodies, one text each. */
  function sent({ simulator }: RotationScene): { service: string; github: string } {
    const { requests, github } = simulator;
    return { service: JSON.stringify(requests), github: JSON.stringify(github.requests) };
  }

  test.concurrent('GitHub no key, the service no token', () =>
    play(3, async (scene) => {
      const old = scene.stored();
      const step = await scene.rotate(AFTER, DEBUG);
      const { service, github } = sent(scene);
      expect(service).not.toContain(scene.simulator.github.token);
      for (const key of [old, step.outputs['api-key'] ?? '']) {
        expect(service).toContain(key);
        expect(github).not.toContain(key);
        expect(github).not.toContain(Buffer.from(key).toString('base64').slice(0, -2));
      }
    }));

  test.concurrent.each<[string, string, 'service' | 'github']>([
    ['the creation', 'POST', 'service'],
    ['the revocation', 'DELETE', 'service'],
    ['the store', 'PUT', 'github'],
    ['the look', 'GET', 'github'],
  ])('a redirect of %s is not followed', (_what, method, side) =>
    play(1, async (scene) => {
      const elsewhere = await startSimulator();
      try {
        const { simulator } = scene;
        const faults = side === 'service' ? simulator.faults : simulator.github.faults;
        const location = `${side === 'service' ? elsewhere.baseUrl : elsewhere.github.apiUrl}/x`;
        faults.add({ match: { method }, fault: { kind: 'redirect', location, status: 307 } });
        const step = await scene.rotate({ 'max-retries': '1' });
        expect(step.outputs.result).toBe('failed');
        expect([...elsewhere.requests, ...elsewhere.github.requests]).toEqual([]);
      } finally {
        await elsewhere.close();
      }
    }),
  );

  test.concurrent.each(['key-name', 'secret-name', 'secret-targets', 'old-key-ids'])(
    'a key passed as %s is refused, unseen',
    (name) =>
      play(1, async (scene) => {
        const value = name === 'secret-targets' ? `environment:${scene.stored()}` : scene.stored();
        const step = await scene.rotate({ [name]: value }, DEBUG);
        expect(said('error', step)).toContain(
          `${name}: holds the value of api-key or github-token`,
        );
        expect(scene.points()).toEqual([]);
      }),
  );
});
