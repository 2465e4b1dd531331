/**
 * The GitHub side's answers against the description that GitHub publishes. It describes what these endpoints answer
 * when all goes well, and few of their errors; the rest must have the shape of its `basic-error`, which is what GitHub
 * sends, with the `message` and `documentation_url` that the description calls optional.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv, type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import type { Simulator } from '../../simulator/server.ts';
import { addPlaces, askGithub, places, publicKey, type Reply, sealed } from './github-support.ts';
import { simulate } from './support.ts';

type Node = Record<string, unknown>;
interface Response {
  content?: Record<string, { schema: AnySchema }>;
  $ref?: string;
}
interface Description {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { schemas: Record<string, AnySchema>; responses: Record<string, Response> };
}

let description: Description;
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

beforeAll(() => {
  // The one with references: the same content as the dereferenced one at a sixth of its size.
  const main = createRequire(import.meta.url).resolve('@octokit/openapi');
  const file = join(dirname(main), 'generated', 'api.github.com.json');
  description = JSON.parse(readFileSync(file, 'utf8'));
});

/** A schema with all that it refers to, and nothing else of 13 MB. */
function wholeSchema(schema: AnySchema): AnySchema {
  const schemas: Record<string, AnySchema> = {};
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as Node;
    const name = typeof $ref === 'string' && $ref.replace('#/components/schemas/', '');
    const found = name && description.components.schemas[name];
    if (name && found && !(name in schemas)) {
      schemas[name] = found;
      collect(found);
    }
    for (const item of Object.values(value)) collect(item);
  };
  collect(schema);
  return { ...(schema as Node), components: { schemas } };
}

