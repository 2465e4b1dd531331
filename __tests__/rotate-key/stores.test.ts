import { describe, expect, test } from '@jest/globals';
import { idsOf, play, type RotationScene, SECRET, said } from '../support/rotation.ts';

const ORGANIZATION = 'organization:octo-org';
const SHOP = 'repository:octo-org/shop';

/** The bodies of the PUTs to GitHub. */
function puts(scene: RotationScene): Record<string, unknown>[] {
  return scene.simulator.github.requests
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => JSON.parse(body));
}

describe('every kind of place', () => {
  test.concurrent('a secret that is there is written anew, one that is not is created', () =>
    play(1, async (scene) => {
      const { github } = scene.simulator;
      github.addRepository('octo-org/site', { environments: ['Preview/eu 1'] });
      const places = [
        SHOP,
        'repository:octo-org/site',
        'environment:octo-org/site/Preview/eu 1',
        'environment:octo-org/shop/production',
        'dependabot:octo-org/shop',
        ORGANIZATION,
      ];
      const step = await scene.rotate({ 'secret-targets': places.join('\n') });
      expect(JSON.parse(step.outputs['stored-in'] ?? '')).toEqual(places);
      for (const place of places) expect(scene.stored(place)).toBe(step.outputs['api-key']);
      expect(step.summary.match(/✅ stored/g)).toHaveLength(places.length);
    }));

  test.concurrent('short forms mean the workflow’s own repository, and none is written twice', () =>
    play(1, async (scene) => {
      const targets = `repository, environment:production, ${SHOP.toUpperCase().replace('REPOSITORY', 'repository')}`;
      const env = { GITHUB_REPOSITORY: 'octo-org/shop' };
      const step = await scene.rotate({ 'secret-targets': targets }, { env });
      expect(step.outputs.result).toBe('rotated');
      expect(scene.count('PUT', 'github')).toBe(2);
      expect(scene.stored('environment:octo-org/shop/production')).toBe(step.outputs['api-key']);
    }));

  test.concurrent('without secret-targets it is the workflow’s repository', () =>
    play(['repository:octo-org/octo-repo'], async (scene) => {
      const step = await scene.rotate({ 'secret-targets': '' });
      expect(step.outputs['stored-in']).toBe('["repository:octo-org/octo-repo"]');
    }));
});

describe('who may read an organisation’s secret', () => {
  const selected = (scene: RotationScene): number[] => {
    const names = Array.from({ length: 150 }, (_, index) => `octo-org/r${index}`);
    return names.map((name) => scene.simulator.github.addRepository(name).id);
  };

  test.concurrent('150 selected repositories stay selected', () =>
    play([ORGANIZATION], async (scene) => {
      const { github } = scene.simulator;
      const selectedRepositoryIds = selected(scene);
      const access = { visibility: 'selected' as const, selectedRepositoryIds };
      github.putSecret(ORGANIZATION, SECRET, scene.stored(), access);
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      expect(github.secret(ORGANIZATION, SECRET)).toMatchObject(access);
    }));

  test.concurrent('also where the server’s pages are smaller than asked for', () =>
    play([ORGANIZATION], async (scene) => {
      const { github } = scene.simulator;
      const selectedRepositoryIds = selected(scene);
      const access = { visibility: 'selected' as const, selectedRepositoryIds };
      github.putSecret(ORGANIZATION, SECRET, scene.stored(), access);
      for (let page = 1; page <= 6; page += 1) {
        const ids = selectedRepositoryIds.slice((page - 1) * 30, page * 30);
        const body = { total_count: 150, repositories: ids.map((id) => ({ id })) };
        github.faults.add({
          match: { path: new RegExp(`/repositories\\?.*\\bpage=${page}$`) },
          fault: { kind: 'transform', transform: () => body },
        });
      }
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('rotated');
      expect(github.secret(ORGANIZATION, SECRET)).toMatchObject(access);
    }));

  test.concurrent('where not all of them are told, nothing is created', () =>
    play([ORGANIZATION], async (scene) => {
      const { github } = scene.simulator;
      const selectedRepositoryIds = selected(scene);
      github.putSecret(ORGANIZATION, SECRET, scene.stored(), {
        visibility: 'selected',
        selectedRepositoryIds,
      });
      github.faults.add({
        match: { path: /\/repositories\?/ },
        fault: { kind: 'set', set: { total_count: 151 } },
      });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('failed');
      expect(said('error', step)).toContain('does not hold as many repositories as it says');
      expect(scene.count('POST')).toBe(0);
    }));

  test.concurrent('`all` stays', () =>
    play([ORGANIZATION], async (scene) => {
      await scene.rotate();
      expect(scene.simulator.github.secret(ORGANIZATION, SECRET)?.visibility).toBe('all');
    }));

  test.concurrent('a new secret is for private repositories', () =>
    play([SHOP], async (scene) => {
      await scene.rotate({ 'secret-targets': ORGANIZATION, 'revoke-old': 'never' });
      expect(scene.simulator.github.secret(ORGANIZATION, SECRET)?.visibility).toBe('private');
    }));

  test.concurrent('where it is not told, nothing is created', () =>
    play([ORGANIZATION], async (scene) => {
      scene.simulator.github.faults.add({
        match: { method: 'GET', path: `/orgs/octo-org/actions/secrets/${SECRET}` },
        fault: { kind: 'set', remove: ['visibility'] },
      });
      const step = await scene.rotate();
      expect(step.outputs.result).toBe('failed');
      expect(scene.count('POST')).toBe(0);
    }));
});

