import { randomBytes } from 'node:crypto';
import type { Connections } from '../connections.ts';
import { exchangeWith } from '../exchange.ts';
import type { Fault, Faults } from '../faults.ts';
import type { RecordedRequest } from '../requests.ts';
import { githubErrorBody } from './errors.ts';
import { type GithubService, githubApi, githubPrefix } from './routes.ts';

export interface GithubExchangeParts {
  service: GithubService;
  faults: Faults;
  requests: RecordedRequest[];
  connections: Connections;
}

/** Requests to the GitHub API. */
export function githubExchange({ service, faults, requests, connections }: GithubExchangeParts) {
  const api = githubApi(service);
  return exchangeWith(
    {
      prefix: githubPrefix,
      faults,
      requests,
      now: () => service.clock.now(),
      idHeader: 'x-github-request-id',
      newId: () => randomBytes(16).toString('hex').toUpperCase(),
      perform: async (request) => api.fetch(request),
      worded: inGithubsWords,
    },
    connections,
  );
}

/** Errors in JSON have the shape that GitHub's have. */
function inGithubsWords(fault: Fault, request: RecordedRequest): Fault {
  if (fault.kind === 'echo-key') {
    const message = `cannot handle "Authorization: ${request.headers.authorization ?? ''}"`;
    return inGithubsWords({ kind: 'status', status: fault.status ?? 400, message }, request);
  }
  if (fault.kind !== 'status' || (fault.body ?? 'json') !== 'json') return fault;
  const { status, message = `simulated answer ${status}` } = fault;
  const text = JSON.stringify(githubErrorBody(status, message));
  return { ...fault, body: { text, type: 'application/json; charset=utf-8' } };
}
