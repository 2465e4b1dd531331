import { describe, expect, test } from '@jest/globals';
import type { Fault, Match, Simulator } from '../../simulator/server.ts';
import { ask, get, ids, observe, simulate } from './support.ts';

const path = '/projects/p/operations';

/** A project with three finished operations, and one fault. */
async function simulateFault(fault: Fault, match: Match = {}): Promise<Simulator> {
  const simulator = await simulate();
  simulator.addProject({ id: 'p' });
  for (let index = 0; index < 3; index += 1) {
    const createdAt = simulator.clock.now() - 60_000 * (index + 1);
    simulator.addOperation({ projectId: 'p', action: 'apply_config', createdAt });
  }
  simulator.faults.add({ fault, match });
  return simulator;
}

const createKey = (simulator: Simulator) =>
  ask(simulator, 'POST', '/api_keys', { body: { key_name: 'new' } });

describe('answers by status', () => {
  test.each([
    ['seconds', 7, '7'],
    ['a date', 'Thu, 01 Jan 2026 00:00:30 GMT', 'Thu, 01 Jan 2026 00:00:30 GMT'],
    ['nonsense', 'soon', 'soon'],
    ['nothing', undefined, undefined],
  ])('Retry-After can be %s', async (_, retryAfter, header) => {
    const simulator = await simulateFault({
      kind: 'status',
      status: 503,
      ...(retryAfter !== undefined && { retryAfter }),
    });
    const { status, headers, json } = await get(simulator, path);
    expect({ status, header: headers['retry-after'] }).toEqual({ status: 503, header });
    expect(json).toEqual({
      request_id: headers['x-request-id'],
      code: 'SIMULATED_503',
      message: 'simulated answer 503',
    });
    expect(simulator.requests).toMatchObject([{ status: 503, fault: 'status' }]);
  });

  test.each([
    ['HTML', 502, 'html', 'text/html', /^<html>/],
    ['HTML under 200', 200, 'html', 'text/html', /^<html>/],
    ['nothing', 504, 'empty', undefined, /^$/],
    ['nothing under 200', 200, 'empty', undefined, /^$/],
    ['nothing under 204', 204, 'json', undefined, /^$/],
    ['any text', 500, { text: '::error::x' }, 'text/plain', /^::error::x$/],
  ] as const)('the body can be %s', async (_, status, body, type, text) => {
    const reply = await get(await simulateFault({ kind: 'status', status, body }), path);
    expect(reply.status).toBe(status);
    expect(reply.headers['content-type']).toBe(type);
    expect(reply.text).toMatch(text);
  });

  test.each([
    [false, 1],
    [true, 2],
  ])('with act: %s the account has %i keys', async (act, count) => {
    const simulator = await simulateFault({ kind: 'status', status: 504, act });
    expect((await createKey(simulator)).status).toBe(504);
    expect(simulator.account.keys).toHaveLength(count);
  });

  test('a redirect', async () => {
    const location = 'http://127.0.0.1:9/elsewhere';
    const simulator = await simulateFault({ kind: 'redirect', status: 307, location });
    expect(await get(simulator, path)).toMatchObject({ status: 307, headers: { location } });
  });

  test('an error that repeats the key', async () => {
    const simulator = await simulateFault({ kind: 'echo-key' });
    const { status, json } = await get(simulator, path);
    expect(status).toBe(400);
    expect(json.message).toContain(`Bearer ${simulator.apiKey}`);
  });
});

