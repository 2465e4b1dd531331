import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CallOptions, ControlApi } from '../../src/control-api/client.ts';
import { ControlApiError } from '../../src/control-api/errors.ts';
import { HttpFault } from '../../src/control-api/http.ts';
import { UnsafeIdError } from '../../src/control-api/paths.ts';
import { anyText } from '../support/hostile-text.ts';
import { BASE_URL, KEY, OPERATION, type Reply, stage } from './client-support.ts';

const signal = new AbortController().signal;
const CALL: CallOptions = { signal };
const ONCE: CallOptions = { signal, retries: 0 };

type Endpoint = [name: string, call: (api: ControlApi, options: CallOptions) => Promise<unknown>];

const READS: Endpoint[] = [
  ['listOperations', (api, options) => api.listOperations('p1', {}, options)],
  ['getOperation', (api, options) => api.getOperation('p1', 'o1', options)],
  ['listProjects', (api, options) => api.listProjects({}, options)],
  ['listApiKeys', (api, options) => api.listApiKeys(options)],
];
const POST: Endpoint = ['createApiKey', (api, options) => api.createApiKey('name', options)];
const DELETE: Endpoint = ['revokeApiKey', (api, options) => api.revokeApiKey('7', options)];
const WRITES = [POST, DELETE];
const ALL = [...READS, ...WRITES];

/** An answer of the promised shape for each endpoint. */
const GOOD: Record<string, unknown> = {
  listOperations: { operations: [OPERATION], pagination: { cursor: 'c' } },
  getOperation: { operation: OPERATION },
  listProjects: { projects: [{ id: 'p1', name: 'n' }] },
  listApiKeys: [{ id: 1, name: 'n', created_at: null }],
  createApiKey: { id: 1, key: 'napi_new' },
  revokeApiKey: { id: 1, name: 'n', revoked: true },
};

const network = (perhapsSent: boolean) => new HttpFault('network', 'it broke', perhapsSent);
const cut = new HttpFault('garbled', 'the answer was cut off in the middle', true);

