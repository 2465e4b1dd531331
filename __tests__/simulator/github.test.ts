import { describe, expect, test } from '@jest/globals';
import { manualClock, type Simulator, type SimulatorOptions } from '../../simulator/server.ts';
import { addPlaces, askGithub, places, publicKey, sealed, store } from './github-support.ts';
import { ask, simulate } from './support.ts';

const repository = '/repos/octo-org/octo-repo/actions/secrets';
const organization = '/orgs/octo-org/actions/secrets';
const repositoryTarget = 'repository:octo-org/octo-repo';
const organizationTarget = 'organization:octo-org';

async function simulatePlaces(options?: SimulatorOptions): Promise<Simulator> {
  const simulator = await simulate(options);
  addPlaces(simulator.github);
  return simulator;
}

describe.each(places)('secrets: $kind', ({ target, secrets, more }) => {
  test('written, opened, written again', async () => {
    const simulator = await simulatePlaces();
    const { github, clock } = simulator;
    expect(github.secret(target, 'API_KEY')).toBeUndefined();
    expect((await askGithub(simulator, 'GET', `${secrets}/API_KEY`)).status).toBe(404);

    const created = await store(simulator, secrets, 'API_KEY', 'first ✓', more);
    expect([created.status, created.text]).toEqual([201, '{}']);
    clock.advance(90_600);
    const updated = await store(simulator, secrets, 'api_key', 'second', more);
    expect([updated.status, updated.text]).toEqual([204, '']);

    const { json } = await askGithub(simulator, 'GET', `${secrets}/API_KEY`);
    expect(json).toEqual({
      name: 'API_KEY',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:01:30Z',
      ...more,
    });
    expect(github.secret(target, 'API_KEY')).toMatchObject({
      value: 'second',
      updatedAt: Date.parse('2026-01-01T00:01:30Z'),
      writes: [{ value: 'first ✓' }, { value: 'second', time: clock.now() }],
    });
    expect(github.everyStored()).toEqual([{ target, name: 'API_KEY', value: 'second' }]);
  });

  test('a key of its own; what is sealed for another is refused', async () => {
    const simulator = await simulatePlaces();
    const keys = await Promise.all(places.map((place) => publicKey(simulator, place.secrets)));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(places.length);
    const own = await publicKey(simulator, secrets);
    expect(Buffer.from(own.key, 'base64')).toHaveLength(32);

    const foreign = keys.find(({ key }) => key !== own.key) ?? own;
    const write = (body: object) =>
      askGithub(simulator, 'PUT', `${secrets}/API_KEY`, { body: { ...body, ...more } });
    const refused = [
      await write(await sealed('x', foreign)),
      await write({ ...(await sealed('x', foreign)), key_id: own.key_id }),
      await write({ encrypted_value: 'c2VjcmV0', key_id: own.key_id }),
      await write({ encrypted_value: 'not base64', key_id: own.key_id }),
      await write({ key_id: own.key_id }),
      await write({ encrypted_value: 'c2VjcmV0' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422]);
    expect(refused.map(({ json }) => json.message)).toEqual([
      expect.stringContaining('key_id'),
      expect.stringContaining('improperly encrypted'),
      expect.stringContaining('improperly encrypted'),
      expect.stringContaining('base64'),
      expect.stringContaining('"encrypted_value" wasn\'t supplied'),
      expect.stringContaining('"key_id" wasn\'t supplied'),
    ]);
    expect(simulator.github.everyStored()).toEqual([]);
  });

  test('a renewed key makes older boxes useless', async () => {
    const simulator = await simulatePlaces();
    const before = await publicKey(simulator, secrets);
    simulator.github.renewPublicKey(target);
    const body = { ...(await sealed('x', before)), ...more };
    const { status } = await askGithub(simulator, 'PUT', `${secrets}/API_KEY`, { body });
    expect(status).toBe(422);
    expect((await publicKey(simulator, secrets)).key_id).not.toBe(before.key_id);
    expect((await store(simulator, secrets, 'API_KEY', 'x', more)).status).toBe(201);
  });

  test('names that GitHub refuses; bodies that are no object', async () => {
    const simulator = await simulatePlaces();
    for (const name of ['1ST', 'A-B', 'GITHUB_KEY', 'github_key', 'A%20B']) {
      expect([name, (await store(simulator, secrets, name, 'x', more)).status]).toEqual([
        name,
        422,
      ]);
    }
    for (const body of ['{', '[]', 'null', '']) {
      const { status } = await askGithub(simulator, 'PUT', `${secrets}/A`, { body });
      expect([body, status]).toEqual([body, 400]);
    }
  });

  test('tokens: none, unknown, for this, for others, revoked', async () => {
    const simulator = await simulatePlaces();
    const { github } = simulator;
    const own = github.addToken({ targets: [target] });
    const others = github.addToken({
      targets: places.map((place) => place.target).filter((other) => other !== target),
    });
    const path = `${secrets}/public-key`;
    const status = async (authorization: string | null) => {
      const { status, json } = await askGithub(simulator, 'GET', path, { authorization });
      return [status, json.message];
    };
    expect(await status(null)).toEqual([401, 'Requires authentication']);
    expect(await status('Bearer wrong')).toEqual([401, 'Bad credentials']);
    expect(await status(`Basic ${own}`)).toEqual([401, 'Bad credentials']);
    expect(await status(`token ${own}`)).toEqual([200, undefined]);
    expect(await status(`Bearer ${own}`)).toEqual([200, undefined]);
    expect(await status(`Bearer ${others}`)).toEqual([
      403,
      'Resource not accessible by integration',
    ]);
    github.revokeToken(own);
    expect(await status(`Bearer ${own}`)).toEqual([401, 'Bad credentials']);

    const authorization = `Bearer ${others}`;
    for (const [method, name] of [
      ['GET', 'API_KEY'],
      ['PUT', 'API_KEY'],
    ] as const) {
      const body = method === 'PUT' ? {} : undefined;
      const url = `${secrets}/${name}`;
      expect((await askGithub(simulator, method, url, { authorization, body })).status).toBe(403);
    }
  });

  test('what does not exist', async () => {
    const simulator = await simulate();
    const missing = secrets.replace('octo-org', 'nobody');
    for (const path of [`${missing}/public-key`, `${missing}/API_KEY`]) {
      const { status, json } = await askGithub(simulator, 'GET', path);
      expect(json).toMatchObject({ message: 'Not Found', status: '404' });
      expect(status).toBe(404);
    }
    const { status } = await askGithub(simulator, 'PUT', `${missing}/API_KEY`, { body: {} });
    expect(status).toBe(404);
  });

  test('as if somebody else wrote it', async () => {
    const simulator = await simulatePlaces();
    const { github } = simulator;
    github.putSecret(target, 'api_key', 'theirs', { updatedAt: '2025-12-31T12:00:00.900Z' });
    const { json } = await askGithub(simulator, 'GET', `${secrets}/API_KEY`);
    expect(json.updated_at).toBe('2025-12-31T12:00:00Z');
    expect((await store(simulator, secrets, 'API_KEY', 'ours', more)).status).toBe(204);
    github.putSecret(target, 'API_KEY', 'theirs again');
    expect(github.secret(target, 'API_KEY')?.writes.map(({ value }) => value)).toEqual([
      'theirs',
      'ours',
      'theirs again',
    ]);
  });
});

describe('organizations', () => {
  test('who may read a secret is said with every write', async () => {
    const simulator = await simulatePlaces();
    const { github } = simulator;
    const [first, second] = github.addOrganization('other', {
      repositories: ['a', 'b'],
    }).repositories;
    const own = await askGithub(simulator, 'GET', '/repos/octo-org/shop');
    const write = (more: object) => store(simulator, organization, 'API_KEY', 'x', more);
    const access = () => {
      const secret = github.secret(organizationTarget, 'API_KEY');
      return [secret?.visibility, secret?.selectedRepositoryIds];
    };

    const refused: object[] = [
      {},
      { visibility: 'public' },
      { visibility: 'all', selected_repository_ids: [own.json.id] },
      { visibility: 'selected', selected_repository_ids: 'all' },
      { visibility: 'selected', selected_repository_ids: [first?.id] },
      { visibility: 'selected', selected_repository_ids: [second?.id, 1] },
    ];
    for (const more of refused) {
      expect([more, (await write(more)).status]).toEqual([more, 422]);
    }
    expect(github.everyStored()).toEqual([]);

    await write({ visibility: 'selected', selected_repository_ids: [own.json.id] });
    expect(access()).toEqual(['selected', [own.json.id]]);
    const { json } = await askGithub(simulator, 'GET', `${organization}/API_KEY`);
    expect(json.visibility).toBe('selected');
    expect(json.selected_repositories_url).toBe(
      `${github.apiUrl}${organization}/API_KEY/repositories`,
    );
    const listed = await askGithub(simulator, 'GET', json.selected_repositories_url);
    expect(listed.json.repositories[0].full_name).toBe('octo-org/shop');

    await write({ visibility: 'selected' });
    expect(access()).toEqual(['selected', []]);
    await write({ visibility: 'all' });
    expect(access()).toEqual(['all', undefined]);
  });

  test('somebody else’s write keeps what it does not say', async () => {
    const { github } = await simulatePlaces();
    const ids = github
      .addOrganization('o', { repositories: ['a', 'b'] })
      .repositories.map(({ id }) => id);
    const access = () => {
      const secret = github.secret('organization:o', 'K');
      return [secret?.visibility, secret?.selectedRepositoryIds];
    };
    github.putSecret('organization:o', 'K', '1');
    expect(access()).toEqual(['private', undefined]);
    const selected = { visibility: 'selected', selectedRepositoryIds: ids } as const;
    github.putSecret('organization:o', 'K', '2', selected);
    github.putSecret('organization:o', 'K', '3');
    expect(access()).toEqual(['selected', ids]);
  });

  test('the selected repositories come in pages that link to each other', async () => {
    const simulator = await simulatePlaces();
    const { github } = simulator;
    const names = Array.from({ length: 65 }, (_, index) => `repo-${index}`);
    const { repositories } = github.addOrganization('big', { repositories: names });
    const selectedRepositoryIds = repositories.map(({ id }) => id);
    github.putSecret('organization:big', 'K', 'x', {
      visibility: 'selected',
      selectedRepositoryIds,
    });

    for (const [query, sizes] of [
      ['', [30, 30, 5]],
      ['?per_page=100', [65]],
      ['?per_page=500', [65]],
      ['?per_page=65', [65]],
      ['?per_page=40', [40, 25]],
    ] as const) {
      const seen: number[][] = [];
      let url: string | undefined =
        `${github.apiUrl}/orgs/big/actions/secrets/K/repositories${query}`;
      while (url) {
        const { json, headers } = await askGithub(simulator, 'GET', url);
        expect(json.total_count).toBe(65);
        seen.push(json.repositories.map(({ id }: { id: number }) => id));
        url = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      expect(seen.map(({ length }) => length)).toEqual(sizes);
      expect(seen.flat()).toEqual(selectedRepositoryIds);
    }
    const middle = await askGithub(
      simulator,
      'GET',
      '/orgs/big/actions/secrets/K/repositories?per_page=20&page=2',
    );
    const relations = middle.headers.get('link')?.match(/[?&]page=\d+>; rel="\w+"/g);
    expect(relations).toEqual([
      '&page=1>; rel="prev"',
      '&page=3>; rel="next"',
      '&page=4>; rel="last"',
      '&page=1>; rel="first"',
    ]);
  });

  test('a secret that is not there, a token without rights', async () => {
    const simulator = await simulatePlaces();
    const path = `${organization}/API_KEY/repositories`;
    expect((await askGithub(simulator, 'GET', path)).status).toBe(404);
    const authorization = `token ${simulator.github.addToken({ targets: [repositoryTarget] })}`;
    expect((await askGithub(simulator, 'GET', path, { authorization })).status).toBe(403);
  });
});

describe('repositories', () => {
  test('by name, in any case', async () => {
    const simulator = await simulate();
    const { status, json } = await askGithub(simulator, 'GET', '/repos/Octo-Org/OCTO-REPO');
    expect([status, json.full_name]).toEqual([200, 'octo-org/octo-repo']);
    expect((await askGithub(simulator, 'GET', '/repos/octo-org/none')).status).toBe(404);
    expect((await askGithub(simulator, 'GET', '/repositories/1')).status).toBe(404);
  });

  test('one that moved redirects, and following it leads there', async () => {
    const simulator = await simulatePlaces();
    const { github } = simulator;
    const { id } = (await askGithub(simulator, 'GET', '/repos/octo-org/shop')).json;
    const secrets = '/repos/octo-org/shop/environments/eu%2Fwest%20100%25/secrets';
    const target = 'environment:octo-org/shop/eu/west 100%';
    const token = github.addToken({ targets: [target] });
    await store(simulator, secrets, 'API_KEY', 'before');
    const key = await publicKey(simulator, secrets);
    github.moveRepository('octo-org/shop', 'new-org/store');

    const read = await askGithub(simulator, 'GET', `${secrets}/API_KEY?x=1`);
    const location = `${github.apiUrl}/repositories/${id}/environments/eu%2Fwest%20100%25/secrets/API_KEY`;
    expect(read.status).toBe(301);
    expect(read.headers.get('location')).toBe(`${location}?x=1`);
    expect(read.json).toMatchObject({ message: 'Moved Permanently', url: `${location}?x=1` });
    const body = await sealed('after', key);
    const write = await askGithub(simulator, 'PUT', `${secrets}/API_KEY`, { body });
    expect([write.status, write.headers.get('location')]).toEqual([307, location]);
    expect(github.secret(target, 'API_KEY')?.value).toBe('before');
    const plain = await askGithub(simulator, 'GET', '/repos/octo-org/shop');
    expect(plain.headers.get('location')).toBe(`${github.apiUrl}/repositories/${id}`);

    const followed = await askGithub(simulator, 'PUT', location, {
      body,
      authorization: `Bearer ${token}`,
    });
    expect(followed.status).toBe(204);
    expect(github.everyStored()).toEqual([
      { target: 'environment:new-org/store/eu/west 100%', name: 'API_KEY', value: 'after' },
    ]);
    github.addRepository('octo-org/shop');
    expect((await askGithub(simulator, 'GET', '/repos/octo-org/shop')).status).toBe(200);
  });
});

describe('the clock', () => {
  test('is the control API’s', async () => {
    const simulator = await simulate();
    simulator.clock.advance(61_000);
    const { headers } = await askGithub(simulator, 'GET', `${repository}/public-key`);
    expect(headers.get('date')).toBe('Thu, 01 Jan 2026 00:01:01 GMT');
  });

  test('or GitHub’s own', async () => {
    const clock = manualClock('2030-06-01T12:00:00.700Z');
    const simulator = await simulate({ github: { clock, token: 'given' } });
    const reply = await store(simulator, repository, 'API_KEY', 'x');
    expect(reply.headers.get('date')).toBe('Sat, 01 Jun 2030 12:00:00 GMT');
    const { json } = await askGithub(simulator, 'GET', `${repository}/API_KEY`, {
      authorization: 'token given',
    });
    expect(json.updated_at).toBe('2030-06-01T12:00:00Z');
    expect(simulator.github.requests.at(-1)?.time).toBe(clock.now());
    const control = await ask(simulator, 'GET', '/projects');
    expect(control.headers.date).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
  });
});

describe('beside the control API', () => {
  test('records are kept apart; reset empties both', async () => {
    const simulator = await simulate({
      seed: ({ github }) => github.addRepository('seeded/repository'),
    });
    const { github } = simulator;
    await store(simulator, repository, 'API_KEY', 'x');
    await ask(simulator, 'GET', '/projects');
    expect(github.requests).toMatchObject([
      { method: 'GET', path: `${repository}/public-key`, search: '', status: 200 },
      { method: 'PUT', path: `${repository}/API_KEY`, status: 201 },
    ]);
    expect(github.requests[1]?.headers.authorization).toBe(`Bearer ${github.token}`);
    expect(simulator.requests).toHaveLength(1);

    github.addRepository('octo-org/more');
    github.faults.add({ fault: { kind: 'reset' } });
    simulator.reset();
    expect([github.requests, github.faults.list(), github.everyStored()]).toEqual([[], [], []]);
    expect((await askGithub(simulator, 'GET', '/repos/octo-org/more')).status).toBe(404);
    expect((await askGithub(simulator, 'GET', '/repos/seeded/repository')).status).toBe(200);
    // Ids start anew, too: this one was another repository's before.
    const { id } = github.addRepository('octo-org/later');
    const byId = await askGithub(simulator, 'GET', `/repositories/${id}`);
    expect([byId.status, byId.json.full_name]).toEqual([200, 'octo-org/later']);
  });

  test('no endpoint but those', async () => {
    const simulator = await simulate();
    const { status, json } = await askGithub(simulator, 'GET', '/user');
    expect([status, json.message]).toEqual([404, 'Not Found']);
    expect((await askGithub(simulator, 'DELETE', `${repository}/API_KEY`)).status).toBe(404);
  });

  test('its controls over HTTP', async () => {
    const simulator = await simulate();
    const control = (method: string, path: string, body?: unknown) =>
      ask(simulator, method, `${simulator.adminUrl}${path}`, { body });
    const target = 'environment:octo-org/other/production';
    const fields = { fullName: 'octo-org/other', environments: ['production'] };
    expect((await control('POST', '/github/repositories', fields)).status).toBe(201);
    const secret = { target, name: 'API_KEY', value: 'x' };
    expect((await control('POST', '/github/secrets', secret)).json).toMatchObject({ value: 'x' });
    expect((await control('GET', '/github/secrets')).json).toEqual([secret]);
    const organization = { login: 'octo-org', repositories: ['octo-repo'] };
    expect((await control('POST', '/github/organizations', organization)).status).toBe(201);
    const fault = { match: { method: 'GET' }, fault: { kind: 'status', status: 503 } };
    expect((await control('POST', '/github/faults', fault)).status).toBe(201);
    expect((await askGithub(simulator, 'GET', '/repos/octo-org/other')).status).toBe(503);
    expect((await control('DELETE', '/github/faults')).status).toBe(200);
    expect((await askGithub(simulator, 'GET', '/repos/octo-org/other')).status).toBe(200);
    expect((await control('GET', '/github/requests')).json).toHaveLength(2);
    expect((await control('GET', '/state')).json.github).toMatchObject({
      apiUrl: simulator.github.apiUrl,
      token: simulator.github.token,
      stored: [secret],
      requestCount: 2,
    });
  });
});

describe('mistakes of a test are told', () => {
  test.each([
    ['repository:octo-repo', 'is not a target'],
    ['repository:octo-org/octo-repo/x', 'is not a target'],
    ['environment:octo-org/octo-repo', 'is not a target'],
    ['repository', 'is not a target'],
    ['team:octo-org', 'is not a target'],
    ['repository:octo-org/none', 'there is no repository:octo-org/none'],
    ['environment:octo-org/octo-repo/none', 'there is no environment'],
    ['organization:none', 'there is no organization:none'],
  ])('%s', async (target, message) => {
    const { github } = await simulate();
    expect(() => github.secret(target, 'K')).toThrow(message);
    expect(() => github.putSecret(target, 'K', 'x')).toThrow(message);
  });

  test('names that are taken or missing', async () => {
    const { github } = await simulatePlaces();
    expect(() => github.addRepository('octo-org/SHOP')).toThrow('is there already');
    expect(() => github.addOrganization('octo-org')).toThrow('is there already');
    expect(() => github.moveRepository('octo-org/none', 'a/b')).toThrow('there is no repository');
    expect(() => github.moveRepository('octo-org/third', 'octo-org/shop')).toThrow('already');
    expect(() => github.addToken({ targets: ['all'] })).toThrow('is not a target');
    const bad = { updatedAt: 'yesterday' };
    expect(() => github.putSecret(repositoryTarget, 'K', 'x', bad)).toThrow('is not a time');
  });
});
