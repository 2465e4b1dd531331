import { describe, expect, test } from '@jest/globals';
import { toJson } from '../../simulator/json.ts';
import { machineClock } from '../../simulator/server.ts';
import { ask, get, ids, simulate, startOfTime } from './support.ts';

describe('keys', () => {
  test.each([
    ['no key', null],
    ['a wrong one', 'wrong'],
  ])('a request with %s is refused', async (_, key) => {
    const { status, headers, json } = await ask(await simulate(), 'GET', '/api_keys', { key });
    expect(status).toBe(401);
    expect(json).toEqual({
      request_id: headers['x-request-id'],
      code: 'UNAUTHORIZED',
      message: expect.any(String),
    });
  });

  test('are created, listed with their use, and revoked at once and for ever', async () => {
    const simulator = await simulate();
    const body = { key_name: 'second' };
    const created = (await ask(simulator, 'POST', '/api_keys', { body })).json;
    expect(created).toMatchObject({ name: 'second', created_at: '2026-01-01T00:00:00.000Z' });

    simulator.clock.advance(5000);
    const second = { key: created.key };
    const listed = (await ask(simulator, 'GET', '/api_keys', second)).json;
    expect(ids(listed)).toEqual([Number(simulator.account.keys[0]?.id), created.id]);
    expect(listed[1]).toMatchObject({
      last_used_at: '2026-01-01T00:00:05.000Z',
      last_used_from_addr: '127.0.0.1',
    });
    expect(listed.some((item: object) => 'key' in item)).toBe(false);

    const revoked = await ask(simulator, 'DELETE', `/api_keys/${created.id}`, second);
    expect(revoked).toMatchObject({ status: 200, json: { id: created.id, revoked: true } });
    expect((await ask(simulator, 'GET', '/api_keys', second)).status).toBe(401);
    expect((await ask(simulator, 'DELETE', `/api_keys/${created.id}`)).status).toBe(404);
  });

  test.each([
    ['missing', {}],
    ['empty', { key_name: '' }],
    ['not a string', { key_name: 5 }],
    ['of 65 characters', { key_name: 'x'.repeat(65) }],
  ])('a name that is %s is refused, and nothing created', async (_, body) => {
    const simulator = await simulate();
    expect((await ask(simulator, 'POST', '/api_keys', { body })).status).toBe(400);
    expect(simulator.account.keys).toHaveLength(1);
  });

  test('a name may have 64 characters', async () => {
    const body = { key_name: '€'.repeat(64) };
    expect((await ask(await simulate(), 'POST', '/api_keys', { body })).status).toBe(200);
  });

  test('ids keep every digit of an int64', async () => {
    const simulator = await simulate();
    simulator.addKey(simulator.account, { name: 'big', id: 2n ** 53n + 1n });
    const created = await ask(simulator, 'POST', '/api_keys', { body: { key_name: 'next' } });
    expect(created.text).toMatch(/^\{"id":9007199254740994,/);
    expect((await get(simulator, '/api_keys')).text).toContain('"id":9007199254740993,');
    const revoked = await ask(simulator, 'DELETE', '/api_keys/9007199254740993');
    expect(revoked.text).toMatch(/^\{"id":9007199254740993,/);
    expect(simulator.account.keys.map(({ name }) => name)).toEqual(['first', 'next']);
  });

  test('a new one may be unknown for a moment', async () => {
    const simulator = await simulate({ keys: { propagationMs: 3000 } });
    const { json } = await ask(simulator, 'POST', '/api_keys', { body: { key_name: 'slow' } });
    const use = async () => (await ask(simulator, 'GET', '/api_keys', { key: json.key })).status;
    expect(await use()).toBe(401);
    expect((await get(simulator, '/api_keys')).json).toHaveLength(2);
    simulator.clock.advance(3000);
    expect(await use()).toBe(200);
  });

  test('one never used has `last_used_at` null, or none', async () => {
    const simulator = await simulate();
    simulator.addKey(simulator.account, { name: 'idle' });
    expect((await get(simulator, '/api_keys')).json[1].last_used_at).toBeNull();
    simulator.settings.keys.neverUsed = 'absent';
    expect((await get(simulator, '/api_keys')).json[1]).not.toHaveProperty('last_used_at');
  });

  test('belong to one account, which sees nothing of another', async () => {
    const simulator = await simulate();
    simulator.addProject({ id: 'mine' });
    const [stranger] = simulator.addAccount().keys;
    const key = String(stranger?.key);
    expect((await ask(simulator, 'GET', '/api_keys', { key })).json).toHaveLength(1);
    expect((await ask(simulator, 'GET', '/projects', { key })).json.projects).toEqual([]);
    expect((await ask(simulator, 'GET', '/projects/mine/operations', { key })).status).toBe(404);
    const mine = `/api_keys/${simulator.account.keys[0]?.id}`;
    expect((await ask(simulator, 'DELETE', mine, { key })).status).toBe(404);
  });
});

describe('projects', () => {
  test('come ten at a time, and with a limit up to 400', async () => {
    const simulator = await simulate({ lastPageCursor: 'none' });
    for (let index = 0; index < 25; index += 1) simulator.addProject({ id: `p-${index}` });
    const found: unknown[] = [];
    let path = '/projects';
    for (const size of [10, 10, 5]) {
      const { projects, pagination } = (await get(simulator, path)).json;
      expect(projects).toHaveLength(size);
      found.push(...ids(projects));
      path = `/projects?cursor=${pagination?.cursor}`;
    }
    expect(path).toBe('/projects?cursor=undefined');
    expect(found).toEqual(Array.from({ length: 25 }, (_, index) => `p-${index}`));
    expect((await get(simulator, '/projects?limit=400')).json.projects).toHaveLength(25);
    for (const limit of ['0', '401', 'x']) {
      expect((await get(simulator, `/projects?limit=${limit}`)).status).toBe(400);
    }
  });

  test('come all at once where the service does not page', async () => {
    const simulator = await simulate({ projects: { paged: false } });
    for (let index = 0; index < 25; index += 1) simulator.addProject();
    const { json } = await get(simulator, '/projects');
    expect(json.projects).toHaveLength(25);
    expect(json).not.toHaveProperty('pagination');
  });

  test('are searched, taken by organisation, or refused without one', async () => {
    const simulator = await simulate();
    simulator.addProject({ id: 'one', name: 'shop production' });
    const other = simulator.addAccount({ orgId: 'org-x' });
    simulator.addProject({ id: 'two', account: other });
    expect(ids((await get(simulator, '/projects?search=prod')).json.projects)).toEqual(['one']);
    expect((await get(simulator, '/projects?search=nothing')).json.projects).toEqual([]);

    simulator.settings.projects.orgIdRequired = true;
    const key = String(other.keys[0]?.key);
    const refused = await ask(simulator, 'GET', '/projects', { key });
    expect(refused).toMatchObject({ status: 400, json: { message: 'org_id is required' } });
    const { json } = await ask(simulator, 'GET', '/projects?org_id=org-x', { key });
    expect(json.projects).toMatchObject([{ id: 'two', org_id: 'org-x' }]);
  });

  test('that cannot be read are named', async () => {
    const simulator = await simulate();
    for (const id of ['a', 'b', 'c']) simulator.addProject({ id });
    simulator.settings.projects.unavailableIds = ['b'];
    const { json } = await get(simulator, '/projects');
    expect(ids(json.projects)).toEqual(['a', 'c']);
    expect(json.unavailable_project_ids).toEqual(['b']);
  });

  test('have the fields they were given', async () => {
    const simulator = await simulate();
    simulator.addProject({ id: 'p', name: '##[x]', pg_version: 15, extra: { new: true } });
    const { projects } = (await get(simulator, '/projects')).json;
    expect(projects).toMatchObject([{ name: '##[x]', pg_version: 15, extra: { new: true } }]);
  });

  test('can be created through the API', async () => {
    const simulator = await simulate();
    const { status, json } = await ask(simulator, 'POST', '/projects', {
      body: { project: { name: 'new' } },
    });
    expect(status).toBe(201);
    expect(json.project.name).toBe('new');
    expect(json.operations.map(({ action }: { action: string }) => action)).toEqual([
      'create_timeline',
      'start_compute',
    ]);
    expect((await get(simulator, `/projects/${json.project.id}`)).json.project.name).toBe('new');
  });
});

describe('branches', () => {
  test('a creation starts create_branch, then start_compute, and tells a password', async () => {
    const simulator = await simulate({
      durations: { schedulingMs: 100, runningMs: 1000, computeDelayMs: 500, listDelayMs: 300 },
    });
    simulator.addProject({ id: 'p' });
    const { status, json } = await ask(simulator, 'POST', '/projects/p/branches', {
      body: { branch: { name: 'preview' } },
    });
    expect(status).toBe(201);
    const [create, start] = json.operations;
    expect(create).toMatchObject({ action: 'create_branch', branch_id: json.branch.id });
    expect(start).toMatchObject({ action: 'start_compute', endpoint_id: json.endpoints[0].id });
    expect(start.created_at).toBe(create.created_at);
    const [{ connection_uri: uri, connection_parameters: parameters }] = json.connection_uris;
    expect(uri).toContain(parameters.password);

    const seen: string[] = [];
    for (const ms of [0, 100, 200, 800, 500, 1000]) {
      simulator.clock.advance(ms);
      const { operations } = (await get(simulator, '/projects/p/operations')).json;
      seen.push(operations.map(({ status }: { status: string }) => status).join(' '));
    }
    // After 0, 100, 300, 1100, 1600 and 2600 ms; the newest, start_compute, comes first once it is listed.
    expect(seen).toEqual([
      'scheduling',
      'running',
      'scheduling running',
      'scheduling finished',
      'running finished',
      'finished finished',
    ]);
  });

  test('are listed in `init` until they are ready, and deleted', async () => {
    const simulator = await simulate({ durations: { schedulingMs: 0, runningMs: 1000 } });
    simulator.addProject({ id: 'p' });
    const at = '/projects/p/branches';
    const { branch } = (await ask(simulator, 'POST', at)).json;
    const states = async () =>
      (await get(simulator, at)).json.branches.map(
        ({ current_state }: { current_state: string }) => current_state,
      );
    expect(await states()).toEqual(['ready', 'init']);
    simulator.clock.advance(1000);
    expect(await states()).toEqual(['ready', 'ready']);
    const deleted = await ask(simulator, 'DELETE', `${at}/${branch.id}`);
    expect(deleted.json.operations).toHaveLength(2);
    expect(await states()).toEqual(['ready']);
    expect((await ask(simulator, 'DELETE', `${at}/${branch.id}`)).status).toBe(404);
  });

  test('a creation can fail, and then its compute is cancelled', async () => {
    const simulator = await simulate({
      outcomes: { create_branch: { outcome: 'failed', error: 'no space left' } },
    });
    simulator.addProject({ id: 'p' });
    await ask(simulator, 'POST', '/projects/p/branches');
    simulator.clock.advance(60_000);
    const { operations } = (await get(simulator, '/projects/p/operations')).json;
    expect(operations).toMatchObject([
      { action: 'start_compute', status: 'cancelled' },
      { action: 'create_branch', status: 'failed', error: 'no space left', failures_count: 1 },
    ]);
  });

  test('without compute there is only create_branch; a name is taken once', async () => {
    const simulator = await simulate();
    simulator.addProject({ id: 'p' });
    const body = { branch: { name: 'x' }, endpoints: [] };
    const created = await ask(simulator, 'POST', '/projects/p/branches', { body });
    expect(created.json).toMatchObject({
      endpoints: [],
      operations: [{ action: 'create_branch' }],
    });
    expect((await ask(simulator, 'POST', '/projects/p/branches', { body })).status).toBe(409);
  });
});

describe('every answer', () => {
  test('carries the simulated time and an id', async () => {
    const simulator = await simulate();
    simulator.clock.advance(90_000);
    const [first, second] = [await get(simulator, '/projects'), await get(simulator, '/nowhere')];
    expect(first.headers.date).toBe('Thu, 01 Jan 2026 00:01:30 GMT');
    expect(second.headers.date).toBe(first.headers.date);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  test('may come from a clock that is minutes ahead of this machine’s', async () => {
    const simulator = await simulate({ clock: machineClock(600_000) });
    const { date } = (await get(simulator, '/projects')).headers;
    expect(Date.parse(String(date)) - Date.now()).toBeGreaterThan(590_000);
  });

  test.each([
    ['GET', '/projects/nowhere'],
    ['GET', '/projects/nowhere/operations'],
    ['POST', '/projects/nowhere/branches'],
    ['GET', '/projects/p/operations/5f8a1e0c-0000-4000-8000-000000000000'],
    ['GET', '/projects/p/branches/nowhere'],
    ['DELETE', '/api_keys/1'],
    ['GET', '/nowhere'],
    ['GET', '/../../projects'],
  ])('to %s %s is 404 and JSON', async (method, path) => {
    const simulator = await simulate();
    simulator.addProject({ id: 'p' });
    const { status, json } = await ask(simulator, method, path);
    expect({ status, code: json.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
  });

  test('to a body that is no JSON object is 400', async () => {
    const reply = await ask(await simulate(), 'POST', '/api_keys', { body: [1] });
    expect(reply).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } });
  });
});

describe('the rate limit', () => {
  test('is one of the account for a minute, and says when to come back', async () => {
    const simulator = await simulate({ rateLimit: { perMinute: 3 } });
    for (let index = 0; index < 3; index += 1) {
      expect((await get(simulator, '/projects')).status).toBe(200);
      simulator.clock.advance(10_000);
    }
    expect(await get(simulator, '/api_keys')).toMatchObject({
      status: 429,
      headers: { 'retry-after': '30' },
    });
    simulator.clock.advance(30_000);
    expect((await get(simulator, '/api_keys')).status).toBe(200);
  });

  test('is one of each route for a second', async () => {
    const simulator = await simulate({ rateLimit: { perSecond: 1, retryAfter: false } });
    for (const id of ['a', 'b']) simulator.addProject({ id });
    expect((await get(simulator, '/projects/a/operations')).status).toBe(200);
    const refused = await get(simulator, '/projects/b/operations');
    expect(refused.status).toBe(429);
    expect(refused.headers).not.toHaveProperty('retry-after');
    expect((await get(simulator, '/api_keys')).status).toBe(200);
  });
});

describe('the record', () => {
  test('has every request, with key, query, status and connection', async () => {
    const simulator = await simulate();
    simulator.addProject({ id: 'p' });
    await get(simulator, '/projects/p/operations?limit=5&cursor=2026-01-01T00%3A00%3A00Z');
    await ask(simulator, 'POST', '/api_keys', { body: { key_name: 'x' }, key: 'wrong' });
    expect(simulator.requests).toMatchObject([
      {
        time: startOfTime,
        method: 'GET',
        path: '/projects/p/operations',
        query: { limit: '5', cursor: '2026-01-01T00:00:00Z' },
        headers: { authorization: `Bearer ${simulator.apiKey}` },
        keyId: String(simulator.account.keys[0]?.id),
        status: 200,
        connection: 1,
      },
      { method: 'POST', path: '/api_keys', body: '{"key_name":"x"}', status: 401, connection: 2 },
    ]);
    expect(simulator.requests[1]).not.toHaveProperty('keyId');
    expect(simulator.connections).toBe(2);
  });

  test('and the bytes of the answers', async () => {
    const simulator = await simulate();
    for (let index = 0; index < 3; index += 1) simulator.addProject();
    expect(simulator.bytesSent).toBe(0);
    const { text } = await get(simulator, '/projects');
    const first = simulator.bytesSent;
    expect(first).toBeGreaterThan(text.length);
    expect(first).toBeLessThan(text.length + 1000);
    await get(simulator, '/projects');
    expect(simulator.bytesSent).toBe(2 * first);
  });
});

test('a setting that does not exist is an error', async () => {
  const wrong = { pagesize: { max: 5 } } as object;
  await expect(simulate(wrong)).rejects.toThrow('"pagesize" is not a setting');
});

test('JSON is written with every digit of a bigint', () => {
  expect(toJson({ id: 2n ** 63n - 1n, list: [1n] })).toBe('{"id":9223372036854775807,"list":[1]}');
});