describe('answers with a wrong body', () => {
  test('changed by a function', async () => {
    const simulator = await simulateFault({
      kind: 'transform',
      transform: (body) => ({ ...body, operations: 'none' }),
    });
    expect((await get(simulator, path)).json).toMatchObject({ operations: 'none' });
  });

  test('changed by name, one item or all', async () => {
    const simulator = await simulateFault({
      kind: 'set',
      set: { 'operations.0.status': 5, 'operations.*.branch_id': null, 'no.where': 1 },
      remove: ['pagination', 'operations.1.id'],
    });
    const { json } = await get(simulator, path);
    expect(json.operations.map(({ status }: { status: unknown }) => status)).toEqual([
      5,
      'finished',
      'finished',
    ]);
    expect(json.operations[2].branch_id).toBeNull();
    expect(json.operations[1]).not.toHaveProperty('id');
    expect(json).not.toHaveProperty('pagination');
  });

  test('and large ids stay whole on the way', async () => {
    const simulator = await simulateFault({ kind: 'set', set: { '0.name': 5 } });
    simulator.addKey(simulator.account, { name: 'big', id: 2n ** 60n + 1n });
    expect((await get(simulator, '/api_keys')).text).toContain('"id":1152921504606846977,');
  });

  test('JSON that breaks off, its length correct', async () => {
    const simulator = await simulateFault({ kind: 'truncated' });
    const { status, headers, text } = await get(simulator, path);
    expect(status).toBe(200);
    expect(Number(headers['content-length'])).toBe(text.length);
    expect(text).toMatch(/^\{"operations":\[/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test('headers replaced and left out', async () => {
    const simulator = await simulateFault({
      kind: 'headers',
      headers: { date: null, 'content-type': 'text/plain' },
    });
    const { headers, json } = await get(simulator, path);
    expect(headers).not.toHaveProperty('date');
    expect(headers['content-type']).toBe('text/plain');
    expect(json.operations).toHaveLength(3);
  });
});

describe('listings that do not end', () => {
  test.each(['operations', 'projects'])('%s: always new items and a new cursor', async (name) => {
    const simulator = await simulateFault({ kind: 'endless-pages' });
    const listing = name === 'operations' ? path : '/projects';
    const seen = new Set<unknown>();
    const cursors = new Set<string>();
    let cursor = '';
    for (let page = 0; page < 5; page += 1) {
      const { json } = await get(simulator, `${listing}?limit=20${cursor}`);
      expect(json[name]).toHaveLength(20);
      for (const id of ids(json[name])) seen.add(id);
      cursors.add(json.pagination.cursor);
      cursor = `&cursor=${encodeURIComponent(json.pagination.cursor)}`;
    }
    expect([seen.size, cursors.size]).toEqual([100, 5]);
  });

  test('a cursor that leads to itself', async () => {
    const simulator = await simulateFault({ kind: 'repeated-cursor' });
    const first = (await get(simulator, `${path}?limit=1`)).json;
    const next = `${path}?limit=1&cursor=${first.pagination.cursor}`;
    const [second, third] = [(await get(simulator, next)).json, (await get(simulator, next)).json];
    expect(second.pagination).toEqual(first.pagination);
    expect(third).toEqual(second);
    expect(ids(second.operations)).not.toEqual(ids(first.operations));
  });
});

describe('trouble on the connection', () => {
  test('an answer that comes late', async () => {
    const simulator = await simulateFault({ kind: 'delay', ms: 150 });
    const begin = performance.now();
    expect((await get(simulator, path)).status).toBe(200);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(140);
  });

  test('no answer', async () => {
    const simulator = await simulateFault({ kind: 'hang' });
    expect(await observe(simulator, path, 150)).toEqual({ text: '', end: 'open', pieces: 0 });
  });

  test('headers, then silence', async () => {
    const { text, end } = await observe(await simulateFault({ kind: 'headers-only' }), path, 150);
    expect(end).toBe('open');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*content-length: \d{3}[\s\S]*\r\n\r\n$/i);
  });

  test('headers, then FIN', async () => {
    const { text, end } = await observe(await simulateFault({ kind: 'half-close' }), path);
    expect(end).toBe('fin');
    expect(text).toMatch(/content-length: \d{3}[\s\S]*\r\n\r\n$/i);
  });

  test('a body in drops, whole in the end', async () => {
    const simulator = await simulateFault({ kind: 'drip', bytes: 100, everyMs: 10 });
    const { json } = await get(simulator, path);
    expect(json.operations).toHaveLength(3);
    const { pieces } = await observe(simulator, path, 300);
    expect(pieces).toBeGreaterThan(5);
  });

  test('a body in drops without end', async () => {
    const simulator = await simulateFault({ kind: 'drip', bytes: 500, everyMs: 5, forever: true });
    const { text, end } = await observe(simulator, path, 300);
    expect(end).toBe('open');
    expect(text).toMatch(/transfer-encoding: chunked/i);
    expect(text.split(' '.repeat(500)).length).toBeGreaterThan(5);
  });

  test.each([
    ['half of it', {}, 'fin', /content-length: \d{3}[\s\S]*\{"operations":\[\{[\s\S]*/i],
    ['before its first byte', { bytes: 0 }, 'fin', /content-length[\s\S]*\r\n\r\n$/i],
    [
      'in chunks',
      { chunked: true, bytes: 20 },
      'fin',
      /chunked[\s\S]*\r\n14\r\n\{"operations":\[\{"id"\r\n$/i,
    ],
    ['by RST', { reset: true }, 'rst', /^/],
  ] as const)('a body cut: %s', async (_, cut, end, text) => {
    const simulator = await simulateFault({ kind: 'cut', ...cut });
    const observed = await observe(simulator, path);
    expect(observed.end).toBe(end);
    expect(observed.text).toMatch(text);
    expect(observed.text).not.toContain('"pagination"');
    await expect(get(simulator, path)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('RST, nothing done', async () => {
    const simulator = await simulateFault({ kind: 'reset' });
    expect(await observe(simulator, path)).toMatchObject({ text: '', end: 'rst' });
    await expect(createKey(simulator)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(simulator.account.keys).toHaveLength(1);
    expect(simulator.requests.at(-1)).not.toHaveProperty('status');
  });

  test('RST, all done: a lost answer', async () => {
    const simulator = await simulateFault({ kind: 'act-then-cut' });
    await expect(createKey(simulator)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(simulator.account.keys.map(({ name }) => name)).toEqual(['first', 'new']);
  });

  test('something that is not HTTP', async () => {
    const simulator = await simulateFault({ kind: 'garbage' });
    expect(await observe(simulator, path)).toMatchObject({
      text: 'SSH-2.0-OpenSSH_9.6\r\n',
      end: 'fin',
    });
    await expect(get(simulator, path)).rejects.toMatchObject({ code: 'HPE_INVALID_CONSTANT' });
  });

  test('a body of megabytes', async () => {
    const simulator = await simulateFault({ kind: 'huge', bytes: 5_000_000 });
    const { text, json } = await get(simulator, path);
    expect(text.length).toBeGreaterThan(5_000_000);
    expect(json.operations).toHaveLength(3);
  });

  test('closing ends answers in the middle', async () => {
    const simulator = await simulateFault({ kind: 'hang' });
    const observed = observe(simulator, path, 10_000);
    while (simulator.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await simulator.close();
    expect((await observed).text).toBe('');
  });
});

describe('which requests', () => {
  const fault: Fault = { kind: 'status', status: 500 };
  const statuses = async (simulator: Simulator, count: number) => {
    const seen: number[] = [];
    for (let index = 0; index < count; index += 1) seen.push((await get(simulator, path)).status);
    return seen;
  };

  test.each([
    [{}, [500, 500, 500, 500]],
    [{ times: 2 }, [500, 500, 200, 200]],
    [{ nth: 3 }, [200, 200, 500, 200]],
    [{ after: 1, times: 2 }, [200, 500, 500, 200]],
    [{ method: 'post' }, [200, 200, 200, 200]],
    [{ method: 'get' }, [500, 500, 500, 500]],
  ])('%j of four', async (match, expected) => {
    expect(await statuses(await simulateFault(fault, match), 4)).toEqual(expected);
  });

  test.each([
    ['/projects/*/operations', 500],
    ['/api/v2/projects/p/operations', 500],
    ['/projects/*', 200],
    ['/projects', 200],
    [/^\/projects\/p\//, 500],
    [/limit=/g, 200],
  ])('path %s', async (matched, status) => {
    expect((await get(await simulateFault(fault, { path: matched }), path)).status).toBe(status);
  });

  test('a regular expression sees the query', async () => {
    const simulator = await simulateFault(fault, { path: /operations\?.*limit=5/ });
    expect((await get(simulator, `${path}?limit=5`)).status).toBe(500);
    expect((await get(simulator, path)).status).toBe(200);
  });

  test('those that a function picks, asked once for each that is due', async () => {
    const asked: string[] = [];
    const when: Match['when'] = ({ search }) => {
      asked.push(search);
      return asked.length % 2 === 0;
    };
    const simulator = await simulateFault(fault, { after: 1, method: 'GET', when });
    expect(await statuses(simulator, 5)).toEqual([200, 200, 500, 200, 500]);
    expect(asked).toHaveLength(4);
  });

  test('those of one key', async () => {
    const simulator = await simulate();
    const second = simulator.addKey(simulator.account, { name: 'second' });
    simulator.faults.add({ match: { keyId: String(second.id) }, fault });
    expect((await get(simulator, '/api_keys')).status).toBe(200);
    expect((await ask(simulator, 'GET', '/api_keys', { key: second.key })).status).toBe(500);
  });

  test('the first that matches wins; hits are counted; removing ends it', async () => {
    const simulator = await simulate();
    const first = simulator.faults.add({ match: { times: 1 }, fault });
    const second = simulator.faults.add({ fault: { kind: 'status', status: 502 } });
    const status = async () => (await get(simulator, '/projects')).status;
    expect([await status(), await status()]).toEqual([500, 502]);
    expect([first.hits, second.hits]).toEqual([1, 1]);
    second.remove();
    expect(await status()).toBe(200);
  });

  test('an unknown kind is an error', async () => {
    const unknown = { kind: 'rain' } as unknown as Fault;
    await expect(simulateFault(unknown)).rejects.toThrow('"rain" is not a kind of fault');
  });
});

describe('hooks', () => {
  test('before, once performed, and after the answer', async () => {
    const simulator = await simulate();
    const seen: string[] = [];
    const note = (moment: string) => () => {
      seen.push(`${moment}: ${simulator.account.keys.length}`);
    };
    const handle = simulator.faults.add({
      match: { method: 'POST' },
      before: note('before'),
      acted: note('acted'),
      after: note('after'),
    });
    await get(simulator, '/api_keys');
    await createKey(simulator);
    expect(seen).toEqual(['before: 1', 'acted: 2', 'after: 2']);
    expect(handle.hits).toBe(1);
  });

  test('are called beside a fault, and waited for', async () => {
    const simulator = await simulateFault({ kind: 'act-then-cut' });
    const seen: (string | undefined)[] = [];
    simulator.faults.add({
      before: async ({ request }) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        seen.push(request.fault);
      },
      acted: () => {
        simulator.clock.advance(1000);
      },
      after: ({ request }) => {
        seen.push(request.method);
      },
    });
    await expect(get(simulator, path)).rejects.toThrow();
    while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toEqual(['act-then-cut', 'GET']);
  });
});
