import { describe, expect, test } from '@jest/globals';
import type { Fault } from '../../simulator/server.ts';
import { DAY, idsOf, MINUTE, play, SECRET, said } from '../support/rotation.ts';

const hang: Fault = { kind: 'hang' };
const html: Fault = {
  kind: 'status',
  status: 200,
  body: { text: '<html>Sign in</html>', type: 'text/html' },
};

describe('GitHub', () => {
  test.concurrent('a deprecated endpoint says nothing to the runner', () =>
    play(1, async (scene) => {
      const headers = {
        deprecation: 'Sat, 01 Nov 2025 00:00:00 GMT',
        sunset: '##[add-mask]octo-org',
        link: '<https://example.com>; rel="deprecation"',
      };
      scene.simulator.github.faults.add({ fault: { kind: 'headers', headers } });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      expect(step.stdout + step.stderr).not.toContain('octo-org"');
      expect(step.masks).not.toContain('octo-org');
      expect(step.stdout + step.stderr).not.toMatch(/deprecated|sunset/i);
    }));

  test.concurrent.each([1, 2, 3])('answer %d as a web page is asked for again', (nth) =>
    play(1, async (scene) => {
      scene.simulator.github.faults.add({ match: { method: 'GET', nth }, fault: html });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      expect(scene.count('POST')).toBe(1);
    }),
  );

  test.concurrent('an address with a slash behind it is the same', () =>
    play(1, async (scene) => {
      const env = { GITHUB_API_URL: `${scene.simulator.github.apiUrl}/` };
      const step = await scene.rotate({}, { env: { TIME_LAPSE: '20', ...env } });
      expect(step.outputs.result).toBe('rotated');
    }));

  test.concurrent('a wait that is too long is named', () =>
    play(1, async (scene) => {
      const fault: Fault = { kind: 'status', status: 429, retryAfter: 2400 };
      scene.simulator.github.faults.add({ fault });
      expect(said('error', await scene.rotate())).toContain('asks to wait 40m');
    }));
});

