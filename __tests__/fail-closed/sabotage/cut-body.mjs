// What a client sees that reads a body by `data` and `end` alone: the connection is cut, and neither comes.
import http from 'node:http';

const { emit } = http.IncomingMessage.prototype;
http.IncomingMessage.prototype.emit = function (name, ...args) {
  if (name === 'end' || name === 'error' || name === 'aborted') return false;
  return emit.call(this, name, ...args);
};
