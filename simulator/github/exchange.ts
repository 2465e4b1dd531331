import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Answer, faultyAnswer } from '../answers.ts';
import type { Connections } from '../connections.ts';
import { type Fault, type Faults, isWireFault } from '../faults.ts';
import type { RecordedRequest } from '../requests.ts';
import { sendWhole, spoil } from '../wire.ts';
import { githubErrorBody } from './errors.ts';
import { type GithubService, githubApi, githubPrefix } from './routes.ts';

export interface GithubExchangeParts {
  service: GithubService;
  faults: Faults;
  requests: RecordedRequest[];
  connections: Connections;
}

/** One request to the GitHub API from its arrival to its answer's departure: recorded, spoiled, performed. */
export function githubExchange({ service, faults, requests, connections }: GithubExchangeParts) {
  const api = githubApi(service);

  return async (request: Request, wire: HttpBindings): Promise<Response> => {
    const { incoming, outgoing } = wire;
    const body = await request.text();
    const record = recordOf(incoming, body, service.clock.now(), connections);
    requests.push(record);

    const rules = faults.take(record);
    const given = rules.find((rule) => rule.fault)?.fault;
    if (given) record.fault = given.kind;
    outgoing.once('close', () => {
      for (const rule of rules) rule.after?.({ request: record });
    });
    for (const rule of rules) await rule.before?.({ request: record });

    const requestId = randomBytes(16).toString('hex').toUpperCase();
    const common = {
      date: new Date(service.clock.now()).toUTCString(),
      'x-github-request-id': requestId,
    };
    const perform = async (search = record.search): Promise<Answer> => {
      const url = new URL(request.url).origin + githubPrefix + record.path + search;
      const inner = new Request(url, {
        method: record.method,
        headers: request.headers,
        ...(body !== '' && record.method !== 'GET' && { body }),
      });
      const response = await api.fetch(inner);
      for (const rule of rules) await rule.acted?.({ request: record });
      return {
        status: response.status,
        headers: { ...common, ...Object.fromEntries(response.headers) },
        body: await response.text(),
      };
    };

    const fault = given && inGithubsWords(given, record);
    if (fault && isWireFault(fault)) {
      await spoil(fault, wire, perform);
    } else {
      const answer = await (fault ? faultyAnswer(fault, record, requestId, perform) : perform());
      const isAboutHeaders = fault?.kind === 'headers';
      const headers = isAboutHeaders ? answer.headers : { ...common, ...answer.headers };
      sendWhole(outgoing, { ...answer, headers });
    }
    if (outgoing.headersSent) record.status = outgoing.statusCode;
    return RESPONSE_ALREADY_SENT;
  };
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

function recordOf(
  incoming: IncomingMessage,
  body: string,
  time: number,
  connections: Connections,
): RecordedRequest {
  const url = (incoming.url ?? '').slice(githubPrefix.length);
  const path = url.split('?', 1)[0] ?? '';
  const search = url.slice(path.length);
  return {
    time,
    realTime: performance.timeOrigin + performance.now(),
    method: incoming.method ?? 'GET',
    path,
    search,
    query: Object.fromEntries(new URLSearchParams(search)),
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
    connection: connections.numberOf(incoming.socket),
  };
}
