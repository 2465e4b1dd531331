import { Socket } from 'node:net';

/**
 * Loaded into a client before its first line (`node --import`): it may talk to this machine and to nobody else.
 * Whoever tries gets an error, and leaves this mark on stderr for the check to find.
 */
export const forbiddenMark = 'LOOPBACK-ONLY: refused to connect to';

const loopback = ['127.0.0.1', '::1', 'localhost'];
const connect = Socket.prototype.connect;

Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  // `net.connect` hands its arguments over as one array with the options first.
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const { host = 'localhost', path } = (first ?? {}) as { host?: string; path?: string };
  if (path === undefined && !loopback.includes(host)) {
    process.stderr.write(`${forbiddenMark} ${host}\n`);
    throw new Error(`${forbiddenMark} ${host}`);
  }
  return Reflect.apply(connect, this, args);
} as typeof connect;
