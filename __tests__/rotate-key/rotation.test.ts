import { expect, test } from '@jest/globals';
import { KEY_NAME, play } from '../support/rotation.ts';

test('looks, creates, proves, stores, proves again, and revokes with the new key', () =>
  play(1, async (scene) => {
    const [old] = scene.valid();
    const step = await scene.rotate();
    expect(step.exitCode).toBe(0);
    expect(step.outputs).toMatchObject({
      result: 'rotated',
      rotated: 'true',
      'revoked-key-ids': `[${old}]`,
      'kept-key-ids': '[]',
      'stored-in': '["repository:octo-org/shop"]',
      'api-key': scene.stored(),
    });
    expect(scene.valid()).toEqual([step.outputs['key-id']]);
    const order = scene.points().map(({ what }) => what.replace(/^(\w+) .*\/(.+)$/, '$1 $2'));
    expect(order).toEqual([
      'GET api_keys',
      'GET public-key',
      'GET DATABASE_API_KEY',
      'POST api_keys',
      'GET api_keys',
      'PUT DATABASE_API_KEY',
      'GET api_keys',
      'GET DATABASE_API_KEY',
      'GET DATABASE_API_KEY',
      `DELETE ${old}`,
    ]);
    const last = scene.simulator.requests.at(-1);
    expect(last?.headers.authorization).toBe(`Bearer ${scene.stored()}`);
  }));

test('after-job leaves the old key to the post step', () =>
  play(3, async (scene) => {
    const [old] = scene.valid();
    const step = await scene.rotate({ 'revoke-old': 'after-job' });
    expect(step.outputs).toMatchObject({ 'pending-key-ids': `[${old}]`, 'revoked-key-ids': '[]' });
    expect(step.post?.exitCode).toBe(0);
    expect(step.post?.summary).toContain('The old keys are revoked');
    expect(scene.valid()).toEqual([step.outputs['key-id']]);
  }));

test('a dry run changes nothing, and says what would go', () =>
  play(1, async (scene) => {
    const before = [scene.valid(), scene.stored()];
    const step = await scene.rotate({ 'dry-run': 'true' });
    expect(step.outputs).toMatchObject({ result: 'dry-run', rotated: 'false' });
    expect(step.log.join('\n')).toContain(`revoke ${scene.valid()[0]} (${KEY_NAME}`);
    expect([scene.valid(), scene.stored()]).toEqual(before);
  }));

test('a store that is refused everywhere takes the new key back', () =>
  play(1, async (scene) => {
    const before = scene.valid();
    scene.simulator.github.faults.add({
      match: { method: 'PUT' },
      fault: { kind: 'status', status: 403 },
    });
    const step = await scene.rotate();
    expect(step.exitCode).toBe(1);
    expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'false', 'api-key': '' });
    expect(scene.valid()).toEqual(before);
  }));

test('a store that is refused in one of three places revokes nothing', () =>
  play(3, async (scene) => {
    const [old] = scene.valid();
    scene.simulator.github.faults.add({
      match: { method: 'PUT', path: /environments/ },
      fault: { kind: 'status', status: 403 },
    });
    const step = await scene.rotate();
    expect(step.exitCode).toBe(1);
    expect(step.outputs).toMatchObject({ result: 'failed', 'kept-key-ids': `[${old}]` });
    expect(scene.valid()).toEqual([old, step.outputs['key-id']]);
    expect(JSON.parse(step.outputs['stored-in'] ?? '')).toHaveLength(2);
  }));

test('a secret that somebody else writes before the revocation keeps every key', () =>
  play(1, async (scene) => {
    const { simulator } = scene;
    const stranger = simulator.addKey(simulator.account, { name: 'by hand' });
    simulator.github.faults.add({
      match: { method: 'GET', nth: 3 },
      after: () => {
        const updatedAt = simulator.clock.now() + 5000;
        simulator.github.putSecret(scene.targets[0] ?? '', 'DATABASE_API_KEY', stranger.key, {
          updatedAt,
        });
      },
    });
    const step = await scene.rotate();
    expect(step.exitCode).toBe(1);
    expect(step.outputs).toMatchObject({
      result: 'failed',
      rotated: 'true',
      'revoked-key-ids': '[]',
    });
    expect(scene.valid()).toHaveLength(2);
  }));

test('a lost answer to the creation leaves a key that is named, and that the next rotation clears away', () =>
  play(1, async (scene) => {
    scene.simulator.faults.add({
      match: { method: 'POST', times: 1 },
      fault: { kind: 'act-then-cut' },
    });
    const step = await scene.rotate();
    expect(step.outputs.result).toBe('rotated');
    expect(scene.valid()).toHaveLength(2);
    const warnings = step.annotations.filter(({ level }) => level === 'warning');
    expect(warnings.map(({ message }) => message)).toContainEqual(
      expect.stringContaining(`key ${scene.valid()[0]} appeared`),
    );
    const next = await scene.rotateLater();
    expect(scene.valid()).toEqual([next.outputs['key-id']]);
  }));

test.each([
  ['204 of somebody in between', 'empty', 204],
  ['a page for people', 'html', 200],
] as const)('a store that is answered and not made revokes nothing: %s', (_what, body, status) =>
  play(1, async (scene) => {
    const fault = { kind: 'status', status, body } as const;
    scene.simulator.github.faults.add({ match: { method: 'PUT' }, fault });
    const step = await scene.rotate({ 'max-retries': '1' });
    expect(step.exitCode).toBe(1);
    expect(step.outputs['stored-in']).toBe('[]');
    expect(scene.valid()).toHaveLength(2);
  }),
);

test('says why it pauses and what it is at, and that nothing else happens', () =>
  play(1, async (scene) => {
    const fault = { kind: 'status', status: 429, retryAfter: 70 } as const;
    scene.simulator.faults.add({ match: { method: 'POST', times: 1 }, fault });
    const step = await scene.rotate();
    expect(step.exitCode).toBe(0);
    expect(step.log.filter((line) => /429.*Trying again in 1m 1\ds/.test(line))).toHaveLength(1);
    expect(
      step.log.filter((line) => /^Still trying to create the new key, for/.test(line)),
    ).toEqual([
      'Still trying to create the new key, for 30s now.',
      'Still trying to create the new key, for 1m now.',
    ]);
  }));

test('a wrong key and one that asks for too much patience are told from other failures', () =>
  play(1, async (scene) => {
    const failure = async (status: number) => {
      const fault = { kind: 'status', status, retryAfter: 121 } as const;
      const { remove } = scene.simulator.faults.add({ fault });
      const { annotations, exitCode } = await scene.rotate();
      remove();
      const [error] = annotations.filter(({ level }) => level === 'error');
      return [exitCode, error?.properties.title, error?.message];
    };
    expect(await failure(401)).toEqual([1, 'Wrong API key', expect.stringContaining('api-key')]);
    expect(await failure(429)).toEqual([
      1,
      'Rotation failed',
      expect.stringMatching(/wait 2m 1s.*longer than the 2m that are waited for/),
    ]);
  }));
