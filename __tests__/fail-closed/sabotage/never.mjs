// Requests that never settle, and nothing that keeps the event loop alive: Node then ends the process with 0.
import { EventEmitter } from 'node:events';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

class Silence extends EventEmitter {
  setTimeout() {}
  write() {}
  end() {}
  destroy() {}
}
http.request = () => new Silence();
syncBuiltinESMExports();
const { setTimeout: original } = globalThis;
globalThis.setTimeout = (...args) => original(...args).unref();
