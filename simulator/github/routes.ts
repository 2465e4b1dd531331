import { type Context, Hono } from 'hono';
import type { BlankSchema } from 'hono/types';
import type { SimulatorClock } from '../clock.ts';
import { minimalRepositoryBody, repositoryBody, secretBody } from './bodies.ts';
import { GithubError, githubErrorBody, notAccessible, notFound, unprocessable } from './errors.ts';
import { pageOf } from './pages.ts';
import {
  type GithubState,
  isSecretName,
  type Organization,
  type Repository,
  type Store,
  sealingKeyOf,
  type Token,
  type Visibility,
  writeSecret,
} from './state.ts';

export const githubPrefix = '/github-api';

export interface GithubService {
  readonly clock: SimulatorClock;
  readonly state: GithubState;
}

type Types = { Variables: { token: Token } };
type Api = Hono<Types, BlankSchema, typeof githubPrefix>;
type Call = Context<Types>;

/**
 * The part of GitHub's REST API that stores secrets: requests in, answers out. `service` is read anew with every
 * request, so that its parts can be replaced.
 */
export function githubApi(service: GithubService) {
  const api = new Hono<Types>().basePath(githubPrefix);

  api.onError((error) => {
    const known = error instanceof GithubError ? error : new GithubError(500, String(error));
    const { status, message, location } = known;
    const headers = { ...(location !== undefined && { location }) };
    return json(githubErrorBody(status, message, location), status, headers);
  });
  api.notFound(() => json(githubErrorBody(404, 'Not Found'), 404));

  api.use(async (c, next) => {
    const header = c.req.header('authorization');
    if (header === undefined) throw new GithubError(401, 'Requires authentication');
    const [, secret = ''] = /^(?:token|Bearer) (\S+)$/i.exec(header) ?? [];
    const token = service.state.tokens.get(secret);
    if (!token) throw new GithubError(401, 'Bad credentials');
    c.set('token', token);
    await next();
  });

  addIdRoutes(api, service);
  api.get('/repos/:owner/:repo', (c) =>
    json(repositoryBody(findRepository(service, c), apiUrlOf(c))),
  );

  const actions = '/repos/:owner/:repo/actions/secrets';
  addSecretRoutes(api, service, actions, (c) => findRepository(service, c).actions);
  const dependabot = '/repos/:owner/:repo/dependabot/secrets';
  addSecretRoutes(api, service, dependabot, (c) => findRepository(service, c).dependabot);
  const environment = '/repos/:owner/:repo/environments/:environment/secrets';
  addSecretRoutes(api, service, environment, (c) => {
    const name = c.req.param('environment') ?? '';
    const store = findRepository(service, c).environments.get(name.toLowerCase());
    if (!store) throw notFound();
    return store;
  });
  const organization = '/orgs/:org/actions/secrets';
  addSecretRoutes(api, service, organization, (c) => findOrganization(service, c).actions);
  addSelectionRoute(api, service);
  return api;
}

/** Where redirects and `Link` headers lead: the same endpoints, by id instead of name. */
function addIdRoutes(api: Api, service: GithubService): void {
  const forward = (c: Call, from: string, to: string) => {
    const url = new URL(c.req.url);
    url.pathname = url.pathname.replace(githubPrefix + from, githubPrefix + to);
    return api.fetch(new Request(url, c.req.raw));
  };
  const toRepository = (c: Call) => {
    const id = c.req.param('id') ?? '';
    const repository = service.state.repositoryById(Number(id));
    if (!repository) throw notFound();
    return forward(c, `/repositories/${id}`, `/repos/${repository.fullName}`);
  };
  api.all('/repositories/:id', toRepository);
  api.all('/repositories/:id/*', toRepository);
  api.all('/organizations/:id/*', (c) => {
    const id = c.req.param('id');
    const organization = service.state.organizationById(Number(id));
    if (!organization) throw notFound();
    return forward(c, `/organizations/${id}`, `/orgs/${organization.login}`);
  });
}

/** The endpoints that all kinds of secrets have. @param find the store of a request, or a GithubError */
function addSecretRoutes(
  api: Api,
  service: GithubService,
  path: string,
  find: (c: Call) => Store,
): void {
  const findAllowed = (c: Call) => {
    const store = find(c);
    if (!service.state.mayUse(c.var.token, store)) throw notAccessible();
    return store;
  };

  api.get(`${path}/public-key`, async (c) => {
    const { id, publicKey } = await sealingKeyOf(findAllowed(c));
    return json({ key_id: id, key: publicKey });
  });

  api.get(`${path}/:name`, (c) => {
    const secret = findAllowed(c).secrets.get((c.req.param('name') ?? '').toUpperCase());
    if (!secret) throw notFound();
    return json(secretBody(secret, c.req.url.split('?', 1)[0] ?? ''));
  });

  api.put(`${path}/:name`, async (c) => {
    const store = findAllowed(c);
    const name = c.req.param('name') ?? '';
    const body = await readBody(c);
    if (!isSecretName(name)) {
      throw unprocessable(
        'Secret names can only contain alphanumeric characters or underscores, and must start with neither a number nor GITHUB_.',
      );
    }
    const value = await openBox(store, body);
    const isOrganization = path.startsWith('/orgs/');
    const access = isOrganization ? readAccess(body, findOrganization(service, c), service) : {};
    const isNew = writeSecret(store, { name, value, time: service.clock.now(), ...access });
    return isNew ? json({}, 201) : new Response(null, { status: 204 });
  });
}

