import sodium from 'libsodium-wrappers';
import type { GithubSimulator, Simulator } from '../../simulator/server.ts';

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare what came, whatever it is
  json: any;
}

export interface Ask {
  /** The whole header; `null`: none. Default: the token that may do everything. */
  authorization?: string | null;
  body?: unknown;
}

/** One request to the GitHub side. Redirects are answers like any other. */
export async function askGithub(
  { github }: Simulator,
  method: string,
  path: string,
  { authorization = `Bearer ${github.token}`, body }: Ask = {},
): Promise<Reply> {
  const response = await fetch(path.startsWith('http') ? path : github.apiUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(authorization !== null && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

export interface PublicKey {
  key: string;
  key_id: string;
}

export async function publicKey(simulator: Simulator, secrets: string): Promise<PublicKey> {
  const { json } = await askGithub(simulator, 'GET', `${secrets}/public-key`);
  return json;
}

/** The body of a PUT. */
export async function sealed(value: string, { key, key_id }: PublicKey) {
  await sodium.ready;
  const box = sodium.crypto_box_seal(Buffer.from(value), Buffer.from(key, 'base64'));
  return { encrypted_value: Buffer.from(box).toString('base64'), key_id };
}

/** Fetches the key, seals, writes, as any client does. */
export async function store(
  simulator: Simulator,
  secrets: string,
  name: string,
  value: string,
  more: object = {},
): Promise<Reply> {
  const body = { ...(await sealed(value, await publicKey(simulator, secrets))), ...more };
  return askGithub(simulator, 'PUT', `${secrets}/${name}`, { body });
}

export interface Place {
  kind: string;
  target: string;
  /** The path of its secrets, and how the description of the API writes it. */
  secrets: string;
  template: string;
  /** What a PUT needs besides. */
  more: object;
}

/** One of each kind; `addPlaces` makes them. */
export const places: Place[] = [
  {
    kind: 'repository',
    target: 'repository:octo-org/octo-repo',
    secrets: '/repos/octo-org/octo-repo/actions/secrets',
    template: '/repos/{owner}/{repo}/actions/secrets',
    more: {},
  },
  {
    kind: 'environment',
    target: 'environment:octo-org/shop/eu/west 100%',
    secrets: '/repos/octo-org/shop/environments/eu%2Fwest%20100%25/secrets',
    template: '/repos/{owner}/{repo}/environments/{environment_name}/secrets',
    more: {},
  },
  {
    kind: 'organization',
    target: 'organization:octo-org',
    secrets: '/orgs/octo-org/actions/secrets',
    template: '/orgs/{org}/actions/secrets',
    more: { visibility: 'private' },
  },
  {
    kind: 'dependabot',
    target: 'dependabot:octo-org/octo-repo',
    secrets: '/repos/octo-org/octo-repo/dependabot/secrets',
    template: '/repos/{owner}/{repo}/dependabot/secrets',
    more: {},
  },
];

/** The organisation's repositories, of which `octo-repo` is the first and `shop` the second. */
export function addPlaces(github: GithubSimulator) {
  github.addRepository('octo-org/shop', { environments: ['eu/west 100%'] });
  const { repositories } = github.addOrganization('octo-org', {
    repositories: ['octo-repo', 'octo-org/shop', 'third'],
  });
  return repositories;
}
