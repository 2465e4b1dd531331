import { Hono } from 'hono';
import type { BlankSchema } from 'hono/types';
import {
  annotationBody,
  branchBody,
  connectionBody,
  createdKeyBody,
  databaseBody,
  endpointBody,
  listedKeyBody,
  listedProjectBody,
  projectBody,
  revokedKeyBody,
  roleBody,
  userBody,
} from './bodies.ts';
import type { SimulatorClock } from './clock.ts';
import { ApiError, badRequest, errorBody, notFound } from './errors.ts';
import { newSecret } from './names.ts';
import { type Operation, operationBody, timestamp } from './operations.ts';
import { lastCursor, readLimit, readTimestamp } from './pages.ts';
import type { RateLimiter } from './rate-limit.ts';
import { apiPrefix } from './requests.ts';
import type { Settings } from './settings.ts';
import type { Account, Branch, Project, State } from './state.ts';

/** What the server hands over with each request. */
export interface RequestEnvironment {
  requestId: string;
  /** Where the request comes from. */
  address: string;
}

type Types = { Bindings: RequestEnvironment; Variables: { account: Account } };

type Api = Hono<Types, BlankSchema, typeof apiPrefix>;

export interface Service {
  readonly clock: SimulatorClock;
  readonly settings: Settings;
  readonly state: State;
  readonly limiter: RateLimiter;
}

/**
 * The control API: requests in, answers out, nothing about sockets or faults. `service` is read anew with every request, so that its parts can be replaced.
 */
export function controlApi(service: Service) {
  const api = new Hono<Types>().basePath(apiPrefix);

  api.onError((error, c) => {
    const known = error instanceof ApiError ? error : new ApiError(500, 'INTERNAL', String(error));
    return json(errorBody(c.env.requestId, known.code, known.message), known.status, known.headers);
  });
  api.notFound((c) => json(errorBody(c.env.requestId, 'NOT_FOUND', 'route not found'), 404));

  api.use(async (c, next) => {
    const [, secret] = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const key = secret && service.state.keyOf(secret);
    if (!key)
      throw new ApiError(401, 'UNAUTHORIZED', 'authorization failed: API key missing or invalid');
    const now = service.clock.now();
    // Ids are not part of a route: `DELETE /api_keys/1` and `/api_keys/2` share one limit.
    const route = `${c.req.method} ${c.req.path.split('/').filter((_, at) => at % 2 === 1)}`;
    service.limiter.check(service.settings.rateLimit, key.account.id, route, now);
    key.lastUsedAt = now;
    key.lastUsedFrom = c.env.address;
    c.set('account', key.account);
    await next();
  });

  addKeyRoutes(api, service);
  addProjectRoutes(api, service);
  addOperationRoutes(api, service);
  addBranchRoutes(api, service);
  return api;
}

function addKeyRoutes(api: Api, service: Service): void {
  api.post('/api_keys', async (c) => {
    const { key_name: name } = await readBody(c.req.raw);
    if (typeof name !== 'string' || name === '') throw badRequest('key_name is required');
    if ([...name].length > 64) throw badRequest('key_name must have at most 64 characters');
    const { propagationMs } = service.settings.keys;
    return json(createdKeyBody(service.state.addKey(c.var.account, { name, propagationMs })));
  });

  api.get('/api_keys', (c) =>
    json(c.var.account.keys.map((key) => listedKeyBody(key, service.settings.keys.neverUsed))),
  );

  api.delete('/api_keys/:id', (c) => {
    const id = c.req.param('id');
    if (!/^\d+$/.test(id)) throw badRequest('key_id must be an integer');
    const key = c.var.account.keys.find((candidate) => candidate.id === BigInt(id));
    if (!key) throw notFound('API key');
    service.state.revokeKey(key);
    return json(revokedKeyBody(key, service.settings.keys.neverUsed));
  });
}

