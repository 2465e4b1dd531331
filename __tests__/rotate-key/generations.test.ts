import { describe, expect, test } from '@jest/globals';
import { DAY, idsOf, KEY_NAME, MINUTE, play, SECRET, said } from '../support/rotation.ts';

const HOUR = 60 * MINUTE;

describe('rotate-after', () => {
  test.concurrent('younger: nothing is done', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const step = await scene.rotate({ 'rotate-after': '41d' });
      expect(step.outputs).toMatchObject({ result: 'fresh', rotated: 'false', 'key-id': '' });
      expect(idsOf(step)).toEqual({ revoked: [], pending: [], kept: [first] });
      expect(step.log.join('\n')).toContain(
        `Nothing to do: the newest key of the name ${KEY_NAME} is ${first}`,
      );
      expect(scene.count('POST') + scene.count('DELETE') + scene.count('PUT', 'github')).toBe(0);
      expect(step.post?.exitCode).toBe(0);
    }));

  test.concurrent('older: rotated', () =>
    play(1, async (scene) => {
      const step = await scene.rotate({ 'rotate-after': '39d' });
      expect(step.outputs.result).toBe('rotated');
    }));

  test.concurrent('fresh is decided before dry-run', () =>
    play(1, async (scene) => {
      const step = await scene.rotate({ 'rotate-after': '41d', 'dry-run': 'true' });
      expect(step.outputs.result).toBe('fresh');
    }));

  test.concurrent('an orphan of an interrupted run is not fresh, and goes', () =>
    play(1, async (scene) => {
      const orphan = scene.addKey(3 * HOUR);
      const { first } = scene;
      const step = await scene.rotate({ 'rotate-after': '41d' });
      expect(step.outputs.result).toBe('rotated');
      expect(idsOf(step).revoked.toSorted()).toEqual([first, orphan]);
      expect(step.log.join('\n')).toContain(`stored nowhere: 1 key (${orphan})`);
    }));

  test.concurrent('a target that has no secret yet is not fresh', () =>
    play(2, async (scene) => {
      scene.simulator.github.addRepository('octo-org/new');
      const targets = `${scene.targets.join()}, repository:octo-org/new`;
      const step = await scene.rotate({ 'rotate-after': '41d', 'secret-targets': targets });
      expect(step.outputs.result).toBe('rotated');
      expect(scene.stored('repository:octo-org/new')).toBe(step.outputs['api-key']);
    }));

  test.concurrent('a rotation that did not end is due, whatever the age of its key', () =>
    play(1, async (scene) => {
      const { simulator, first } = scene;
      const newer = scene.addKey(HOUR);
      const { key } = simulator.account.keys.at(-1) ?? { key: '' };
      const updatedAt = simulator.clock.now() - HOUR;
      simulator.github.putSecret(scene.targets[0] ?? '', SECRET, key, { updatedAt });
      // With one that is kept, two are as many as an ended rotation leaves.
      const kept = await scene.rotate({ 'rotate-after': '41d', 'keep-previous': '1' });
      expect(kept.outputs.result).toBe('fresh');
      const never = await scene.rotate({ 'rotate-after': '41d', 'revoke-old': 'never' });
      expect(never.outputs.result).toBe('fresh');
      const step = await scene.rotate({ 'rotate-after': '41d' });
      expect(step.outputs.result).toBe('rotated');
      expect(idsOf(step).revoked).toEqual([newer, first]);
    }));

  test.concurrent('a creation date that cannot be read is due, and older than any other', () =>
    play(0, async (scene) => {
      const { first } = scene;
      const [second, third] = [scene.addKey(20 * DAY), scene.addKey(10 * DAY)];
      scene.simulator.faults.add({
        match: { method: 'GET', path: '/api_keys' },
        fault: {
          kind: 'transform',
          transform: (keys: { id: number; created_at: string }[]) =>
            keys.map((key) =>
              [first, third].includes(String(key.id)) ? { ...key, created_at: 'a while ago' } : key,
            ),
        },
      });
      const inputs = { 'revoke-old': 'immediately', 'keep-previous': '2' };
      const step = await scene.rotate({ ...inputs, 'rotate-after': '41d' });
      // Three keys at least ten minutes old are no more than a rotation that keeps two leaves.
      expect(step.outputs.result).toBe('fresh');
      const dated = await scene.rotate(inputs);
      expect(idsOf(dated)).toMatchObject({ revoked: [first], kept: [second, third] });
    }));

  test.concurrent('where no creation date can be read, each run is due and no key is young', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const second = scene.addKey(MINUTE);
      scene.simulator.faults.add({
        match: { method: 'GET', path: '/api_keys' },
        fault: { kind: 'set', set: { '*.created_at': null } },
      });
      const step = await scene.rotate({ 'rotate-after': '41d' });
      expect(step.outputs.result).toBe('rotated');
      expect(idsOf(step)).toEqual({ revoked: [second, first], pending: [], kept: [] });
    }));
});

