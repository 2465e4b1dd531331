import { connect, createServer, type Socket } from 'node:net';

/** A door before a service: nobody listens there, nobody answers, or it leads through. */
export interface Front {
  readonly port: number;
  /** Connections that were taken. */
  readonly taken: number;
  /** Leads to this port from now on. */
  open(port: number): Promise<void>;
  close(): Promise<void>;
}

/** @param silent takes connections at once and never says a word */
export async function createFront(silent: boolean): Promise<Front> {
  let target: number | undefined;
  let taken = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    taken += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    if (target === undefined) return;
    const further = connect(target, '127.0.0.1');
    sockets.add(further);
    further.on('error', () => socket.destroy());
    socket.pipe(further).pipe(socket);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  const shut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  if (!silent) await shut();
  return {
    port,
    get taken() {
      return taken;
    },
    async open(to) {
      target = to;
      if (!server.listening) await listen(port);
    },
    close: () => (server.listening ? shut() : Promise.resolve()),
  };
}