function addProjectRoutes(api: Api, service: Service): void {
  api.get('/users/me', (c) => json(userBody(c.var.account)));

  api.get('/projects', (c) => {
    const { projects: settings, lastPageCursor } = service.settings;
    const { limit: wanted, cursor, search, org_id: orgId } = c.req.query();
    if (settings.orgIdRequired && !orgId) throw badRequest('org_id is required');
    // In one pass: an account may have a hundred thousand.
    const { account: own } = c.var;
    const matching = service.state.projects.filter(
      ({ account, id, fields }) =>
        account === own &&
        (!orgId || account.orgId === orgId) &&
        (!search || `${id}\n${fields.name}`.includes(search)),
    );

    const limit = readLimit(wanted, { default: settings.pageSize, max: 400, over: 'reject' });
    const start = cursor ? startBehind(matching, cursor, settings.cursor) : 0;
    const page = settings.paged ? matching.slice(start, start + limit) : matching;
    const unavailable = page.filter(({ id }) => settings.unavailableIds.includes(id));
    return json({
      projects: page.filter((project) => !unavailable.includes(project)).map(listedProjectBody),
      ...(unavailable.length && { unavailable_project_ids: unavailable.map(({ id }) => id) }),
      // The contract has `projects` alone; the service that pages has more.
      ...(settings.paged && {
        applications: {},
        integrations: {},
        ...lastCursor({
          items: page.length,
          ofLast: page.map((project) => cursorOf(project, settings.cursor)).at(-1),
          isLastPage: start + page.length >= matching.length,
          asked: cursor,
          style: lastPageCursor,
        }),
      }),
    });
  });

  api.post('/projects', async (c) => {
    const { project: wanted } = await readBody(c.req.raw);
    const fields = isObject(wanted) ? wanted : {};
    const { project, operations } = service.state.createProject({
      ...pickStrings(fields, ['name', 'region_id']),
      ...(typeof fields.pg_version === 'number' && { pg_version: fields.pg_version }),
      account: c.var.account,
    });
    const now = service.clock.now();
    const branch = project.defaultBranch;
    return json(
      { project: projectBody(project), ...startedBody(branch, project, operations, now) },
      201,
    );
  });

  // Nobody shares anything here, but clients ask before they call a listing whole.
  api.get('/projects/shared', () => json({ projects: [] }));

  api.get('/projects/:project', (c) =>
    json({ project: projectBody(findProject(service, c.var.account, c.req.param('project'))) }),
  );
}

type ProjectCursor = Settings['projects']['cursor'];

function cursorOf({ id, createdAt }: Project, kind: ProjectCursor): string {
  return kind === 'id' ? id : timestamp(createdAt);
}

/** Where the page behind a cursor begins. @throws ApiError 400 */
function startBehind(projects: readonly Project[], cursor: string, kind: ProjectCursor): number {
  if (kind === 'created_at') {
    // Of several that were created in that moment none is behind it.
    const time = readTimestamp(cursor);
    const start = projects.findIndex(({ createdAt }) => createdAt > time);
    return start < 0 ? projects.length : start;
  }
  const at = projects.findIndex(({ id }) => id === cursor);
  if (at < 0) throw badRequest('cursor is invalid');
  return at + 1;
}

function addOperationRoutes(api: Api, service: Service): void {
  api.get('/projects/:project/operations', (c) => {
    const { settings } = service;
    const project = findProject(service, c.var.account, c.req.param('project'));
    const limit = readLimit(c.req.query('limit'), settings.pageSize);
    const asked = c.req.query('cursor');
    const now = service.clock.now();
    const cursor = asked ? readTimestamp(asked) : undefined;
    // One more than asked for shows whether this page is the last.
    const found = project.operations.page({ now, limit: limit + 1, order: settings.order, cursor });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return json({
      operations: page.map((operation) => operationBody(operation, now)),
      ...lastCursor({
        items: page.length,
        ofLast: last?.createdText,
        isLastPage: found.length <= limit,
        asked,
        style: settings.lastPageCursor,
      }),
    });
  });

  api.get('/projects/:project/operations/:operation', (c) => {
    const project = findProject(service, c.var.account, c.req.param('project'));
    const now = service.clock.now();
    const operation = project.operations.get(c.req.param('operation'), now);
    if (!operation) throw notFound('operation');
    return json({ operation: operationBody(operation, now) });
  });
}