describe('keep-previous', () => {
  test.concurrent.each([
    ['1', 1],
    ['2', 2],
  ])('%s keeps so many of the newest that the target may hold, and no orphan', (keep, count) =>
    play(1, async (scene) => {
      // The secret was written 40 days ago: the first key, and older ones that it held before.
      const { first } = scene;
      const [older, oldest] = [scene.addKey(40 * DAY + HOUR), scene.addKey(41 * DAY)];
      const orphan = scene.addKey(2 * HOUR);
      // What the target may hold is what is not younger than its last write.
      const step = await scene.rotate({ 'keep-previous': keep });
      const kept = [first, older, oldest].slice(0, count);
      expect(idsOf(step).kept).toEqual(kept);
      expect(idsOf(step).revoked).toContain(orphan);
      expect(scene.valid().toSorted()).toEqual([...kept, step.outputs['key-id']].toSorted());
    }),
  );

  test.concurrent('a look that takes minutes does not make an orphan of the key in use', () =>
    play(1, async (scene) => {
      const { simulator, first } = scene;
      const inUse = scene.addKey(HOUR);
      const { key } = simulator.account.keys.at(-1) ?? { key: '' };
      const updatedAt = simulator.clock.now() - HOUR + 1000;
      simulator.github.putSecret(scene.targets[0] ?? '', SECRET, key, { updatedAt });
      simulator.github.faults.add({
        match: { path: /public-key/, nth: 1 },
        fault: { kind: 'status', status: 429, retryAfter: 110 },
      });
      simulator.github.faults.add({
        match: { path: /public-key/, nth: 2 },
        before: () => simulator.clock.advance(110_000),
      });
      const step = await scene.rotate({ 'keep-previous': '1' }, { env: { TIME_LAPSE: '100' } });
      expect(idsOf(step)).toMatchObject({ revoked: [first], kept: [inUse] });
    }));
});

describe('a young key may belong to a rotation still under way', () => {
  test.concurrent('it stays valid, with a warning', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const young = scene.addKey(9 * MINUTE);
      const step = await scene.rotate();
      expect(idsOf(step)).toEqual({ revoked: [first], pending: [], kept: [young] });
      expect(said('warning', step)).toContain(`key ${young}. The next rotation revokes`);
    }));

  test.concurrent('without a warning where nothing is revoked', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const young = scene.addKey(9 * MINUTE);
      const step = await scene.rotate({ 'revoke-old': 'never' });
      expect(idsOf(step)).toEqual({ revoked: [], pending: [], kept: [young, first] });
      expect(said('warning', step)).toBe('');
    }));

  test.concurrent('a runner whose clock is an hour fast makes it no older', () =>
    play(
      1,
      async (scene) => {
        const young = scene.addKey(9 * MINUTE);
        const step = await scene.rotate();
        expect(idsOf(step).kept).toEqual([young]);
      },
      { clock: slow(HOUR) },
    ));

  test.concurrent('it goes where old-key-ids names it', () =>
    play(1, async (scene) => {
      const { first } = scene;
      const young = scene.addKey(MINUTE);
      const step = await scene.rotate({ 'old-key-ids': young, 'keep-previous': '2' });
      expect(idsOf(step)).toEqual({ revoked: [young], pending: [], kept: [first] });
      expect(said('warning', step)).toContain('keep-previous has no effect');
    }));
});

