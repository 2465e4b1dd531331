/**
 * The simulator's answers against the OpenAPI description that the vendor publishes. Where the
 * contract of the control API differs from it, the contract goes first, and the answers keep both:
 *
 * - the contract's projects have `locked` and its operations always a `branch_id`; the description has no `locked` and
 *   calls `branch_id` optional;
 * - the contract's create answer for keys is `id` and `key`; the description also wants name, time and creator;
 * - the contract knows no paging of projects; the description has it, and the simulator either (`projects.paged`);
 * - the contract says that a branch creation starts `start_compute`; the description starts one only if an endpoint was
 *   asked for.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv, type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { Simulator } from '../../simulator/server.ts';
import { ask, type Reply, simulate } from './support.ts';

interface Description {
  paths: Record<string, Record<string, { responses?: Record<string, { $ref?: string }> }>>;
}

const packageFolder = dirname(
  createRequire(import.meta.url).resolve('@neondatabase/api-client/package.json'),
);
let description: Description;
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

beforeAll(() => {
  const file = join(packageFolder, 'public-v2-for-users.gen.yaml');
  description = parse(readFileSync(file, 'utf8'));
  ajv.addSchema(description as AnySchema, 'description');
});

const pointer = (...names: string[]) =>
  names
    .map((name) => `/${encodeURIComponent(name.replace(/~/g, '~0').replace(/\//g, '~1'))}`)
    .join('');

/** What is wrong with an answer to `method template`: nothing, if it is as described. */
function faultsOf(method: string, template: string, { status, headers, text }: Reply): string[] {
  const operation = description.paths[template]?.[method.toLowerCase()];
  if (!operation?.responses) return [`${method} ${template} is not described`];
  const name = String(status) in operation.responses ? String(status) : 'default';
  if (name === 'default' && status < 400) return [`status ${status} is not described`];
  if (!headers['content-type']?.startsWith('application/json')) return ['not JSON'];
  const response =
    operation.responses[name]?.$ref ??
    `#${pointer('paths', template, method.toLowerCase(), 'responses', name)}`;
  const validate = ajv.compile({
    $ref: `description${response}${pointer('content', 'application/json', 'schema')}`,
  });
  validate(JSON.parse(text));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Taken as rest parameters: a parameter that its row lacks would get jest's `done`. */
type Example = [method: string, template: string, path: string, status: number, body?: unknown];

const operationId = '5f8a1e0c-0000-4000-8000-000000000000';

const successes: Example[] = [
  ['GET', '/api_keys', '/api_keys', 200],
  ['POST', '/api_keys', '/api_keys', 200, { key_name: 'x' }],
  ['DELETE', '/api_keys/{key_id}', '/api_keys/77', 200],
  ['GET', '/projects', '/projects', 200],
  ['GET', '/projects', '/projects?limit=1&search=p', 200],
  ['POST', '/projects', '/projects', 201, { project: { name: 'x' } }],
  ['GET', '/projects/shared', '/projects/shared', 200],
  ['GET', '/projects/{project_id}', '/projects/p', 200],
  ['GET', '/projects/{project_id}/operations', '/projects/p/operations', 200],
  ['GET', '/projects/{project_id}/operations', '/projects/p/operations?limit=1', 200],
  [
    'GET',
    '/projects/{project_id}/operations/{operation_id}',
    `/projects/p/operations/${operationId}`,
    200,
  ],
  ['GET', '/projects/{project_id}/branches', '/projects/p/branches', 200],
  ['POST', '/projects/{project_id}/branches', '/projects/p/branches', 201, {}],
  ['GET', '/projects/{project_id}/branches/{branch_id}', '/projects/p/branches/br-x', 200],
  ['DELETE', '/projects/{project_id}/branches/{branch_id}', '/projects/p/branches/br-x', 200],
];

const refusals: Example[] = [
  ['POST', '/api_keys', '/api_keys', 400, {}],
  ['DELETE', '/api_keys/{key_id}', '/api_keys/1', 404],
  ['GET', '/projects', '/projects?limit=500', 400],
  ['GET', '/projects/{project_id}/operations', '/projects/nowhere/operations', 404],
  ['GET', '/projects/{project_id}/operations', '/projects/p/operations?limit=5000', 400],
  [
    'GET',
    '/projects/{project_id}/operations/{operation_id}',
    '/projects/p/operations/nothing',
    404,
  ],
  ['POST', '/projects/{project_id}/branches', '/projects/nowhere/branches', 404, {}],
];

/** One of everything that an answer can contain. */
async function simulateAll(): Promise<Simulator> {
  const simulator = await simulate();
  simulator.addKey(simulator.account, { name: 'idle', id: 77 });
  simulator.addProject({ id: 'p' });
  simulator.addBranch({ projectId: 'p', id: 'br-x' });
  const common = { projectId: 'p', action: 'apply_config' };
  simulator.addOperation({ ...common, id: operationId });
  simulator.addOperation({ ...common, branchId: null, status: 'failed', error: 'why' });
  for (const status of ['running', 'error', 'cancelling', 'cancelled', 'skipped', 'finished']) {
    simulator.addOperation({ ...common, status });
  }
  return simulator;
}

describe('answers are as described', () => {
  test.each([...successes, ...refusals])(
    '%s %s: %s',
    async (...[method, template, path, status, body]: Example) => {
      const reply = await ask(await simulateAll(), method, path, { body });
      expect({ status: reply.status, faults: faultsOf(method, template, reply) }).toEqual({
        status,
        faults: [],
      });
    },
  );

  test.each([...successes, ...refusals])(
    '%s %s without a key: %s',
    async (...[method, template, path, , body]: Example) => {
      const reply = await ask(await simulateAll(), method, path, { key: null, body });
      expect({ status: reply.status, faults: faultsOf(method, template, reply) }).toEqual({
        status: 401,
        faults: [],
      });
    },
  );

  test('also when it is limited, and when a fault is simulated', async () => {
    const simulator = await simulateAll();
    simulator.settings.rateLimit.perMinute = 0;
    const limited = await ask(simulator, 'GET', '/projects');
    expect([limited.status, faultsOf('GET', '/projects', limited)]).toEqual([429, []]);
    simulator.faults.add({ fault: { kind: 'status', status: 503 } });
    const broken = await ask(simulator, 'GET', '/projects');
    expect([broken.status, faultsOf('GET', '/projects', broken)]).toEqual([503, []]);
  });
});

describe('and the check can fail', () => {
  test.each([
    ['GET', '/projects', { remove: ['projects.0.pg_version'] }, 'pg_version'],
    ['GET', '/projects', { set: { 'projects.0.id': 'NOT AN ID' } }, '/projects/0/id'],
    ['GET', '/projects', { set: { pagination: { cursor: '' } } }, '/pagination/cursor'],
    ['GET', '/api_keys', { set: { '0.id': 'one' } }, '/0/id'],
    ['GET', '/api_keys', { remove: ['1.last_used_from_addr'] }, 'last_used_from_addr'],
    [
      'GET',
      '/projects/{project_id}/operations',
      { set: { 'operations.0.failures_count': 'x' } },
      '/failures',
    ],
    [
      'GET',
      '/projects/{project_id}/operations',
      { set: { 'operations.0.status': 'x' } },
      '/status',
    ],
    [
      'GET',
      '/projects/{project_id}/operations',
      { set: { 'operations.1.created_at': 'x' } },
      '/1/c',
    ],
    ['POST', '/projects/{project_id}/branches', { remove: ['branch.current_state'] }, '/branch'],
    ['POST', '/projects/{project_id}/branches', { set: { 'endpoints.0.type': 'x' } }, '/type'],
  ])('%s %s with %j', async (method, template, change, where) => {
    const simulator = await simulateAll();
    simulator.faults.add({ fault: { kind: 'set', ...change } });
    const reply = await ask(simulator, method, template.replace('{project_id}', 'p'));
    expect(faultsOf(method, template, reply)).toEqual([expect.stringContaining(where)]);
  });

  test('on an error’s body, a wrong status, another type, an unknown endpoint', async () => {
    const simulator = await simulateAll();
    const refused = await ask(simulator, 'GET', '/projects/nowhere/operations');
    const template = '/projects/{project_id}/operations';
    const text = JSON.stringify({ request_id: 'x', code: 'x' });
    expect(faultsOf('GET', template, { ...refused, text })).toEqual([
      " must have required property 'message'",
    ]);
    expect(faultsOf('GET', template, { ...refused, status: 202 })).toHaveLength(1);
    expect(faultsOf('GET', template, { ...refused, headers: {} })).toEqual(['not JSON']);
    expect(faultsOf('GET', '/nowhere', refused)).toHaveLength(1);
  });
});

describe('and have what the contract promises', () => {
  test.each([
    ['/api_keys', ['id', 'name', 'created_at', 'last_used_at', 'last_used_from_addr']],
    [
      '/projects',
      [
        ...['id', 'name', 'platform_id', 'region_id', 'provisioner', 'pg_version', 'proxy_host'],
        ...['cpu_used_sec', 'branch_logical_size_limit', 'locked', 'created_at', 'updated_at'],
      ],
    ],
    [
      '/projects/p/operations',
      [
        ...['id', 'project_id', 'branch_id', 'action', 'status', 'failures_count'],
        ...['created_at', 'updated_at'],
      ],
    ],
  ])('GET %s', async (path, names) => {
    const { json } = await ask(await simulateAll(), 'GET', path);
    const [first] = Array.isArray(json) ? json : (json.projects ?? json.operations);
    expect(Object.keys(first)).toEqual(expect.arrayContaining(names));
  });
});
