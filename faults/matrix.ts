import { createServer } from 'node:net';
import type { FaultHandle, Simulator } from '../simulator/server.ts';
import type { Ending, Endpoint } from './endpoints.ts';
import { type FaultRow, faultRows, wrongTypeRow } from './faults.ts';

/** How long a fault lasts: for one request, or for ever. */
export type Lasting = 'once' | 'always';

export interface Case {
  readonly endpoint: Endpoint;
  readonly fault: string;
  readonly lasting: Lasting;
}

/** `rotate-key PUT secret | 503 | always` */
export function nameOf({ endpoint, fault, lasting }: Case): string {
  return `${endpoint.mode} ${endpoint.name} | ${fault} | ${lasting}`;
}

export interface Outcome extends Case {
  readonly expected: Ending;
  readonly actual: Ending;
  /** Requests in all. */
  readonly requests: number;
  readonly ms: number;
  /** What is not as it should be; empty is good. */
  readonly broken: readonly string[];
}

/** Where redirects lead; whoever connects has followed one. */
export interface Bystander {
  readonly port: number;
  readonly visits: number;
  close(): Promise<void>;
}

export async function startBystander(): Promise<Bystander> {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.on('error', () => {});
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    get visits() {
      return visits;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** All cases of an endpoint. A fault that ends the same way for one request and for ever is played for ever. */
export function casesOf(endpoint: Endpoint, port: number): readonly Case[] {
  const common = endpoint.again ? Number.POSITIVE_INFINITY : faultRows({ port }).length;
  return rowsOf(endpoint, port).flatMap((row, index) => {
    const { once, always } = endpoint.expect(row);
    // One unreadable answer is like another: which field is wrong matters only while it stays so.
    const lastings: Lasting[] =
      once === always || index >= common ? ['always'] : ['once', 'always'];
    return lastings.map((lasting) => ({ endpoint, fault: row.name, lasting }));
  });
}

/** One fault of each kind, for a request that has met all of them at another moment. */
const ONE_OF_EACH = new Set([
  'reset before the answer, performed',
  'body cut',
  'silent',
  'body in drops',
  'HTML with 200',
  '307 to another host',
  '403',
  '400',
  '401',
  '404',
  '500',
  '503',
  '429',
  '429, Retry-After: a year',
]);

function rowsOf(endpoint: Endpoint, port: number): readonly FaultRow[] {
  const rows = everyRowOf(endpoint, port);
  return endpoint.again ? rows.filter(({ name }) => ONE_OF_EACH.has(name)) : rows;
}

function everyRowOf({ wrongTypes, drop }: Endpoint, port: number): readonly FaultRow[] {
  const types = Object.entries(wrongTypes).map(([path, value]) => wrongTypeRow(path, value));
  return [...faultRows({ port, ...(drop === undefined ? {} : { drop }) }), ...types];
}

/** Plays a case and judges it. */
export async function judge(
  { endpoint, fault: name, lasting }: Case,
  bystander: Bystander,
): Promise<Outcome> {
  const row = rowsOf(endpoint, bystander.port).find((one) => one.name === name);
  if (row === undefined) throw new Error(`There is no fault "${name}".`);
  const expected = endpoint.expect(row)[lasting];
  const visits = bystander.visits;
  let handle: FaultHandle | undefined;
  const disturb = (simulator: Simulator): void => {
    const faults = endpoint.side === 'github' ? simulator.github.faults : simulator.faults;
    const times = lasting === 'once' ? { times: 1 } : {};
    handle = faults.add({ match: { ...endpoint.match, ...times }, fault: row.fault });
  };
  const begin = performance.now();
  try {
    const { step, green, broken, requests } = await endpoint.play(disturb);
    const hits = handle?.hits ?? 0;
    const errors = [step, ...(step.post ? [step.post] : [])]
      .flatMap(({ annotations }) => annotations)
      .filter(({ level }) => level === 'error')
      .map(({ message }) => message)
      .join('\n');
    const actual: Ending = green ? 'green' : 'red';
    const found = [...broken];
    if (actual !== expected) found.push(`it is ${actual}: ${errors || 'no error'}`);
    if (hits === 0) found.push('the fault was never met');
    if (hits > endpoint.mostRequests) found.push(`the endpoint was asked ${hits} times`);
    if (actual === 'red' && expected === 'red' && !row.words.test(errors))
      found.push(`the error does not say ${row.words}: ${errors}`);
    if (bystander.visits > visits) found.push('somebody else was asked');
    return {
      endpoint,
      fault: name,
      lasting,
      expected,
      actual,
      requests,
      ms: performance.now() - begin,
      broken: found,
    };
  } catch (error) {
    // A leak or a step that hung.
    const broken = [error instanceof Error ? error.message : String(error)];
    return {
      endpoint,
      fault: name,
      lasting,
      expected,
      actual: 'red',
      requests: 0,
      ms: performance.now() - begin,
      broken,
    };
  }
}
