import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Answer, faultyAnswer } from './answers.ts';
import type { Connections } from './connections.ts';
import { type Faults, isWireFault } from './faults.ts';
import { apiPrefix, type RecordedRequest } from './requests.ts';
import { controlApi, type Service } from './routes.ts';
import { sendWhole, spoil } from './wire.ts';

export interface ExchangeParts {
  service: Service;
  faults: Faults;
  requests: RecordedRequest[];
  connections: Connections;
}

/** One request to the API from its arrival to its answer's departure: recorded, spoiled, performed. */
export function exchangeWith({ service, faults, requests, connections }: ExchangeParts) {
  const api = controlApi(service);

  return async (request: Request, wire: HttpBindings): Promise<Response> => {
    const { incoming, outgoing } = wire;
    const body = await request.text();
    const record = recordOf(incoming, body, service, connections);
    requests.push(record);

    const rules = faults.take(record);
    const fault = rules.find((rule) => rule.fault)?.fault;
    if (fault) record.fault = fault.kind;
    outgoing.once('close', () => {
      for (const rule of rules) rule.after?.({ request: record });
    });
    for (const rule of rules) await rule.before?.({ request: record });

    const requestId = randomUUID();
    // What every answer carries. The time is the simulator's, so that a test can have the clocks disagree.
    const common = {
      date: new Date(service.clock.now()).toUTCString(),
      'x-request-id': requestId,
    };
    const perform = async (search = record.search): Promise<Answer> => {
      const path = pathOf(incoming);
      const inner = new Request(`http://simulator${path}${search}`, {
        method: record.method,
        headers: request.headers,
        ...(body !== '' && record.method !== 'GET' && { body }),
      });
      const address = incoming.socket.remoteAddress ?? '127.0.0.1';
      const response = await api.fetch(inner, { requestId, address });
      for (const rule of rules) await rule.acted?.({ request: record });
      return {
        status: response.status,
        headers: { ...common, ...Object.fromEntries(response.headers) },
        body: await response.text(),
      };
    };

    if (fault && isWireFault(fault)) {
      await spoil(fault, wire, perform);
    } else {
      const answer = await (fault ? faultyAnswer(fault, record, requestId, perform) : perform());
      sendWhole(outgoing, fault?.kind === 'headers' ? answer : withCommon(answer, common));
    }
    if (outgoing.headersSent) record.status = outgoing.statusCode;
    return RESPONSE_ALREADY_SENT;
  };
}

/** A fault's own answers have no headers but their own; one about headers has removed what it removed. */
function withCommon(answer: Answer, common: Answer['headers']): Answer {
  return { ...answer, headers: { ...common, ...answer.headers } };
}

function recordOf(
  incoming: IncomingMessage,
  body: string,
  { clock, state }: Service,
  connections: Connections,
): RecordedRequest {
  const path = pathOf(incoming);
  const search = (incoming.url ?? '').slice(path.length);
  const [, secret = ''] = /^Bearer (\S+)$/i.exec(incoming.headers.authorization ?? '') ?? [];
  const keyId = state.keyOf(secret)?.id.toString();
  return {
    time: clock.now(),
    realTime: performance.timeOrigin + performance.now(),
    method: incoming.method ?? 'GET',
    path: path.startsWith(`${apiPrefix}/`) ? path.slice(apiPrefix.length) : path,
    search,
    query: Object.fromEntries(new URLSearchParams(search)),
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
    connection: connections.numberOf(incoming.socket),
    ...(keyId !== undefined && { keyId }),
  };
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}
