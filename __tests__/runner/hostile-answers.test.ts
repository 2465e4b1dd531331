import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runAction } from '../../src/action.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../src/control-api/http.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { hostileText } from '../support/hostile-text.ts';
import { faultsOfSummary } from '../support/summary.ts';
import { githubStage } from './github-stage.ts';

/**
 * Every field of every answer is what an attacker makes of it, in all three modes; the whole action runs, but for the
 * network, and the runner's own rules judge what it printed.
 */
const stage = githubStage();
beforeAll(() => {
  process.env.RUNNER_TEMP = stage.workspace;
});
afterAll(stage.close);

const KEY = 'caller_key_0123456789abcdef';
const NEW_KEY = 'fresh_key_fedcba9876543210';
const COMMON = { 'api-key': KEY, 'base-url': 'http://127.0.0.1:1/api/v2', 'max-retries': '1' };

type Answers = (request: HttpRequest, nth: number) => HttpAnswer;

/** Runs the action with these inputs against these answers, and tells what the runner made of it. */
async function act(inputs: Record<string, string>, answers: Answers) {
  for (const name of Object.keys(process.env))
    if (name.startsWith('INPUT_')) delete process.env[name];
  for (const [name, value] of Object.entries({ ...COMMON, ...inputs }))
    process.env[`INPUT_${name.toUpperCase()}`] = value;
  stage.reset();
  stage.printed();
  const clock = new FakeClock();
  let requests = 0;
  const http: Http = {
    exchange: async (request) => {
      requests += 1;
      return answers(request, requests);
    },
    close: () => {},
  };
  const runner = stage.runner();
  const world = { runner, clock, random: () => 0.5, createHttp: () => http };
  const succeeded = await drive(clock, runAction(world));
  // Nothing keeps a step alive that has ended.
  expect(clock.pending).toBe(0);
  return {
    succeeded,
    effects: stage.effects(),
    outputs: stage.outputs(),
    summary: stage.summary(),
  };
}

/** Moves the clock on as far as needed; files take their own time. */
async function drive<Value>(clock: FakeClock, promise: Promise<Value>): Promise<Value> {
  let settled = false;
  const note = (): void => {
    settled = true;
  };
  promise.then(note, note);
  for (;;) {
    await clock.settle();
    if (settled) return promise;
    if (clock.nextInMs !== undefined) await clock.advance(clock.nextInMs);
  }
}

