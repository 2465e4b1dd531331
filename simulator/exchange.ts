import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Answer, faultyAnswer } from './answers.ts';
import type { Connections } from './connections.ts';
import { type Fault, type Faults, isWireFault } from './faults.ts';
import type { RecordedRequest } from './requests.ts';
import { sendWhole, spoil } from './wire.ts';

/** One of the APIs that the server plays: what is its own in an exchange. */
export interface Exchanged {
  /** What all its paths begin with, left out of the record. */
  readonly prefix: string;
  readonly faults: Faults;
  readonly requests: RecordedRequest[];
  /** Its clock, in milliseconds. */
  now(): number;
  /** The header that names a request, and such names. */
  readonly idHeader: string;
  newId(): string;
  /** Performs a request. */
  perform(request: Request, about: { requestId: string; address: string }): Promise<Response>;
  /** The id of the key that a bearer's secret is, if it is valid at this moment. */
  keyId?(secret: string): string | undefined;
  /** A fault in the words of this API. */
  worded(fault: Fault, request: RecordedRequest): Fault;
}

/** One request to an API from its arrival to its answer's departure: recorded, spoiled, performed. */
export function exchangeWith(api: Exchanged, connections: Connections) {
  return async (request: Request, wire: HttpBindings): Promise<Response> => {
    const { incoming, outgoing } = wire;
    const body = await request.text();
    const record = recordOf(api, incoming, body, connections);
    api.requests.push(record);

    const rules = api.faults.take(record);
    const given = rules.find((rule) => rule.fault)?.fault;
    if (given) record.fault = given.kind;
    outgoing.once('close', () => {
      for (const rule of rules) rule.after?.({ request: record });
    });
    for (const rule of rules) await rule.before?.({ request: record });

    const requestId = api.newId();
    // What every answer carries. The time is the simulator's, so that a test can have the clocks disagree.
    const common = {
      date: new Date(api.now()).toUTCString(),
      [api.idHeader]: requestId,
    };
    const { origin } = new URL(request.url);
    const perform = async (search = record.search): Promise<Answer> => {
      const inner = new Request(`${origin}${pathOf(incoming)}${search}`, {
        method: record.method,
        headers: request.headers,
        ...(body !== '' && record.method !== 'GET' && { body }),
      });
      const address = incoming.socket.remoteAddress ?? '127.0.0.1';
      const response = await api.perform(inner, { requestId, address });
      for (const rule of rules) await rule.acted?.({ request: record });
      return {
        status: response.status,
        headers: { ...common, ...Object.fromEntries(response.headers) },
        body: await response.text(),
      };
    };

    const fault = given && api.worded(given, record);
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
  api: Exchanged,
  incoming: IncomingMessage,
  body: string,
  connections: Connections,
): RecordedRequest {
  const path = pathOf(incoming);
  const search = (incoming.url ?? '').slice(path.length);
  const [, secret = ''] = /^Bearer (\S+)$/i.exec(incoming.headers.authorization ?? '') ?? [];
  const keyId = api.keyId?.(secret);
  return {
    time: api.now(),
    realTime: performance.timeOrigin + performance.now(),
    method: incoming.method ?? 'GET',
    path: path.startsWith(`${api.prefix}/`) ? path.slice(api.prefix.length) : path,
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
