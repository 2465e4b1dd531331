import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A server's connections, counted, and ended all at once. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #numbers = new WeakMap<Socket, number>();
  #opened = 0;
  #used = 0;
  #sentBefore = 0;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#opened += 1;
      this.#open.add(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#sentBefore += socket.bytesWritten;
      });
      // A peer that vanishes is what this server is for.
      socket.on('error', () => {});
    });
    server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** How many were opened so far. */
  get opened(): number {
    return this.#opened;
  }

  /** Bytes sent so far, heads of answers included. */
  get bytesSent(): number {
    return [...this.#open].reduce((sum, { bytesWritten }) => sum + bytesWritten, this.#sentBefore);
  }

  /** Connections are numbered from 1, in the order of their first request. */
  numberOf(socket: Socket): number {
    let number = this.#numbers.get(socket);
    if (number === undefined) {
      this.#used += 1;
      number = this.#used;
      this.#numbers.set(socket, number);
    }
    return number;
  }

  /** @returns the port; 0 asks for any free one */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Stops listening and cuts what is open, also in the middle of an answer. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#open) socket.destroy();
    });
  }
}
