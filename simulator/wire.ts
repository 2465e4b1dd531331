import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answers.ts';
import type { WireFault } from './faults.ts';

/** The connection that a fault spoils. */
export interface Wire {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/**
 * Applies a fault to the connection itself. Returns once all that it does has been set going; what takes time
 * (dripping, silence) ends with the connection. `perform` does the request and gives its true answer.
 */
export async function spoil(
  fault: WireFault,
  wire: Wire,
  perform: () => Promise<Answer>,
): Promise<void> {
  const { outgoing } = wire;
  const { socket } = wire.incoming;
  switch (fault.kind) {
    case 'hang':
      if (fault.act) await perform();
      return;
    case 'reset':
      resetConnection(wire);
      return;
    case 'act-then-cut':
      await perform();
      resetConnection(wire);
      return;
    case 'garbage':
      socket.end(fault.text ?? 'SSH-2.0-OpenSSH_9.6\r\n');
      return;
    case 'headers-only':
      writeHead(outgoing, await perform());
      return;
    case 'half-close':
      writeHead(outgoing, await perform());
      socket.end();
      return;
    case 'cut': {
      const answer = await perform();
      const body = Buffer.from(answer.body);
      writeHead(outgoing, answer, fault.chunked);
      const sent = body.subarray(0, fault.bytes ?? body.length >>> 1);
      const end = () => (fault.reset ? resetConnection(wire) : socket.destroy());
      if (sent.length > 0) outgoing.write(sent, end);
      else end();
      return;
    }
    case 'drip':
      void drip(fault, outgoing, await perform());
      return;
    case 'huge':
      void flood(fault.bytes, outgoing, await perform());
      return;
  }
}

/** Sends an answer as it should be sent. */
export function sendWhole(outgoing: ServerResponse, answer: Answer): void {
  // The clock in the Date header is the simulator's, and a fault may have removed it.
  outgoing.sendDate = false;
  const isBodiless = answer.status === 204 || answer.status === 304;
  outgoing.writeHead(answer.status, { ...(!isBodiless && lengthOf(answer)), ...answer.headers });
  outgoing.end(answer.body);
}

/** Sends the headers now, not with the first byte of the body. */
function writeHead(outgoing: ServerResponse, answer: Answer, isChunked = false): void {
  outgoing.writeHead(answer.status, { ...(!isChunked && lengthOf(answer)), ...answer.headers });
  outgoing.flushHeaders();
}

function lengthOf(answer: Answer) {
  return { 'content-length': Buffer.byteLength(answer.body) };
}

/** RST where the system allows it: not below TLS, where the socket cannot be reached. */
function resetConnection({ incoming: { socket } }: Wire): void {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}

async function drip(
  { bytes = 1, everyMs = 100, forever = false }: Extract<WireFault, { kind: 'drip' }>,
  outgoing: ServerResponse,
  answer: Answer,
): Promise<void> {
  const body = Buffer.from(answer.body);
  writeHead(outgoing, answer, forever);
  for (let at = 0; at < body.length && !outgoing.destroyed; at += bytes) {
    outgoing.write(body.subarray(at, at + bytes));
    await sleep(everyMs, undefined, { ref: false });
  }
  while (forever && !outgoing.destroyed) {
    outgoing.write(' '.repeat(bytes));
    await sleep(everyMs, undefined, { ref: false });
  }
  outgoing.end();
}

/** The true answer after blanks, which JSON allows: correct in everything but its size. */
async function flood(bytes: number, outgoing: ServerResponse, answer: Answer): Promise<void> {
  const blanks = ' '.repeat(64 * 1024);
  function* pieces() {
    for (let sent = 0; sent < bytes; sent += blanks.length) yield blanks;
    yield answer.body;
  }
  writeHead(outgoing, answer, true);
  // A client that has seen enough hangs up.
  await pipeline(Readable.from(pieces()), outgoing).catch(() => {});
}