describe('old-key-ids', () => {
  test.concurrent('one that the account does not list is an error, and nothing is created', () =>
    play(1, async (scene) => {
      const step = await scene.rotate({ 'old-key-ids': `${scene.first}, 404404, 404405` });
      expect(step.exitCode).toBe(1);
      expect(said('error', step)).toContain('does not list 404404, 404405. Nothing was created');
      expect(scene.count('POST')).toBe(0);
    }));

  test.concurrent('keys of other names go only where they are named', () =>
    play(1, async (scene) => {
      const { simulator, first } = scene;
      const names = [`${KEY_NAME} `, KEY_NAME.toUpperCase(), `${KEY_NAME}2`, 'by hand'];
      const others = names.map((name) => scene.addKey(50 * DAY, { name }));
      const step = await scene.rotate();
      expect(idsOf(step).revoked).toEqual([first]);
      const named = await scene.rotate({ 'old-key-ids': others[3] ?? '' });
      expect(idsOf(named).revoked).toEqual([others[3]]);
      const left = simulator.account.keys.map(({ id }) => String(id));
      expect(left).toEqual(expect.arrayContaining(others.slice(0, 3)));
    }));

  test.concurrent('a key listed under another name than it was created with is not stored', () =>
    play(1, async (scene) => {
      const before = [scene.valid(), scene.stored()];
      const renamed = { [`${scene.simulator.account.keys.length}.name`]: 'OCTO-ORG/SHOP' };
      scene.simulator.faults.add({
        match: { method: 'GET', path: '/api_keys', after: 1 },
        fault: { kind: 'set', set: renamed },
      });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'false' });
      expect(said('error', step)).toContain('listed under another name than key-name');
      expect([scene.valid(), scene.stored()]).toEqual(before);
    }));
});

describe('ids keep every digit', () => {
  const [near, old, next] = ['9007199254740992', '9007199254740993', '9007199254740994'];

  test.concurrent('in requests and outputs', () =>
    play(1, async (scene) => {
      const { simulator, first } = scene;
      for (const id of [near, next]) scene.addKey(50 * DAY, { id, name: 'of somebody else' });
      scene.addKey(50 * DAY, { id: old });
      const step = await scene.rotate();
      expect(idsOf(step).revoked).toEqual([first, old]);
      expect(step.outputs['key-id']).toBe('9007199254740995');
      const paths = simulator.requests.filter(({ method }) => method === 'DELETE');
      expect(paths.map(({ path }) => path)).toContain(`/api_keys/${old}`);
      expect(simulator.account.keys.map(({ id }) => String(id))).toEqual(
        expect.arrayContaining([near, next]),
      );
    }));

  test.concurrent('in old-key-ids as an output wrote them', () =>
    play(1, async (scene) => {
      for (const id of [near, old, next]) scene.addKey(50 * DAY, { id, name: 'by hand' });
      const step = await scene.rotate({ 'old-key-ids': `[${old}]` });
      expect(step.outputs['revoked-key-ids']).toBe(`[${old}]`);
    }));

  test.concurrent('a list whose ids may be rounded already is not believed', () =>
    play(1, async (scene) => {
      scene.simulator.faults.add({
        match: { method: 'GET', path: '/api_keys' },
        fault: {
          kind: 'status',
          status: 200,
          body: { text: `[{"id":9007199254740993.0,"name":"x"}]`, type: 'application/json' },
        },
      });
      const step = await scene.rotate({ 'max-retries': '1' });
      expect(said('error', step)).toContain('is not what was asked for at "0.id"');
      expect(scene.count('POST')).toBe(0);
    }));
});

/** A service whose clock is `ms` behind that of the runner. */
function slow(ms: number) {
  return { now: () => Date.now() - ms, advance: () => {} };
}
