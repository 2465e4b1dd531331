import type { Fault } from '../simulator/server.ts';

/**
 * What a fault means to whoever sent the request:
 *
 * - `busy`: passes, and says that nothing was done;
 * - `lost`: passes; whether anything was done is not known;
 * - `garbled`: an answer came and cannot be read; passes, too;
 * - `patience`: passes, after a pause that nobody has the time for;
 * - `slow`: no fault, only slow;
 * - `unauthorized`, `missing`, `malformed`: 401, 404 and 400, which some callers have a use for;
 * - `final`: asking again would not help.
 */
export type Meaning =
  | 'busy'
  | 'lost'
  | 'garbled'
  | 'patience'
  | 'slow'
  | 'unauthorized'
  | 'missing'
  | 'malformed'
  | 'final';

/** One row of the matrix. */
export interface FaultRow {
  readonly name: string;
  readonly fault: Fault;
  readonly meaning: Meaning;
  /** To GitHub's side, where that differs. */
  readonly github?: Meaning;
  /** To a write, where that differs. */
  readonly write?: Meaning;
  /** The request is performed although its answer is spoiled. */
  readonly performed: boolean;
  /** What a closing error says of it. */
  readonly words: RegExp;
}

/** The places a redirect could lead to; nothing may ever arrive there. */
export interface Elsewhere {
  readonly port: number;
  /** Bytes of a drop, where a body comes in drops; it must come to its end within the request timeout. */
  readonly drop?: number;
}

const row = (
  name: string,
  fault: Fault,
  meaning: Meaning,
  words: RegExp,
  more: Partial<FaultRow> = {},
): FaultRow => ({ name, fault, meaning, words, performed: false, ...more });

const YEAR = 365 * 86_400;

/** Every fault that any endpoint may have. Made anew for each case, because one of them names a moment soon to come. */
export function faultRows({ port, drop = 40 }: Elsewhere): readonly FaultRow[] {
  const performed = { performed: true };
  return [
    ...wireRows(drop),
    // What came is not what was asked for.
    row('truncated JSON', { kind: 'truncated' }, 'garbled', /not JSON|not what was/, performed),
    row('HTML with 200', status(200, { body: 'html' }), 'garbled', /not JSON|not what was|200/),
    row('empty 200', status(200, { body: 'empty' }), 'garbled', /empty|not what was|200/),
    row(
      '204',
      status(204, { body: 'empty' }),
      'garbled',
      /empty|not what was|204|from before the store/,
    ),
    row('JSON of another shape', text('"done"'), 'garbled', /not what was/),
    row('JSON null', text('null'), 'garbled', /not what was/),
    row('JSON array of nulls', text('[null]'), 'garbled', /not what was/),
    ...redirectRows(port),
    ...[403, 409].map((code) => row(`${code}`, status(code), 'final', new RegExp(`${code}`))),
    row('400', status(400), 'malformed', /400/, { github: 'final', write: 'final' }),
    row('401', status(401), 'unauthorized', /401/, { github: 'final' }),
    row('404', status(404), 'missing', /404|not found|does not know|it is gone/),
    row('401 that echoes the key', { kind: 'echo-key', status: 401 }, 'unauthorized', /401/, {
      github: 'final',
    }),
    row('503 that echoes the key', { kind: 'echo-key', status: 503 }, 'busy', /503/, {
      github: 'lost',
    }),
    ...[500, 502, 504, 408].map((code) =>
      row(`${code}`, status(code), 'lost', new RegExp(`${code}`)),
    ),
    row('503', status(503), 'busy', /503/, { github: 'lost' }),
    ...[423, 425].map((code) =>
      row(`${code}`, status(code), 'busy', new RegExp(`${code}`), { github: 'final' }),
    ),
    row('500, performed', status(500, { act: true }), 'lost', /500/, performed),
    row('429', status(429), 'busy', /429/),
    row('429, Retry-After: 1', status(429, { retryAfter: 1 }), 'busy', /429/),
    row('429, Retry-After: a date', status(429, { retryAfter: soon() }), 'busy', /429/),
    row('429, Retry-After: nonsense', status(429, { retryAfter: 'later' }), 'busy', /429/),
    row('429, Retry-After: -5', status(429, { retryAfter: '-5' }), 'busy', /429/),
    row('429, Retry-After: a year', status(429, { retryAfter: YEAR }), 'patience', /429/),
  ];
}

function wireRows(bytes: number): FaultRow[] {
  const performed = { performed: true };
  const cut = /cut off|cut \(|network failed/;
  const silent = /in time|within|did not answer/;
  return [
    row('reset before the answer', { kind: 'reset' }, 'lost', cut),
    row('reset before the answer, performed', { kind: 'act-then-cut' }, 'lost', cut, performed),
    row('reset in the body', { kind: 'cut', reset: true }, 'garbled', cut, performed),
    row('body cut', { kind: 'cut' }, 'garbled', cut, performed),
    row('body cut, chunked', { kind: 'cut', chunked: true }, 'garbled', cut, performed),
    row('half-closed after the headers', { kind: 'half-close' }, 'garbled', cut, performed),
    row('silent', { kind: 'hang' }, 'lost', silent),
    row('headers, then silence', { kind: 'headers-only' }, 'lost', silent, performed),
    row(
      'body that never ends',
      { kind: 'drip', everyMs: 20, forever: true },
      'lost',
      silent,
      performed,
    ),
    row('body in drops', { kind: 'drip', bytes, everyMs: 5 }, 'slow', /^$/, performed),
    row(
      'larger than the limit',
      { kind: 'huge', bytes: 33 * 1024 * 1024 },
      'final',
      /larger than|in time|within/,
      {
        ...performed,
        github: 'lost',
        write: 'lost',
      },
    ),
    row('not HTTP', { kind: 'garbage' }, 'garbled', /not HTTP|cut/),
  ];
}

function redirectRows(port: number): FaultRow[] {
  const places: Record<string, string> = {
    'another host': `http://localhost:${port}/api/v2/projects`,
    'another port': `http://127.0.0.1:${port}/api/v2/projects`,
    'another scheme': `https://127.0.0.1:${port}/api/v2/projects`,
  };
  return [301, 302, 307, 308].flatMap((code) =>
    Object.entries(places).map(([place, location]) =>
      row(
        `${code} to ${place}`,
        { kind: 'redirect', status: code, location },
        'final',
        new RegExp(`${code}`),
      ),
    ),
  );
}

/** The true answer with a value of the wrong kind in one of its fields; the path is written as in `a.0.b`. */
export function wrongTypeRow(path: string, value: unknown): FaultRow {
  const fault: Fault = { kind: 'set', set: { [path]: value } };
  const name = `${path} is ${JSON.stringify(value)}`;
  return row(name, fault, 'garbled', /not what was/, { performed: true });
}

function status(code: number, more: object = {}): Fault {
  return { kind: 'status', status: code, ...more };
}

function text(json: string): Fault {
  return status(200, { body: { text: json, type: 'application/json' } });
}

function soon(): string {
  return new Date(Date.now() + 3000).toUTCString();
}