describe('the six endpoints', () => {
  test.each<[string, (api: ControlApi) => Promise<unknown>, string, string, unknown]>([
    [
      'listOperations',
      (api) => api.listOperations('p1', {}, CALL),
      'GET',
      '/projects/p1/operations',
      undefined,
    ],
    [
      'listOperations',
      (api) => api.listOperations('p.1~', { limit: 1000, cursor: undefined }, CALL),
      'GET',
      '/projects/p.1~/operations?limit=1000',
      undefined,
    ],
    [
      'listOperations',
      (api) =>
        api.listOperations('p1', { limit: 5, cursor: '2026-03-01T08:00:00.123456+00:00' }, CALL),
      'GET',
      '/projects/p1/operations?limit=5&cursor=2026-03-01T08%3A00%3A00.123456%2B00%3A00',
      undefined,
    ],
    [
      'getOperation',
      (api) => api.getOperation('p1', 'o1', CALL),
      'GET',
      '/projects/p1/operations/o1',
      undefined,
    ],
    ['listProjects', (api) => api.listProjects({}, CALL), 'GET', '/projects', undefined],
    [
      'listProjects',
      (api) => api.listProjects({ limit: 400, cursor: 'a&b=c#d?é', orgId: 'org/1' }, CALL),
      'GET',
      '/projects?limit=400&cursor=a%26b%3Dc%23d%3F%C3%A9&org_id=org%2F1',
      undefined,
    ],
    ['listApiKeys', (api) => api.listApiKeys(CALL), 'GET', '/api_keys', undefined],
    [
      'createApiKey',
      (api) => api.createApiKey('a "b" \n/é', CALL),
      'POST',
      '/api_keys',
      { key_name: 'a "b" \n/é' },
    ],
    [
      'revokeApiKey',
      (api) => api.revokeApiKey('9223372036854775807', CALL),
      'DELETE',
      '/api_keys/9223372036854775807',
      undefined,
    ],
  ])('%s sends what the contract says', async (name, call, method, path, body) => {
    const { api, http, end } = stage([{ body: GOOD[name] }]);
    await end(call(api));
    expect(http.requests).toHaveLength(1);
    const [request] = http.requests;
    expect(request?.method).toBe(method);
    expect(request?.url.href).toBe(BASE_URL + path);
    expect(request?.headers).toEqual({
      accept: 'application/json',
      authorization: `Bearer ${KEY}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    });
    expect(request?.body && JSON.parse(request.body)).toEqual(body);
    expect(api.requests).toBe(1);
  });

  test('whatever a cursor is, it arrives as it was given', async () => {
    const { api, http, end } = stage([{ body: GOOD.listOperations }]);
    await fc.assert(
      fc.asyncProperty(
        anyText().map((text) => text.toWellFormed()),
        fc.nat(),
        async (cursor, limit) => {
          await end(api.listOperations('p1', { cursor, limit }, CALL));
          const url = http.requests.at(-1)?.url;
          expect(url?.pathname).toBe('/api/v2/projects/p1/operations');
          expect(url?.searchParams.get('cursor')).toBe(cursor);
          expect(url?.searchParams.get('limit')).toBe(String(limit));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('an id that could climb out of its path is refused before anything is sent', async () => {
    const { api, http, fault } = stage([{ body: {} }]);
    for (const id of ['..', 'a/b', 'a?b', 'a#b', 'a\n', '', '../api_keys'])
      for (const call of [
        api.listOperations(id, {}, CALL),
        api.getOperation(id, 'o1', CALL),
        api.getOperation('p1', id, CALL),
        api.revokeApiKey(id, CALL),
      ])
        expect(await fault(call)).toBeInstanceOf(UnsafeIdError);
    expect(http.requests).toEqual([]);
  });

  test.each(ALL)(
    '%s gives the answer, with fields it does not know and every digit',
    async (name, call) => {
      const json = JSON.stringify(GOOD[name]).replaceAll(
        '"id":',
        '"new_field":{"x":[null,"y"]},"serial":9007199254740993,"id":',
      );
      const { api, end } = stage([{ body: json }]);
      const answer = inspect(await end(call(api, CALL)), { depth: 9 });
      expect(answer).toContain('9007199254740993n');
      expect(answer).toContain("new_field: { x: [ null, 'y' ] }");
    },
  );

  test('an id beyond what a double holds keeps its digits', async () => {
    const keys = stage([
      { body: '[{"id":9007199254740993,"name":"n"},{"id":9007199254740992,"name":"n"}]' },
    ]);
    const listed = await keys.end(keys.api.listApiKeys(CALL));
    expect(listed.map(({ id }) => String(id))).toEqual(['9007199254740993', '9007199254740992']);
    const created = stage([{ body: '{"id":9223372036854775807,"key":"k"}' }]);
    expect(String((await created.end(created.api.createApiKey('n', CALL))).id)).toBe(
      '9223372036854775807',
    );
  });

  test('any status of success is one', async () => {
    for (const status of [200, 201, 202, 299]) {
      const { api, end } = stage([{ status, body: GOOD.createApiKey }]);
      expect(await end(api.createApiKey('n', CALL))).toEqual(GOOD.createApiKey);
    }
  });
});

describe('an answer without the promised shape', () => {
  const wrong: [string, string[]][] = [
    [
      'listOperations',
      [
        ...[
          '{"operations":{}}',
          '{"operations":[{}]}',
          '{"operations":[null]}',
          '{"pagination":{}}',
        ],
        JSON.stringify({ operations: [{ ...OPERATION, id: 7 }] }),
        JSON.stringify({ operations: [{ ...OPERATION, id: '' }] }),
        JSON.stringify({ operations: [{ ...OPERATION, status: null }] }),
        JSON.stringify({ operations: [OPERATION, { ...OPERATION, created_at: 5 }] }),
        JSON.stringify({ operations: [], pagination: { cursor: 5 } }),
        JSON.stringify({ operations: [], pagination: 'c' }),
      ],
    ],
    ['getOperation', ['{"operation":null}', '{"operation":[]}', JSON.stringify(OPERATION)]],
    ['listProjects', ['{"projects":[{"id":"p1"}]}', '{"projects":[{"id":1,"name":"n"}]}', '[]']],
    [
      'listApiKeys',
      ['{"keys":[]}', '[{"id":"1","name":"n"}]', '[{"id":1.5,"name":"n"}]', '[{"id":1}]'],
    ],
    [
      'createApiKey',
      ['{"id":1}', '{"id":1,"key":""}', '{"id":"1","key":"k"}', '{"id":1.5,"key":"k"}'],
    ],
    ['revokeApiKey', ['[]', '{"revoked":"yes"}', '{"id":"x"}']],
  ];
  const anyway = ['', 'null', '7', '"text"', '<html>502</html>', '{"operations":[', '\ufeff'];

  test.each(wrong)('is no answer: %s', async (name, bodies) => {
    const call = ALL.find(([one]) => one === name)?.[1];
    if (call === undefined) throw new Error('no such endpoint');
    for (const body of [...bodies, ...anyway]) {
      const { api, http, fault } = stage([{ body }]);
      const error = await fault(call(api, ONCE));
      expect(error).toBeInstanceOf(ControlApiError);
      const doubtful = name === 'createApiKey' || name === 'revokeApiKey';
      expect([body, error.kind]).toEqual([body, doubtful ? 'ambiguous' : 'unreadable']);
      expect(error.message).toMatch(/^Failed to .*: the answer \(200\) /);
      expect(http.requests).toHaveLength(1);
    }
  });

  test.each(READS)('is asked for again: %s', async (name, call) => {
    const { api, http, retried, end } = stage([
      { body: '{"half":' },
      { body: '{}' },
      cut,
      { body: GOOD[name] },
    ]);
    await end(call(api, CALL));
    expect(http.requests).toHaveLength(4);
    expect(retried.map(({ error }) => error.kind)).toEqual(Array(3).fill('unreadable'));
    expect(api.requests).toBe(4);
  });

  test('which is about another operation, is none, and is asked for again', async () => {
    const other = { operation: { ...OPERATION, id: 'o2' } };
    const once = stage([{ body: other }]);
    const error = await once.fault(once.api.getOperation('p1', 'o1', ONCE));
    expect(error).toMatchObject({ kind: 'unreadable' });
    expect(error.message).toContain('operation o1 of project p1');
    const { api, http, end } = stage([{ body: other }, { body: GOOD.getOperation }]);
    expect(await end(api.getOperation('p1', 'o1', CALL))).toMatchObject({ id: 'o1' });
    expect(http.requests).toHaveLength(2);
  });

  test('says where it is wrong', async () => {
    const body = { operations: [OPERATION, { ...OPERATION, status: 5 }] };
    const { api, fault } = stage([{ body }]);
    const { message } = await fault(api.listOperations('p1', {}, ONCE));
    expect(message).toContain('"operations.1.status"');
  });
});

describe('passing faults of a read', () => {
  test.each<[string, Reply]>([
    ...[408, 423, 425, 429, 500, 502, 503, 504].map((status): [string, Reply] => [
      `${status}`,
      { status },
    ]),
    ['a refused connection', network(false)],
    ['a cut connection', network(true)],
    ['a cut body', cut],
  ])('%s is tried again', async (_what, reply) => {
    const { api, http, end, clock } = stage([reply, reply, { body: GOOD.listApiKeys }]);
    await end(api.listApiKeys(CALL));
    expect(http.requests.map(({ at }) => at)).toEqual([0, 250, 750]);
    expect(clock.pending).toBe(0);
  });

  test.each([400, 401, 403, 404, 409, 301, 302, 307, 501])('%d ends at once', async (status) => {
    const { api, http, fault } = stage([
      { status, headers: { location: 'https://evil.example/' } },
    ]);
    expect(await fault(api.listApiKeys(CALL))).toMatchObject({ status });
    expect(http.requests).toHaveLength(1);
  });

  test('a certificate and a body too large end at once', async () => {
    for (const [kind, fate] of [
      ['untrusted', 'untrusted'],
      ['too-large', 'endless'],
    ] as const) {
      const { api, http, fault } = stage([new HttpFault(kind, 'x', false)]);
      expect(await fault(api.listApiKeys(CALL))).toMatchObject({ kind: fate });
      expect(http.requests).toHaveLength(1);
    }
  });

  test('are tried max-retries times, or as often as the call says', async () => {
    for (const [options, tries] of [
      [CALL, 4],
      [{ ...CALL, retries: 0 }, 1],
      [{ ...CALL, retries: 6 }, 7],
    ] as const) {
      const { api, http, fault } = stage([{ status: 503 }]);
      await fault(api.listApiKeys(options));
      expect(http.requests).toHaveLength(tries);
    }
  });

  test('Retry-After is waited for, by the service’s clock, unless it asks for too much', async () => {
    const date = Date.UTC(2026, 2, 1, 5);
    const headers = {
      date: new Date(date).toUTCString(),
      'retry-after': new Date(date + 60_000).toUTCString(),
    };
    const { api, http, end, serviceClock } = stage([{ status: 503, headers }, { body: [] }]);
    await end(api.listApiKeys(CALL));
    expect(http.requests[1]?.at).toBeGreaterThanOrEqual(60_000);
    expect(http.requests[1]?.at).toBeLessThan(62_000);
    expect(serviceClock.now()).toBeGreaterThanOrEqual(date + 60_000);
    const long = stage([{ status: 429, headers: { 'retry-after': '121' } }, { body: [] }]);
    expect(await long.fault(long.api.listApiKeys(CALL))).toMatchObject({ retryAfterMs: 121_000 });
    const patient = stage([{ status: 429, headers: { 'retry-after': '7200' } }, { body: [] }]);
    await patient.end(
      patient.api.listApiKeys({ ...CALL, longestRetryAfterMs: Number.POSITIVE_INFINITY }),
    );
    expect(patient.http.requests[1]?.at).toBeGreaterThanOrEqual(7_200_000);
  });
});

describe('a write', () => {
  test.each(WRITES)(
    '%s is repeated when it is certain that nothing was done',
    async (name, call) => {
      const { api, http, end } = stage(
        [
          { status: 503 },
          { status: 423 },
          { status: 429 },
          { status: 425 },
          network(false),
          { body: GOOD[name] },
        ],
        { maxRetries: 5 },
      );
      expect(await end(call(api, CALL))).toEqual(GOOD[name]);
      expect(http.requests).toHaveLength(6);
    },
  );

  const doubtful: [string, Reply][] = [
    ...[408, 500, 502, 504, 507, 520].map((status): [string, Reply] => [`${status}`, { status }]),
    ['a cut connection', network(true)],
    ['a cut body', cut],
    ['a body too large', new HttpFault('too-large', 'x', true)],
    ['silence', 'silence'],
    ['an empty answer', { status: 204 }],
    ['an answer that is not JSON', { body: '<html>' }],
    ['an answer of another shape', { body: '"done"' }],
  ];

  test.each(
    doubtful.flatMap(([what, reply]) =>
      WRITES.map(([name, call]) => [name, what, reply, call] as const),
    ),
  )('%s is never repeated after %s: it may have happened', async (_name, _what, reply, call) => {
    const { api, http, fault } = stage([reply]);
    expect(await fault(call(api, CALL))).toMatchObject({ kind: 'ambiguous' });
    expect(http.requests).toHaveLength(1);
  });

  test.each(WRITES)('%s that is plainly refused is not in doubt', async (_name, call) => {
    for (const [status, kind] of [
      [400, 'refused'],
      [401, 'unauthorized'],
      [404, 'not-found'],
      [409, 'refused'],
      [501, 'refused'],
    ] as const) {
      const { api, http, fault } = stage([{ status }]);
      expect(await fault(call(api, CALL))).toMatchObject({ kind, status });
      expect(http.requests).toHaveLength(1);
    }
  });
});

describe('the key', () => {
  const echoes = [
    KEY,
    `Bearer ${KEY}`,
    encodeURIComponent(KEY),
    Buffer.from(KEY).toString('base64'),
    Buffer.from(`Bearer ${KEY}`).toString('base64'),
  ];
  const hidden = (error: unknown): void => {
    const text = inspect(error, { depth: 20, showHidden: true }) + String((error as Error).message);
    for (const echo of echoes) expect(text).not.toContain(echo);
    expect(text.toLowerCase()).not.toContain('bearer n');
  };

  test.each([400, 401, 403, 404, 409, 429, 500, 503, 302])(
    'is in no error, though the service echoes it with %d',
    async (status) => {
      for (const echo of echoes) {
        const body = { message: `bad key ${echo} (${echo})`, request_id: echo, code: echo };
        const headers = { 'x-request-id': echo, 'www-authenticate': echo, location: echo };
        const reads = stage([{ status, headers, body }]);
        hidden(await reads.fault(reads.api.listApiKeys(ONCE)));
        const writes = stage([{ status, headers, body }]);
        hidden(await writes.fault(writes.api.createApiKey('n', ONCE)));
        const bare = stage([{ status, headers, body: echo }]);
        hidden(await bare.fault(bare.api.revokeApiKey('1', ONCE)));
      }
    },
  );

  test('is in no error about an answer of the wrong shape', async () => {
    for (const body of [KEY, `{"${KEY}":`, JSON.stringify({ id: KEY }), `[{"id":${KEY}}]`])
      for (const [, call] of ALL) {
        const { api, fault } = stage([{ body }]);
        hidden(await fault(call(api, ONCE)));
      }
  });

  test('is in no error about another operation', async () => {
    const { api, fault } = stage([{ body: { operation: { ...OPERATION, id: KEY } } }]);
    hidden(await fault(api.getOperation('p1', 'o1', ONCE)));
  });

  test('is in no answer either', async () => {
    const body = JSON.stringify({
      operations: [
        { ...OPERATION, error: `bad ${KEY}`, [KEY]: { deep: [`x${KEY}`] }, size: 2 ** 53 },
      ],
    });
    for (const text of [body, body.replaceAll('/', '\\/'), body.replaceAll('n', '\\u006e')]) {
      const { api, end } = stage([{ body: text }]);
      const answer = inspect(await end(api.listOperations('p1', {}, CALL)), { depth: 9 });
      expect(answer).toContain('bad ***');
      expect(answer).toContain('9007199254740992n');
      expect(answer).not.toContain('k3y');
    }
  });

  test('is in no error about the network, nor in what is told of it', async () => {
    const { api, fault, retried } = stage([network(true)]);
    hidden(await fault(api.listApiKeys(CALL)));
    expect(retried).toHaveLength(3);
    for (const { error } of retried) hidden(error);
  });
});

describe('a new key', () => {
  const NEW = 'napi_brandNewKey';

  test.each<[string, Reply]>([
    ['not JSON', { body: `{"id":1,"key":"${NEW}"` }],
    ['plain text', { body: NEW }],
    ['of another shape', { body: { id: 'x', key: NEW } }],
    ['of another shape, deep inside', { body: { [NEW]: { key: NEW } } }],
    ['a 500 with a message', { status: 500, body: { message: NEW, request_id: NEW } }],
    ['a 503 with a message', { status: 503, body: { message: NEW } }],
    ['a redirect', { status: 303, body: { message: NEW }, headers: { location: `/${NEW}` } }],
    ['a 500 with a header', { status: 500, headers: { 'x-request-id': NEW } }],
  ])('is in no error, though the answer was %s', async (_what, reply) => {
    const { api, fault, retried } = stage([reply]);
    const error = await fault(api.createApiKey('n', CALL));
    expect(inspect([error, retried], { depth: 20, showHidden: true })).not.toContain(NEW);
  });

  test('a plain refusal is shown with the service’s words', async () => {
    const { api, fault } = stage([{ status: 422, body: { message: 'name too long' } }]);
    expect((await fault(api.createApiKey('n', CALL))).message).toContain('name too long');
  });
});

describe('request-timeout', () => {
  test('bounds each exchange of a read, which is then tried again', async () => {
    const { api, http, fault, clock } = stage(['silence'], {
      requestTimeoutMs: 5000,
      maxRetries: 1,
    });
    const error = await fault(api.listApiKeys(CALL));
    expect(error).toMatchObject({ kind: 'timed-out' });
    expect(error.message).toContain('within 5 s');
    expect(http.requests.map(({ at }) => at)).toEqual([0, 5250]);
    expect(clock.elapsed).toBe(10_250);
    expect(clock.pending).toBe(0);
  });

  test('does not count the time in the throttle’s queue', async () => {
    const { api, http, clock } = stage([{ body: [] }], { requestTimeoutMs: 1000 });
    const calls = Array.from({ length: 60 }, () => api.listApiKeys(CALL));
    await clock.advanceUntil(Promise.all(calls));
    expect(http.requests).toHaveLength(60);
    expect(clock.elapsed).toBeGreaterThanOrEqual(4000);
    const burst = http.requests.filter(({ at }) => at === 0);
    expect(burst).toHaveLength(20);
  });
});

describe('an abort', () => {
  const reason = new Error('stop');

  test.each<[string, Reply, number]>([
    ['before the begin', { body: [] }, -1],
    ['during an exchange', 'silence', 100],
    ['during a pause', { status: 503, headers: { 'retry-after': '60' } }, 100],
  ])('%s ends the call with its reason and leaves no timer behind', async (_when, reply, after) => {
    const { api, clock, http } = stage([reply]);
    const abort = new AbortController();
    if (after < 0) abort.abort(reason);
    const end = api.listApiKeys({ signal: abort.signal }).catch((error) => error);
    await clock.advance(Math.max(0, after));
    if (after >= 0) expect(clock.pending).toBeGreaterThan(0);
    abort.abort(reason);
    expect(await end).toBe(reason);
    expect(clock.pending).toBe(0);
    expect(http.requests).toHaveLength(after < 0 ? 0 : 1);
  });

  test('between any two steps of a call is not missed', async () => {
    for (let steps = 0; steps < 30; steps += 1) {
      const { api, clock } = stage(['silence']);
      const abort = new AbortController();
      const end = api.listApiKeys({ signal: abort.signal }).catch((error) => error);
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      abort.abort(reason);
      await clock.settle();
      expect([steps, clock.pending]).toEqual([steps, 0]);
      expect(await end).toBe(reason);
    }
  });

  test('of a write is the abort, whatever became of the write', async () => {
    const { api, clock } = stage(['silence']);
    const abort = new AbortController();
    const end = api.createApiKey('n', { signal: abort.signal }).catch((error) => error);
    await clock.settle();
    abort.abort(reason);
    expect(await end).toBe(reason);
  });
});
