import { createServer, type Server, type Socket } from 'node:net';

/** Speaks bytes, not HTTP: it can be as wrong as a network is. */
export interface RawServer {
  readonly port: number;
  readonly url: (path?: string) => URL;
  /** What was sent to it, each from its first line to the end of its body. */
  readonly requests: string[];
  /** Every connection so far. */
  readonly sockets: Socket[];
  /** Connections that are open now. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

/**
 * Starts a server on a free port of this machine.
 * @param answer is called for every whole request
 */
export async function startRawServer(
  answer: (socket: Socket, request: string) => void,
  { host = '127.0.0.1', create = createServer as typeof createServer | (() => Server) } = {},
): Promise<RawServer> {
  const requests: string[] = [];
  const sockets: Socket[] = [];
  const onConnection = (socket: Socket): void => {
    sockets.push(socket);
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      const request = text;
      text = '';
      requests.push(request);
      answer(socket, request);
    });
  };
  const server = create(onConnection);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    port,
    requests,
    sockets,
    url: (path = '/api/v2/x?y=1') => new URL(`http://${name}:${port}${path}`),
    open: () => sockets.filter((socket) => !socket.destroyed).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A whole answer. */
export function answerOf(body: string, head = 'HTTP/1.1 200 OK'): string {
  return `${head}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
