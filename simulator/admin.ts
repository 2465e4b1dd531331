import { Hono } from 'hono';
import type { Fault, Match } from './faults.ts';
import { toJson } from './json.ts';
import { operationBody } from './operations.ts';
import type { Service } from './routes.ts';
import type { Simulator } from './server.ts';
import { changeSettings } from './settings.ts';

export const adminPrefix = '/_simulator';

/**
 * The simulator's own controls over HTTP, for shells and child processes. No key: it listens on loopback only.
 * Bodies are the JSON forms of the functions of the same names in server.ts.
 */
export function adminApi(simulator: Simulator, service: Service) {
  const admin = new Hono().basePath(adminPrefix);
  admin.onError((error) => json({ error: error.message }, 400));
  admin.notFound(() => json({ error: 'no such control', controls }, 404));

  admin.get('/', () => json({ controls }));
  admin.get('/state', () => json(stateOf(simulator, service)));
  admin.post('/reset', () => {
    simulator.reset();
    return json(stateOf(simulator, service));
  });
  admin.post('/projects', async (c) => {
    const { id } = simulator.addProject(await c.req.json());
    return json({ id }, 201);
  });
  admin.post('/branches', async (c) => json(simulator.addBranch(await c.req.json()), 201));
  admin.post('/operations', async (c) => json(simulator.addOperation(await c.req.json()), 201));
  admin.post('/keys', async (c) => {
    const { id, key, name } = simulator.addKey(simulator.account, await c.req.json());
    return json({ id, key, name }, 201);
  });
  admin.post('/faults', async (c) => {
    const { match, fault } = readFault(await c.req.json());
    return json({ id: simulator.faults.add({ match, fault }).id }, 201);
  });
  admin.get('/faults', () => json(simulator.faults.list()));
  admin.delete('/faults', () => {
    simulator.faults.clear();
    return json({});
  });
  admin.delete('/faults/:id', (c) => {
    const isThere = simulator.faults.remove(c.req.param('id'));
    return isThere ? json({}) : json({ error: 'no such fault' }, 404);
  });
  admin.get('/requests', () => json(simulator.requests));
  admin.delete('/requests', () => {
    simulator.requests.length = 0;
    return json({});
  });
  admin.get('/settings', () => json(simulator.settings));
  admin.patch('/settings', async (c) => {
    changeSettings(simulator.settings, await c.req.json());
    return json(simulator.settings);
  });
  admin.post('/clock', async (c) => {
    const { advanceMs } = await c.req.json();
    if (!Number.isFinite(advanceMs)) throw new Error('give {"advanceMs": NUMBER}');
    simulator.clock.advance(advanceMs);
    return json({ now: new Date(simulator.clock.now()) });
  });
  addGithubControls(admin, simulator);
  return admin;
}

function addGithubControls(admin: Hono, { github }: Simulator): void {
  admin.post('/github/repositories', async (c) => {
    const { fullName, ...fields } = await c.req.json();
    return json(github.addRepository(fullName, fields), 201);
  });
  admin.post('/github/organizations', async (c) => {
    const { login, ...fields } = await c.req.json();
    return json(github.addOrganization(login, fields), 201);
  });
  admin.post('/github/secrets', async (c) => {
    const { target, name, value, ...fields } = await c.req.json();
    github.putSecret(target, name, value, fields);
    return json({ target, ...github.secret(target, name) }, 201);
  });
  admin.get('/github/secrets', () => json(github.everyStored()));
  admin.post('/github/faults', async (c) => {
    const { match, fault } = readFault(await c.req.json());
    return json({ id: github.faults.add({ match, fault }).id }, 201);
  });
  admin.delete('/github/faults', () => {
    github.faults.clear();
    return json({});
  });
  admin.get('/github/requests', () => json(github.requests));
}

const controls = {
  'GET /state': 'time, keys, projects and their latest operations',
  'POST /reset': 'back to the start',
  'POST /projects': '{"id": "my-project", "name": "…"}',
  'POST /branches': '{"projectId": "my-project", "name": "…"}',
  'POST /operations':
    '{"projectId": "my-project", "action": "apply_config", "runningMs": 3000, "outcome": "failed"}',
  'POST /keys': '{"name": "…"}',
  'POST /faults':
    '{"match": {"method": "GET", "path": "/projects/*/operations", "times": 3}, "fault": {"kind": "status", "status": 503}}',
  'GET /faults, DELETE /faults, DELETE /faults/ID': 'what is in force; end it',
  'GET /requests, DELETE /requests': 'every request so far; forget them',
  'GET /settings, PATCH /settings': '{"durations": {"runningMs": 5000}}',
  'POST /clock': '{"advanceMs": 60000}',
  'POST /github/repositories': '{"fullName": "octo-org/other", "environments": ["production"]}',
  'POST /github/organizations': '{"login": "octo-org", "repositories": ["octo-repo"]}',
  'GET /github/secrets': 'what is stored, opened',
  'POST /github/secrets':
    '{"target": "repository:octo-org/octo-repo", "name": "DATABASE_KEY", "value": "…"}',
  'POST /github/faults, DELETE /github/faults': 'as above, for the GitHub API',
  'GET /github/requests': 'every request to the GitHub API so far',
};

/** The latest operations only: a state is something to look at. */
const operationsShown = 100;

function stateOf(simulator: Simulator, { state, clock }: Service) {
  const now = clock.now();
  return {
    now: new Date(now),
    baseUrl: simulator.baseUrl,
    apiKey: simulator.apiKey,
    keys: simulator.account.keys.map(({ id, name, key }) => ({ id, name, key })),
    projects: state.projects.map((project) => ({
      id: project.id,
      name: project.fields.name,
      branches: project.branches.map(({ id, name, endpointIds }) => ({ id, name, endpointIds })),
      operationCount: project.operations.size,
      operations: project.operations
        .page({ now, limit: operationsShown, order: 'newest-first' })
        .map((operation) => operationBody(operation, now)),
    })),
    faults: simulator.faults.list(),
    requestCount: simulator.requests.length,
    github: {
      apiUrl: simulator.github.apiUrl,
      token: simulator.github.token,
      stored: simulator.github.everyStored(),
      faults: simulator.github.faults.list(),
      requestCount: simulator.github.requests.length,
    },
  };
}

/** `pathPattern` is the JSON form of a regular expression. */
function readFault(body: { match?: Match & { pathPattern?: string }; fault?: Fault }): {
  match: Match;
  fault: Fault;
} {
  const { match: { pathPattern, ...match } = {}, fault } = body;
  if (typeof fault?.kind !== 'string') throw new Error('give {"match": {…}, "fault": {"kind": …}}');
  return { match: pathPattern ? { ...match, path: new RegExp(pathPattern) } : match, fault };
}

function json(body: unknown, status = 200): Response {
  return new Response(toJson(body), { status, headers: { 'content-type': 'application/json' } });
}
