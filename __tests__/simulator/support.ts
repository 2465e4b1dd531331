import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach } from '@jest/globals';
import {
  manualClock,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from '../../simulator/server.ts';

const started: Simulator[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((simulator) => simulator.close()));
});

export const startOfTime = Date.parse('2026-01-01T00:00:00Z');

/** A simulator whose clock stands still, closed after the test. */
export async function simulate(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ clock: manualClock(startOfTime), ...options });
  started.push(simulator);
  return simulator;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare what came, whatever it is
  json: any;
}

/** One request on a connection of its own; fails if the answer does not come whole. */
export function ask(
  simulator: Simulator,
  method: string,
  path: string,
  { key = simulator.apiKey, body }: { key?: string | null; body?: unknown } = {},
): Promise<Reply> {
  const url = path.startsWith('http') ? path : simulator.baseUrl + path;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      agent: false,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      incoming.once('error', reject);
      incoming.once('end', () => {
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          get json() {
            return JSON.parse(text);
          },
        });
      });
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export const get = (simulator: Simulator, path: string) => ask(simulator, 'GET', path);

export interface Observed {
  /** All bytes that came, headers included. */
  text: string;
  /** How the server ended it: FIN, RST, or not at all within the time given. */
  end: 'fin' | 'rst' | 'open';
  /** In how many pieces the bytes came. */
  pieces: number;
}

/** A GET as a bare socket sees it, until the connection ends or `forMs` are over. */
export function observe(simulator: Simulator, path: string, forMs = 2000): Promise<Observed> {
  const { hostname, port, pathname } = new URL(simulator.baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const observed: Observed = { text: '', end: 'open', pieces: 0 };
    const timer = setTimeout(() => socket.destroy(), forMs);
    socket.setNoDelay().setEncoding('utf8');
    socket.on('data', (piece) => {
      observed.text += piece;
      observed.pieces += 1;
    });
    socket.once('end', () => {
      observed.end = 'fin';
    });
    socket.once('error', () => {
      observed.end = 'rst';
    });
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(observed);
    });
    socket.write(
      `GET ${pathname}${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${simulator.apiKey}\r\n\r\n`,
    );
  });
}

export const ids = (items: { id: unknown }[]) => items.map(({ id }) => id);