describe('clocks', () => {
  const young = 5 * MINUTE;

  test.concurrent.each<[string, Record<string, string | null>]>([
    ['tells no time', { date: null }],
    ['tells a time that is two days off', { date: new Date(Date.now() + 2 * DAY).toUTCString() }],
  ])('the service %s, and the runner’s clock is wrong: a young key stays', (_what, headers) =>
    play(1, async (scene) => {
      const other = scene.addKey(young);
      scene.simulator.faults.add({ fault: { kind: 'headers', headers } });
      const ahead =
        'const now = Date.now; const Real = Date; Date.now = () => now() + 172800000;' +
        'globalThis.Date = new Proxy(Real, { construct: (it, args) => ' +
        'args.length === 0 ? new it(Date.now()) : new it(...args) });';
      const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(ahead)}`];
      const step = await scene.rotate({}, { nodeArgs });
      expect(step.outputs.result).toBe('rotated');
      expect(scene.valid()).toContain(other);
      expect(idsOf(step).kept).toContain(other);
      expect(said('warning', step)).toContain(other);
    }),
  );
});

describe('the account', () => {
  test.concurrent('a key that is listed twice is one generation', () =>
    play(1, async (scene) => {
      const { first } = scene;
      scene.simulator.faults.add({
        match: { method: 'GET', path: '/api_keys' },
        fault: {
          kind: 'transform',
          transform: (keys) => [...(keys as object[]), ...(keys as object[])],
        },
      });
      const step = await scene.rotate({ 'keep-previous': '1' });
      expect(step.outputs.result).toBe('rotated');
      expect(scene.valid()).toContain(first);
      expect(idsOf(step).kept).toEqual([first]);
    }));

  test.concurrent('a value that no header can carry is no key', () =>
    play(1, async (scene) => {
      scene.simulator.faults.add({
        match: { method: 'POST' },
        fault: { kind: 'set', set: { key: 'first line\na' } },
      });
      const before = scene.valid();
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'false', 'api-key': '' });
      expect(step.masks).not.toContain('a');
      const appeared = scene.valid().filter((id) => !before.includes(id));
      expect(said('warning', step)).toContain(appeared.join(' and '));
    }));

  test.concurrent('a creation that was called a failure and made a key: the key is named', () =>
    play(1, async (scene) => {
      const fault: Fault = { kind: 'status', status: 503, act: true };
      scene.simulator.faults.add({ match: { method: 'POST', nth: 1 }, fault });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      const [extra] = scene.valid().filter((id) => id !== step.outputs['key-id']);
      expect(said('warning', step)).toContain(`key ${extra} appeared`);
    }));

  test.concurrent('a revocation without an answer or a list since: perhaps revoked, not kept', () =>
    play(1, async (scene) => {
      const { first } = scene;
      scene.simulator.faults.add({
        match: { method: 'DELETE' },
        fault: { kind: 'act-then-cut' },
      });
      const fault: Fault = { kind: 'status', status: 500 };
      scene.simulator.faults.add({ match: { method: 'GET', after: 3 }, fault });
      const step = await scene.rotate({ 'max-retries': '1' });
      expect(step.exitCode).toBe(1);
      expect(idsOf(step)).toMatchObject({ revoked: [], kept: [] });
      expect(said('error', step)).toContain(
        `Perhaps revoked, because no answer came and the list could not be read: key ${first}.`,
      );
      expect(step.summary).toContain('perhaps revoked');
    }));

  test.concurrent('the new key is revoked by somebody else once it is stored: it is said, and not handed on', async () => {
    await expect(
      play(1, async (scene) => {
        const { simulator, nextId } = scene;
        simulator.github.faults.add({
          match: { method: 'PUT' },
          after: () => {
            const key = simulator.account.keys.find(({ id }) => String(id) === nextId);
            if (key) simulator.revokeKey(key);
          },
        });
        const step = await scene.rotate();
        expect(step.outputs).toMatchObject({ result: 'failed', 'api-key': '', 'key-id': '' });
        const message = said('error', step);
        expect(message).toContain(`The new key ${nextId} is valid no more, although it was stored`);
        expect(message).toContain(`shows as valid: key ${scene.first}.`);
        expect(message).not.toContain('secret that is passed as api-key');
        throw new Error('played');
      }),
    ).rejects.toThrow('played');
  });
});

describe('green hides nothing', () => {
  test.concurrent('fresh, and what old-key-ids names is still valid', () =>
    play(1, async (scene) => {
      const other = scene.addKey(90 * DAY, { name: 'by hand' });
      const step = await scene.rotate({ 'rotate-after': '41d', 'old-key-ids': other });
      expect(step.outputs.result).toBe('fresh');
      expect(said('warning', step)).toContain(`stays valid: key ${other}`);
    }));

  test.concurrent('fresh, and the last rotation left more than it should', () =>
    play(1, async (scene) => {
      const { simulator, first } = scene;
      scene.addKey(5 * MINUTE);
      const { key } = simulator.account.keys.at(-1) ?? { key: '' };
      const updatedAt = simulator.clock.now() - 4 * MINUTE;
      simulator.github.putSecret(scene.targets[0] ?? '', SECRET, key, { updatedAt });
      const step = await scene.rotate({ 'rotate-after': '41d' });
      expect(step.outputs.result).toBe('fresh');
      expect(said('warning', step)).toContain(`than keep-previous leaves: key ${first}`);
    }));

  test.concurrent('no earlier key has the name', () =>
    play(1, async (scene) => {
      const step = await scene.rotate({ 'key-name': 'octo-org/shop/other' });
      expect(step.outputs.result).toBe('rotated');
      expect(said('warning', step)).toContain('No earlier key has the name octo-org/shop/other');
    }));

  test.concurrent('outputs that cannot be written: nothing is begun', () =>
    play(1, async (scene) => {
      // The scene misses the outputs.
      const env = { TIME_LAPSE: '20', GITHUB_OUTPUT: '/nowhere' };
      await expect(scene.rotate({}, { env })).rejects.toThrow('result is not set');
      expect(scene.count('POST')).toBe(0);
    }));

  test.concurrent('cancelled while the proof hangs: there is time to take the new key back', () =>
    play(1, async (scene) => {
      const before = scene.valid();
      const rule = { match: { method: 'GET', nth: 2 }, fault: hang };
      scene.simulator.faults.add({ ...rule, before: () => scene.signal('SIGINT') });
      const step = await scene.rotate();
      expect(step.exitCode).toBe(1);
      expect(scene.valid()).toEqual(before);
      expect(said('error', step)).toContain('No new key is left of this run.');
    }));
});