describe('wrong from the start: said before a key is created', () => {
  /** Rotates, and sees that nothing was created, and what was said. */
  async function refused(
    scene: RotationScene,
    words: string,
    inputs: Record<string, string> = {},
  ): Promise<void> {
    const before = [scene.valid(), scene.stored()];
    const step = await scene.rotate(inputs);
    expect(step.exitCode).toBe(1);
    expect(said('error', step)).toContain(words);
    expect(said('error', step)).toContain('Nothing was created.');
    expect(scene.count('POST') + scene.count('PUT', 'github')).toBe(0);
    expect([scene.valid(), scene.stored()]).toEqual(before);
  }

  test.concurrent('a repository that moved', () =>
    play(1, (scene) => {
      scene.simulator.github.moveRepository('octo-org/shop', 'octo-org/store');
      return refused(scene, 'the repository has moved or was renamed', {
        'api-key': scene.stored('repository:octo-org/store'),
      });
    }));

  test.concurrent('an environment that does not exist', () =>
    play(1, (scene) =>
      refused(scene, 'environment:octo-org/shop/staging: GitHub answered 404', {
        'secret-targets': `${SHOP}, environment:octo-org/shop/staging`,
      }),
    ));

  test.concurrent('a token that is wrong', () =>
    play(1, (scene) =>
      refused(scene, 'The token in github-token is wrong or has expired', {
        'github-token': 'ghs_thisOneWasNeverGivenOut0000000000001',
      }),
    ));

  test.concurrent('a token without permission, and all places at once', () =>
    play(3, async (scene) => {
      const token = scene.simulator.github.addToken({ targets: [ORGANIZATION] });
      await refused(scene, `public key of ${SHOP}: GitHub answered 403`, { 'github-token': token });
      const paths = scene.simulator.github.requests.map(({ path }) => path);
      expect(paths).toContain('/orgs/octo-org/actions/secrets/public-key');
    }));

  test.concurrent.each<[string, string]>([
    ['no base64', '!'],
    ['too short', 'AAAA'],
  ])('a public key that cannot seal: %s', (_what, key) =>
    play(1, (scene) => {
      scene.simulator.github.faults.add({
        match: { path: /public-key/ },
        fault: { kind: 'set', set: { key } },
      });
      return refused(scene, 'it is not a key that seals');
    }),
  );

  test.concurrent('a secret whose date cannot be read', () =>
    play(1, (scene) => {
      scene.simulator.github.faults.add({
        match: { method: 'GET', path: /DATABASE_API_KEY$/ },
        fault: { kind: 'set', set: { updated_at: 'recently' } },
      });
      return refused(scene, 'is not what was asked for');
    }));
});

describe('between the store and the revocation', () => {
  test.concurrent.each<[string, Record<string, unknown>]>([
    ['unreadable', { updated_at: 'recently' }],
    ['absent', { updated_at: null }],
  ])('a date that is %s: nothing is revoked, and the message names the keys', (_what, set) =>
    play(1, async (scene) => {
      const { first } = scene;
      scene.simulator.github.faults.add({
        match: { method: 'GET', path: /DATABASE_API_KEY$/, after: 2 },
        fault: { kind: 'set', set },
      });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'true' });
      expect(idsOf(step)).toEqual({ revoked: [], pending: [], kept: [first] });
      expect(said('error', step)).toContain(`keys ${step.outputs['key-id']} and ${first}`);
      expect(scene.count('DELETE')).toBe(0);
    }),
  );

  test.concurrent('one place of three that somebody else wrote is enough', () =>
    play(3, async (scene) => {
      const { simulator, first } = scene;
      const stranger = simulator.addKey(simulator.account, { name: 'by hand' });
      const later = { updatedAt: simulator.clock.now() + 60_000 };
      simulator.github.faults.add({
        match: { method: 'GET', path: /orgs.*DATABASE_API_KEY$/, nth: 2 },
        after: () => simulator.github.putSecret(ORGANIZATION, SECRET, stranger.key, later),
      });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'true' });
      expect(idsOf(step).kept).toEqual([first]);
      expect(said('error', step)).toContain('Somebody else wrote the secret');
      expect(said('error', step)).toContain(`keys ${step.outputs['key-id']} and ${first}`);
    }));

  test.concurrent('a secret that is gone', () =>
    play(1, async (scene) => {
      scene.simulator.github.faults.add({
        match: { method: 'GET', path: /DATABASE_API_KEY$/, after: 2 },
        fault: { kind: 'status', status: 404 },
      });
      const step = await scene.rotate();
      expect(step.outputs).toMatchObject({ result: 'failed', rotated: 'true' });
      expect(scene.count('DELETE')).toBe(0);
    }));
});

test.concurrent('an Enterprise Server’s address has a path of its own', () =>
  play(1, async (scene) => {
    expect(new URL(scene.simulator.github.apiUrl).pathname).toBe('/github-api');
    const step = await scene.rotate();
    expect(step.outputs.result).toBe('rotated');
    expect(puts(scene)).toEqual([
      { encrypted_value: expect.any(String), key_id: expect.any(String) },
    ]);
  }));