/** What is wrong with an answer to `method template`: nothing, if it is as described. */
function faultsOf(method: string, template: string, { status, headers, text }: Reply): string[] {
  const operation = description.paths[template]?.[method.toLowerCase()];
  if (!operation) return [`${method} ${template} is not described`];
  const given = operation.responses[String(status)];
  if (!given && status < 300) return [`status ${status} is not described`];
  const { $ref = '' } = given ?? {};
  const response = description.components.responses[$ref.split('/').at(-1) ?? ''] ?? given;
  if (response && !response.content) return text === '' ? [] : ['there is a body'];
  if (!headers.get('content-type')?.startsWith('application/json')) return ['not JSON'];

  const schema = response?.content?.['application/json']?.schema ?? {
    $ref: '#/components/schemas/basic-error',
  };
  const isError = status >= 300;
  const validate = ajv.compile(
    wholeSchema(isError ? { allOf: [schema], required: ['message', 'documentation_url'] } : schema),
  );
  validate(JSON.parse(text));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

interface Example {
  method: string;
  template: string;
  path: string;
  status: number;
  body?: (simulator: Simulator) => Promise<unknown>;
  /** Before the request. */
  prepare?: (simulator: Simulator) => unknown;
}

const listing = '/orgs/{org}/actions/secrets/{secret_name}/repositories';

const successes: Example[] = [
  { method: 'GET', template: '/repos/{owner}/{repo}', path: '/repos/octo-org/shop', status: 200 },
  {
    method: 'GET',
    template: listing,
    path: '/orgs/octo-org/actions/secrets/CHOSEN/repositories?per_page=2',
    status: 200,
  },
  {
    method: 'GET',
    template: '/orgs/{org}/actions/secrets/{secret_name}',
    path: '/orgs/octo-org/actions/secrets/CHOSEN',
    status: 200,
  },
  ...places.flatMap(({ secrets, template, more }): Example[] => {
    const body = async (simulator: Simulator) => ({
      ...(await sealed('x', await publicKey(simulator, secrets))),
      ...more,
    });
    const one = `${template}/{secret_name}`;
    const key = `${template}/public-key`;
    return [
      { method: 'GET', template: key, path: `${secrets}/public-key`, status: 200 },
      { method: 'GET', template: one, path: `${secrets}/API_KEY`, status: 200 },
      { method: 'PUT', template: one, path: `${secrets}/NEW_KEY`, status: 201, body },
      { method: 'PUT', template: one, path: `${secrets}/API_KEY`, status: 204, body },
    ];
  }),
];

const move = ({ github }: Simulator) => github.moveRepository('octo-org/shop', 'octo-org/store');
const shop = '/repos/octo-org/shop';

const refusals: Example[] = [
  { method: 'GET', template: '/repos/{owner}/{repo}', path: '/repos/octo-org/no', status: 404 },
  { method: 'GET', template: '/repos/{owner}/{repo}', path: shop, status: 301, prepare: move },
  {
    method: 'PUT',
    template: '/repos/{owner}/{repo}/actions/secrets/{secret_name}',
    path: `${shop}/actions/secrets/API_KEY`,
    status: 307,
    body: async () => ({}),
    prepare: move,
  },
  { method: 'GET', template: listing, path: '/orgs/o/actions/secrets/K/repositories', status: 404 },
  ...places.flatMap(({ secrets, template }): Example[] => {
    const one = `${template}/{secret_name}`;
    const path = `${secrets}/API_KEY`;
    const missing = secrets.replace('octo-org', 'nobody');
    const key = `${template}/public-key`;
    return [
      { method: 'GET', template: key, path: `${missing}/public-key`, status: 404 },
      { method: 'GET', template: one, path: `${secrets}/OTHER_KEY`, status: 404 },
      { method: 'PUT', template: one, path, status: 400, body: async () => 'nonsense' },
      { method: 'PUT', template: one, path, status: 422, body: async () => ({}) },
    ];
  }),
];

/** Everything that the examples name, in place. */
async function simulateAll(): Promise<Simulator> {
  const simulator = await simulate();
  const { github } = simulator;
  const ids = addPlaces(github).map(({ id }) => id);
  for (const { target } of places) github.putSecret(target, 'API_KEY', 'before');
  github.putSecret('organization:octo-org', 'CHOSEN', 'x', {
    visibility: 'selected',
    selectedRepositoryIds: ids,
  });
  return simulator;
}

async function askFor(
  simulator: Simulator,
  { method, path, body, prepare }: Example,
  authorization?: string | null,
): Promise<Reply> {
  await prepare?.(simulator);
  return askGithub(simulator, method, path, {
    ...(body && { body: await body(simulator) }),
    ...(authorization !== undefined && { authorization }),
  });
}

describe('answers are as described', () => {
  test.each([...successes, ...refusals])('$method $template: $status', async (example) => {
    const reply = await askFor(await simulateAll(), example);
    const faults = faultsOf(example.method, example.template, reply);
    expect({ status: reply.status, faults }).toEqual({ status: example.status, faults: [] });
  });

  test.each(successes)(
    '$method $path without a token, with a wrong or a narrow one',
    async (example) => {
      const simulator = await simulateAll();
      const narrow = `token ${simulator.github.addToken({ targets: [] })}`;
      const isSecret = example.template.includes('/secrets/');
      for (const [authorization, status] of [
        [null, 401],
        ['Bearer wrong', 401],
        [narrow, isSecret ? 403 : 200],
      ] as const) {
        const reply = await askFor(simulator, example, authorization);
        const faults = faultsOf(example.method, example.template, reply);
        expect({ status: reply.status, faults }).toEqual({ status, faults: [] });
      }
    },
  );

  test('also when a fault is simulated', async () => {
    const simulator = await simulateAll();
    simulator.github.faults.add({ fault: { kind: 'status', status: 403, retryAfter: 60 } });
    const template = '/repos/{owner}/{repo}';
    const limited = await askGithub(simulator, 'GET', '/repos/octo-org/shop');
    expect([limited.status, faultsOf('GET', template, limited)]).toEqual([403, []]);
  });
});

describe('and the check can fail', () => {
  const [, environment] = places;
  test.each([
    ['/repos/{owner}/{repo}', '/repos/octo-org/shop', { remove: ['ssh_url'] }, 'ssh_url'],
    ['/repos/{owner}/{repo}', '/repos/octo-org/shop', { set: { 'owner.id': 'x' } }, '/owner/id'],
    [
      listing,
      '/orgs/octo-org/actions/secrets/CHOSEN/repositories',
      { remove: ['repositories.1.full_name'] },
      '/repositories/1',
    ],
    [
      '/orgs/{org}/actions/secrets/{secret_name}',
      '/orgs/octo-org/actions/secrets/CHOSEN',
      { set: { visibility: 'public' } },
      '/visibility',
    ],
    [
      `${environment?.template}/{secret_name}`,
      `${environment?.secrets}/API_KEY`,
      { set: { updated_at: 'yesterday' } },
      '/updated_at',
    ],
    [
      `${environment?.template}/public-key`,
      `${environment?.secrets}/public-key`,
      { set: { key_id: 7 } },
      '/key_id',
    ],
  ])('GET %s with %s changed: %j', async (template, path, change, where) => {
    const simulator = await simulateAll();
    simulator.github.faults.add({ fault: { kind: 'set', ...change } });
    const reply = await askGithub(simulator, 'GET', path);
    expect(faultsOf('GET', template, reply)).toEqual([expect.stringContaining(where)]);
  });

  test('on an error’s body, a wrong status, a body too many, another type, an unknown endpoint', async () => {
    const simulator = await simulateAll();
    const template = '/repos/{owner}/{repo}/actions/secrets/{secret_name}';
    const path = '/repos/octo-org/octo-repo/actions/secrets/OTHER_KEY';
    const missing = await askGithub(simulator, 'GET', path);
    const changed = (change: Partial<Reply>) =>
      faultsOf('GET', template, { ...missing, ...change });
    expect(changed({})).toEqual([]);
    expect(changed({ text: '{"documentation_url":"x"}' })).toEqual([
      expect.stringContaining('message'),
    ]);
    expect(changed({ text: '{"message":1,"documentation_url":"x"}' })).toEqual([
      expect.stringContaining('/message'),
    ]);
    expect(changed({ status: 202 })).toEqual(['status 202 is not described']);
    expect(changed({ headers: new Headers() })).toEqual(['not JSON']);
    const bodied = { ...missing, status: 204, text: '{}' };
    expect(faultsOf('PUT', template, bodied)).toEqual(['there is a body']);
    const created = { ...missing, status: 201, text: '{"id":1}' };
    expect(faultsOf('PUT', template, created)).toEqual([expect.stringContaining('additional')]);
    expect(faultsOf('GET', '/nowhere', missing)).toHaveLength(1);
  });
});