function addBranchRoutes(api: Api, service: Service): void {
  api.get('/projects/:project/branches', (c) => {
    const project = findProject(service, c.var.account, c.req.param('project'));
    const now = service.clock.now();
    return json({
      branches: project.branches.map((branch) => branchBody(branch, project, now)),
      annotations: {},
      pagination: { sort_by: 'created_at', sort_order: 'ASC' },
    });
  });

  api.post('/projects/:project/branches', async (c) => {
    const project = findProject(service, c.var.account, c.req.param('project'));
    const { branch: wanted, endpoints } = await readBody(c.req.raw);
    const { name, parent_id: parentId } = pickStrings(isObject(wanted) ? wanted : {}, [
      'name',
      'parent_id',
    ]);
    if (name && project.branches.some((branch) => branch.name === name)) {
      throw new ApiError(409, 'BRANCH_ALREADY_EXISTS', `branch "${name}" already exists`);
    }
    if (parentId && !project.branches.some(({ id }) => id === parentId)) throw notFound('branch');
    const { branch, operations } = service.state.createBranch({
      projectId: project.id,
      parentId: parentId ?? project.defaultBranch.id,
      ...(name && { name }),
      // The contract promises `start_compute` of any creation; only an empty list asks for no compute.
      ...(Array.isArray(endpoints) && endpoints.length === 0 && { endpointIds: [] }),
    });
    return json(startedBody(branch, project, operations, service.clock.now()), 201);
  });

  api.get('/projects/:project/branches/:branch', (c) => {
    const project = findProject(service, c.var.account, c.req.param('project'));
    const branch = findBranch(project, c.req.param('branch'));
    return json({
      branch: branchBody(branch, project, service.clock.now()),
      annotation: annotationBody(branch),
    });
  });

  api.delete('/projects/:project/branches/:branch', (c) => {
    const project = findProject(service, c.var.account, c.req.param('project'));
    const branch = findBranch(project, c.req.param('branch'));
    if (branch === project.defaultBranch) throw badRequest('the default branch cannot be deleted');
    const now = service.clock.now();
    const operations = service.state.deleteBranch(project, branch);
    return json({
      branch: branchBody(branch, project, now),
      operations: operations.map((operation) => operationBody(operation, now)),
    });
  });
}

/** What the creation of a branch answers; with a project around it, also that of a project. */
function startedBody(branch: Branch, project: Project, operations: Operation[], now: number) {
  const password = newSecret('simulated_password_', 16);
  return {
    branch: branchBody(branch, project, now),
    endpoints: branch.endpointIds.map((id) => {
      const start = operations.find(({ endpointId }) => endpointId === id);
      return endpointBody(id, branch, start, now);
    }),
    operations: operations.map((operation) => operationBody(operation, now)),
    roles: [roleBody(branch, password)],
    databases: [databaseBody(branch)],
    connection_uris: branch.endpointIds.map((id) => connectionBody(id, password)),
  };
}

/** Somebody else's project is as unknown as one that does not exist. */
function findProject(service: Service, account: Account, id: string): Project {
  const project = service.state.project(id);
  if (project?.account !== account) throw notFound('project');
  return project;
}

function findBranch(project: Project, id: string): Branch {
  const branch = project.branches.find((candidate) => candidate.id === id);
  if (!branch) throw notFound('branch');
  return branch;
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  // Not `toJson`: asking after each value of a thousand operations takes longer than writing them.
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** The body as an object; no body at all counts as an empty one. */
async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text();
  if (text === '') return {};
  try {
    const body = JSON.parse(text);
    if (isObject(body)) return body;
  } catch {
    // Told below, like any other body that is not an object.
  }
  throw badRequest('the body must be a JSON object');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pickStrings<Name extends string>(from: Record<string, unknown>, names: Name[]) {
  const found: { [N in Name]?: string } = {};
  for (const name of names) {
    const value = from[name];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}
