import { randomUUID } from 'node:crypto';
import { errorBody } from './errors.ts';
import type { Fault, StatusFault, WireFault } from './faults.ts';
import { fromJson, toJson } from './json.ts';
import type { RecordedRequest } from './requests.ts';

/** A whole answer, before it goes on its way. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Faults that need no connection: what they make of a request and its true answer. `perform` does the request. */
export async function faultyAnswer(
  fault: Exclude<Fault, WireFault>,
  request: RecordedRequest,
  requestId: string,
  perform: (search?: string) => Promise<Answer>,
): Promise<Answer> {
  switch (fault.kind) {
    case 'status':
      if (fault.act) await perform();
      return statusAnswer(fault, requestId);
    case 'echo-key': {
      const message = `cannot handle "Authorization: ${request.headers.authorization ?? ''}"`;
      return statusAnswer({ kind: 'status', status: fault.status ?? 400, message }, requestId);
    }
    case 'redirect':
      return statusAnswer(
        {
          kind: 'status',
          status: fault.status ?? 302,
          headers: { location: fault.location },
          body: 'empty',
        },
        requestId,
      );
    case 'delay': {
      await new Promise((resolve) => setTimeout(resolve, fault.ms).unref());
      return perform();
    }
    case 'headers': {
      const answer = await perform();
      const headers: [string, string | null][] = Object.entries({
        ...answer.headers,
        ...fault.headers,
      });
      return {
        ...answer,
        headers: Object.fromEntries(
          headers.filter((entry): entry is [string, string] => entry[1] !== null),
        ),
      };
    }
    case 'truncated': {
      const answer = await perform();
      const bytes = Buffer.from(answer.body);
      const kept = bytes.subarray(0, fault.bytes ?? bytes.length >>> 1);
      return { ...answer, body: kept.toString() };
    }
    case 'transform':
      return changeBody(await perform(), fault.transform);
    case 'set':
      return changeBody(await perform(), (body) => {
        const changes = Object.entries(fault.set ?? {});
        for (const [path, value] of changes) setAt(body, path.split('.'), value);
        for (const path of fault.remove ?? []) setAt(body, path.split('.'), undefined);
        return body;
      });
    case 'endless-pages':
      // Its cursors are its own; the service would refuse them.
      return changeBody(await perform(''), (body) => endlessPage(body, request));
    case 'repeated-cursor':
      return changeBody(await perform(), (body) => {
        const { cursor } = request.query;
        return isRecord(body) && cursor ? { ...body, pagination: { cursor } } : body;
      });
  }
}

function statusAnswer(fault: StatusFault, requestId: string): Answer {
  const { type, text } = statusBody(fault, requestId);
  return {
    status: fault.status,
    headers: {
      ...(type && { 'content-type': type }),
      ...(fault.retryAfter !== undefined && { 'retry-after': String(fault.retryAfter) }),
      ...fault.headers,
    },
    body: text,
  };
}

function statusBody(
  { status, body = 'json', message }: StatusFault,
  id: string,
): { type?: string; text: string } {
  if (status === 204 || status === 304 || body === 'empty') return { text: '' };
  if (typeof body === 'object') return { type: 'text/plain', ...body };
  const text = message ?? `simulated answer ${status}`;
  return body === 'html'
    ? { type: 'text/html', text: `<html><body><h1>${status}</h1><p>${text}</p></body></html>\n` }
    : { type: 'application/json', text: toJson(errorBody(id, `SIMULATED_${status}`, text)) };
}

/** Answers that are not a success keep their body: there is nothing in an error to change. */
function changeBody(answer: Answer, change: (body: unknown) => unknown): Answer {
  if (answer.status >= 300) return answer;
  return { ...answer, body: toJson(change(fromJson(answer.body))) };
}

/** Sets or, with `undefined`, removes what a path leads to; `*` is every item. */
function setAt(target: unknown, [name = '', ...rest]: string[], value: unknown): void {
  if (typeof target !== 'object' || target === null) return;
  const items = target as Record<string, unknown>;
  for (const key of name === '*' ? Object.keys(items) : [name]) {
    if (rest.length > 0) setAt(items[key], rest, value);
    else if (value === undefined) delete items[key];
    else items[key] = value;
  }
}

/** As many items as asked for, all new, each page older than the one before. */
function endlessPage(body: unknown, request: RecordedRequest): unknown {
  if (!isRecord(body)) return body;
  const name = ['operations', 'projects'].find((candidate) => Array.isArray(body[candidate]));
  if (!name) return body;
  const [sample = {}] = body[name] as Record<string, unknown>[];
  const size = Number(request.query.limit ?? 10);
  // The cursors of this fault are times, whatever the listing; each item is a second older than the last.
  const start =
    Date.parse(request.query.cursor ?? '') ||
    Date.parse(String(sample.created_at ?? '')) ||
    request.time;
  const items = Array.from({ length: size }, (_, index) => {
    const id = name === 'operations' ? randomUUID() : `endless-${randomUUID()}`;
    const time = new Date(start - (index + 1) * 1000).toISOString();
    return { ...sample, id, ...(name === 'operations' && { created_at: time, updated_at: time }) };
  });
  const cursor = new Date(start - size * 1000).toISOString();
  return { ...body, [name]: items, pagination: { cursor } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