function addSelectionRoute(api: Api, service: GithubService): void {
  api.get('/orgs/:org/actions/secrets/:name/repositories', (c) => {
    const organization = findOrganization(service, c);
    const { actions, id } = organization;
    if (!service.state.mayUse(c.var.token, actions)) throw notAccessible();
    const secret = actions.secrets.get(c.req.param('name').toUpperCase());
    if (!secret) throw notFound();

    const selected = (secret.selectedRepositoryIds ?? []).flatMap(
      (selectedId) => service.state.repositoryById(selectedId) ?? [],
    );
    const apiUrl = apiUrlOf(c);
    const self = new URL(
      `${apiUrl}/organizations/${id}/actions/secrets/${secret.name}/repositories`,
    );
    self.search = new URL(c.req.url).search;
    const { items, headers } = pageOf(selected, self);
    const repositories = items.map((repository) => minimalRepositoryBody(repository, apiUrl));
    return json({ total_count: selected.length, repositories }, 200, headers);
  });
}

/** @throws GithubError 404, or a redirect if the repository has another name now */
function findRepository({ state }: GithubService, c: Call): Repository {
  const name = `${c.req.param('owner')}/${c.req.param('repo')}`;
  const repository = state.repository(name);
  if (repository) return repository;
  const moved = state.movedRepository(name);
  if (!moved) throw notFound();
  const url = new URL(c.req.url);
  const rest = url.pathname.slice(githubPrefix.length).split('/').slice(4).join('/');
  const location = `${apiUrlOf(c)}/repositories/${moved.id}${rest && `/${rest}`}${url.search}`;
  // As at GitHub: anything but a GET must not become one.
  throw new GithubError(c.req.method === 'GET' ? 301 : 307, 'Moved Permanently', location);
}

function findOrganization({ state }: GithubService, c: Call): Organization {
  const organization = state.organization(c.req.param('org') ?? '');
  if (!organization) throw notFound();
  return organization;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

/** @throws GithubError 422 */
async function openBox(store: Store, body: Record<string, unknown>): Promise<string> {
  const { encrypted_value: box, key_id: keyId } = body;
  for (const name of ['encrypted_value', 'key_id']) {
    if (typeof body[name] !== 'string') {
      throw unprocessable(`Invalid request.\n\n"${name}" wasn't supplied.`);
    }
  }
  // The message does not repeat the value, as the real one does.
  if (!base64.test(String(box))) {
    throw unprocessable('Invalid request.\n\n"encrypted_value" is not base64.');
  }
  const key = await sealingKeyOf(store);
  if (keyId !== key.id) throw unprocessable('Bad request - key_id is not that of the public key');
  const value = key.open(Buffer.from(String(box), 'base64'));
  if (value === undefined) {
    throw unprocessable('Bad request - validation failed due to an improperly encrypted secret');
  }
  return value;
}

/** Who may read an organisation's secret; what is not said is not kept. @throws GithubError 422 */
function readAccess(
  body: Record<string, unknown>,
  organization: Organization,
  { state }: GithubService,
): { visibility: Visibility; selectedRepositoryIds?: number[] } {
  const { visibility, selected_repository_ids: ids } = body;
  if (visibility === undefined) {
    throw unprocessable('Invalid request.\n\n"visibility" wasn\'t supplied.');
  }
  if (visibility !== 'selected') {
    if (visibility !== 'all' && visibility !== 'private') {
      throw unprocessable('Invalid request.\n\n"visibility" is not all, private or selected.');
    }
    if (ids !== undefined) {
      throw unprocessable('selected_repository_ids needs the visibility selected');
    }
    return { visibility };
  }
  if (ids !== undefined && !Array.isArray(ids)) {
    throw unprocessable('Invalid request.\n\n"selected_repository_ids" is not an array.');
  }
  const known = state.repositoriesOf(organization).map(({ id }) => id);
  const selected = [...new Set((ids ?? []).map(Number))];
  if (!selected.every((id) => known.includes(id))) {
    throw unprocessable('selected_repository_ids names no repository of the organization');
  }
  return { visibility, selectedRepositoryIds: selected };
}

async function readBody(c: Call): Promise<Record<string, unknown>> {
  try {
    const body = JSON.parse(await c.req.text());
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  } catch {
    // Told below, like any other body that is not an object.
  }
  throw new GithubError(400, 'Problems parsing JSON');
}

function apiUrlOf(c: Call): string {
  return new URL(c.req.url).origin + githubPrefix;
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}