/** Nothing that came from outside was obeyed. */
function expectHarmless(
  { effects, summary }: Awaited<ReturnType<typeof act>>,
  masks: readonly string[],
): void {
  const others = effects.filter(({ kind }) => !['print', 'issue', 'debug', 'mask'].includes(kind));
  expect(others).toEqual([]);
  // A creation that is tried again masks again.
  const masked = new Set(effects.flatMap((one) => (one.kind === 'mask' ? [one.value] : [])));
  expect([...masked]).toEqual(masks);
  let open = 0;
  for (const effect of effects) {
    if (effect.kind === 'issue') {
      expect(Object.keys(effect.properties)).toEqual(['title']);
      expect(effect.properties.title).toMatch(/^[A-Z0-9][a-zA-Z0-9, ]+$/);
    }
    const text =
      effect.kind === 'print' ? effect.text : effect.kind === 'issue' ? effect.message : '';
    if (text.startsWith('##[group]')) open += 1;
    if (text === '##[endgroup]') open -= 1;
    expect([0, 1]).toContain(open);
    expect(text.replace(/^##\[(group\]|endgroup\]$)/, '')).not.toMatch(
      /##\[|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/,
    );
    expect(text).not.toContain('a'.repeat(3000));
  }
  expect(open).toBe(0);
  expect(faultsOfSummary(summary)).toEqual([]);
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
}

const json = (body: unknown, status = 200, headers = {}): HttpAnswer => ({
  status,
  headers,
  body: JSON.stringify(body),
});

/** Hostile text, sometimes very long. */
const text = fc.oneof(
  { weight: 20, arbitrary: hostileText() },
  { weight: 1, arbitrary: hostileText().map((piece) => piece + 'a'.repeat(10_000) + piece) },
);
const id = text.map((piece) => `x${piece}`);
const when = fc.oneof(text, fc.constantFrom('2026-03-01T07:59:30Z', '2026-02-01T00:00:00.123456Z'));
const count = fc.oneof(fc.integer(), fc.constant(null), fc.integer({ min: 0, max: 1e9 }));
/** What an answer is when it is not what was asked for. */
const error = fc.record({
  status: fc.constantFrom(400, 401, 403, 404, 409, 422, 429, 500, 503),
  message: text,
  code: text,
  request_id: text,
  retryAfter: fc.constantFrom('1', '200', 'Soon', '-1'),
});
const refused = ({ status, retryAfter, ...body }: { status: number; retryAfter: string }) =>
  json(body, status, { 'retry-after': retryAfter, 'x-request-id': 'r' });
const failsAt = fc.option(fc.record({ nth: fc.integer({ min: 1, max: 5 }), error }), {
  nil: undefined,
});

describe('whatever the service answers, nothing of it is obeyed', () => {
  const project = fc.record(
    {
      id,
      name: text,
      platform_id: text,
      region_id: text,
      pg_version: count,
      cpu_used_sec: count,
      branch_logical_size_limit: count,
      branch_logical_size_limit_bytes: count,
      created_at: when,
      updated_at: when,
      provisioner: text,
      proxy_host: text,
      locked: text,
      'field ##[add-mask]x': text,
    },
    { requiredKeys: ['id', 'name'] },
  );
  const page = fc.record({
    projects: fc.array(project, { maxLength: 3 }),
    pagination: fc.record({ cursor: text }),
    unavailable_project_ids: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(id, { maxLength: 2 }) },
    ),
  });

  test('in list-projects', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(page, { minLength: 1, maxLength: 3 }),
        failsAt,
        async (pages, fails) => {
          const run = await act({ mode: 'list-projects' }, (_request, nth) => {
            if (fails && nth >= fails.nth) return refused(fails.error);
            return json(pages[(nth - 1) % pages.length]);
          });
          expectHarmless(run, [KEY]);
          expect(Object.keys(run.outputs).toSorted()).toEqual([
            'count',
            'matrix',
            'project-ids',
            'projects',
            'projects-file',
          ]);
          if (!run.succeeded) return;
          const names = pages.flatMap(({ projects }) => projects.map(({ name }) => name));
          for (const { name } of JSON.parse(run.outputs.projects ?? ''))
            expect(names).toContain(name);
        },
      ),
      { numRuns: 150 },
    );
  });

  const operation = fc.record(
    {
      id,
      project_id: fc.constant('p1'),
      branch_id: text,
      endpoint_id: text,
      action: text,
      status: fc.oneof(text, fc.constantFrom('finished', 'failed', 'running', 'skipped')),
      failures_count: fc.integer(),
      created_at: when,
      updated_at: when,
      error: text,
      'field ##[add-mask]x': text,
    },
    { requiredKeys: ['id', 'project_id', 'action', 'status', 'created_at', 'updated_at'] },
  );

  test('in wait-operations, whatever is found', async () => {
    const looks = fc.array(fc.array(operation, { maxLength: 4 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(looks, failsAt, async (found, fails) => {
        const inputs = {
          mode: 'wait-operations',
          'project-id': 'p1',
          timeout: '40s',
          'fail-fast': 'false',
        };
        const run = await act(inputs, (_request, nth) => {
          if (fails && nth >= fails.nth) return refused(fails.error);
          const operations = found[Math.min(nth, found.length) - 1];
          return json({ operations, pagination: { cursor: '' } });
        });
        expectHarmless(run, [KEY]);
      }),
      { numRuns: 100 },
    );
  });

  test('in wait-operations, whatever the workflow hands on', async () => {
    const given = fc.array(operation, { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(given, async (operations) => {
        const unique = operations.map((one, index) => ({
          ...one,
          id: `o-${index}`,
          status: index % 3 ? one.status : 'failed',
        }));
        const inputs = {
          mode: 'wait-operations',
          operations: JSON.stringify(unique),
          timeout: '0',
        };
        const run = await act(inputs, () => json({ operations: unique, pagination: {} }));
        expectHarmless(run, [KEY]);
      }),
      { numRuns: 50 },
    );
  });

  const listedKey = fc.record(
    {
      id: fc.bigInt({ min: 1n, max: 2n ** 40n }).map(Number),
      name: fc.oneof(text, fc.constant('deploy')),
      created_at: when,
      last_used_at: when,
      last_used_from_addr: text,
      created_by: text,
    },
    { requiredKeys: ['id', 'name'] },
  );

  test('in rotate-key', async () => {
    const keys = fc.array(listedKey, { maxLength: 4 });
    const inputs = fc.constantFrom(
      {},
      { 'dry-run': 'true' },
      { 'revoke-old': 'immediately' },
      { 'rotate-after': '30d' },
      { 'revoke-old': 'never' },
    );
    await fc.assert(
      fc.asyncProperty(
        keys,
        inputs,
        failsAt,
        fc.constantFrom(5n, 2n ** 60n),
        text,
        async (known, more, fails, newId, junk) => {
          let created = false;
          const run = await act(
            { mode: 'rotate-key', 'key-name': 'deploy', ...more },
            ({ method }, nth) => {
              if (fails && nth >= fails.nth) return refused(fails.error);
              if (method === 'POST') {
                created = true;
                return {
                  status: 200,
                  headers: {},
                  body: `{"id":${newId},"key":"${NEW_KEY}","name":${JSON.stringify(junk)}}`,
                };
              }
              if (method === 'DELETE')
                return json({ revoked: true, name: junk, last_used_from_addr: junk });
              const own = `{"id":${newId},"name":"deploy","created_at":"2026-03-01T08:00:00Z"}`;
              const others = known.map((key) => JSON.stringify(key));
              return {
                status: 200,
                headers: {},
                body: `[${[...others, ...(created ? [own] : [])].join(',')}]`,
              };
            },
          );
          expectHarmless(run, created ? [KEY, NEW_KEY] : [KEY]);
          expect(run.outputs['api-key'] === '' || run.outputs['api-key'] === NEW_KEY).toBe(true);
          expect(run.summary).not.toContain(NEW_KEY);
        },
      ),
      { numRuns: 150 },
    );
  });
});
