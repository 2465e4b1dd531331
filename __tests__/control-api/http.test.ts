import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { repository } from '../../harness/paths.ts';
import {
  createHttp,
  type Http,
  type HttpAnswer,
  HttpFault,
  type HttpFaultKind,
  LARGEST_BODY,
} from '../../src/control-api/http.ts';
import { certificate } from '../simulator/certificate.ts';
import { answerOf, type RawServer, startRawServer } from './raw-server.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(
  answer: (socket: Socket, request: string) => void,
  options?: Parameters<typeof startRawServer>[1],
): Promise<RawServer> {
  const server = await startRawServer(answer, options);
  cleanups.push(server.close);
  return server;
}

function client(): Http {
  const http = createHttp('test-agent');
  cleanups.push(() => http.close());
  return http;
}

const never = new AbortController().signal;
const HEADERS = { authorization: 'Bearer k', accept: 'application/json' };

function get(http: Http, url: URL, signal = never): Promise<HttpAnswer> {
  return http.exchange({ method: 'GET', url, headers: HEADERS }, signal);
}

async function fault(exchange: Promise<HttpAnswer>): Promise<HttpFault> {
  const error = await exchange.then(
    ({ status, body }) => new Error(`answered ${status}: ${body.slice(0, 50)}`),
    (thrown) => thrown,
  );
  if (!(error instanceof HttpFault)) throw error;
  return error;
}

/** Waits, but not long, until something is so. */
async function until(condition: () => boolean): Promise<void> {
  for (let rounds = 0; !condition(); rounds += 1) {
    if (rounds > 400) throw new Error('It did not become so.');
    await delay(5);
  }
}

describe('a whole answer', () => {
  test('arrives with status, headers and text, cut into pieces anywhere', async () => {
    const bytes = Buffer.from(
      answerOf('{"größe":"😀"}', 'HTTP/1.1 201 Created\r\nX-Request-Id: r1'),
    );
    const server = await serve(async (socket) => {
      for (const byte of bytes) {
        socket.write(Uint8Array.of(byte));
        if (byte > 127) await delay(1);
      }
    });
    const answer = await get(client(), server.url());
    expect(answer).toMatchObject({ status: 201, body: '{"größe":"😀"}' });
    expect(answer.headers['x-request-id']).toBe('r1');
  });

  test('arrives in chunks', async () => {
    const server = await serve((socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n',
      ),
    );
    expect(await get(client(), server.url())).toMatchObject({ status: 200, body: '{"a":1}' });
  });

  test.each([400, 401, 404, 429, 500, 503])('arrives also when it is a %d', async (status) => {
    const server = await serve((socket) => socket.write(answerOf('no', `HTTP/1.1 ${status} X`)));
    expect(await get(client(), server.url())).toMatchObject({ status, body: 'no' });
  });

  test('may have no body', async () => {
    const server = await serve((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    expect(await get(client(), server.url())).toMatchObject({ status: 204, body: '' });
  });

  test('may follow an early hint', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';
    const server = await serve((socket) => socket.write(hint + answerOf('yes')));
    expect(await get(client(), server.url())).toMatchObject({ status: 200, body: 'yes' });
  });

  test('may end with the connection', async () => {
    const server = await serve((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\n{"a":1}'));
    expect((await get(client(), server.url())).body).toBe('{"a":1}');
  });

  test('may be as large as the limit, and no larger', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    const server = await serve((socket, request) => {
      const extra = request.startsWith('GET /more') ? 1 : 0;
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${LARGEST_BODY + extra}\r\n\r\n`);
      for (let size = 0; size < LARGEST_BODY; size += chunk.length) socket.write(chunk);
      if (extra) socket.write('b');
    });
    const http = client();
    expect((await get(http, server.url('/fits'))).body).toHaveLength(LARGEST_BODY);
    expect(await fault(get(http, server.url('/more')))).toMatchObject({ kind: 'too-large' });
    await until(() => server.open() === 0);
  });

  test('that does not end is cut at the limit', async () => {
    const chunk = `100000\r\n${'a'.repeat(0x100000)}\r\n`;
    let sent = 0;
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const more = (): void => {
        sent += 1;
        if (!socket.destroyed && sent < 200) socket.write(chunk, more);
      };
      more();
    });
    const error = await fault(get(client(), server.url()));
    expect(error).toMatchObject({ kind: 'too-large', perhapsSent: true });
    expect(error.message).toContain('32 MiB');
    await until(() => server.open() === 0);
    expect(sent).toBeLessThan(60);
  });
});

describe('what is sent', () => {
  test('is the request and nothing more', async () => {
    const server = await serve((socket) => socket.write(answerOf('{}')));
    const body = '{"key_name":"größe 😀"}';
    const headers = { ...HEADERS, 'content-type': 'application/json' };
    await client().exchange({ method: 'POST', url: server.url(), headers, body }, never);
    const [head = '', sent = ''] = (server.requests[0] ?? '').split('\r\n\r\n');
    expect(Buffer.from(sent, 'latin1').toString('utf8')).toBe(body);
    const [line, ...fields] = head.split('\r\n');
    expect(line).toBe('POST /api/v2/x?y=1 HTTP/1.1');
    const names = fields.map((field) => field.split(':')[0]?.toLowerCase());
    expect([...names].sort()).toEqual(
      [
        ...['accept', 'authorization', 'connection', 'content-length', 'content-type', 'host'],
        'user-agent',
      ].sort(),
    );
    expect(head).toContain(`ontent-Length: ${Buffer.byteLength(body)}`);
    expect(head).toContain('user-agent: test-agent');
  });

  test('is sent over one connection, one after the other, until it is closed', async () => {
    const server = await serve((socket) => socket.write(answerOf('{}')));
    const http = client();
    for (const method of ['GET', 'POST', 'DELETE', 'GET'] as const)
      await http.exchange({ method, url: server.url(), headers: HEADERS }, never);
    expect(server.requests).toHaveLength(4);
    expect(server.sockets).toHaveLength(1);
    expect(server.open()).toBe(1);
    http.close();
    await until(() => server.open() === 0);
  });

  test('is sent over a new connection after the service closed the old one', async () => {
    const server = await serve((socket) => {
      socket.write(answerOf('{}'));
      setTimeout(() => socket.end(), 5);
    });
    const http = client();
    await get(http, server.url());
    await until(() => server.open() === 0);
    expect(await get(http, server.url())).toMatchObject({ status: 200 });
    expect(server.sockets).toHaveLength(2);
  });

  test('works with an IPv6 address', async () => {
    let server: RawServer;
    try {
      server = await serve((socket) => socket.write(answerOf('{}')), { host: '::1' });
    } catch {
      return; // This machine has none.
    }
    expect(await get(client(), server.url())).toMatchObject({ status: 200 });
    expect(server.requests[0]).toContain(`Host: [::1]:${server.port}`.slice(1));
  });

  test.each([301, 302, 303, 307, 308])('never follows a %d', async (status) => {
    const elsewhere = await serve((socket) => socket.write(answerOf('stolen')));
    for (const location of [`${elsewhere.url('/steal')}`, '/again']) {
      const server = await serve((socket) =>
        socket.write(answerOf('', `HTTP/1.1 ${status} Moved\r\nlocation: ${location}`)),
      );
      const answer = await get(client(), server.url());
      expect(answer.status).toBe(status);
      await delay(2);
      expect(server.requests).toHaveLength(1);
    }
    expect(elsewhere.sockets).toHaveLength(0);
  });
});

describe('no whole answer is a fault, never a shorter one', () => {
  const head = 'HTTP/1.1 200 OK\r\n';
  const half = `${head}content-length: 100\r\n\r\n{"operations":[]}`;
  const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;
  /** Sends this and cuts the connection, not politely. */
  const reset =
    (text: string) =>
    (socket: Socket): void => {
      socket.write(text);
      setTimeout(() => socket.resetAndDestroy(), 5);
    };

  test.each<[string, (socket: Socket) => void, HttpFaultKind]>([
    ['a body shorter than it says', (socket) => socket.end(half), 'garbled'],
    ['a body that is reset', reset(half), 'garbled'],
    [
      'chunks without an end',
      (socket) => socket.end(`${chunked}11\r\n{"operations":[]}\r\n`),
      'garbled',
    ],
    ['a chunk that is cut', (socket) => socket.end(`${chunked}50\r\n{"operations":[]}`), 'garbled'],
    ['chunks that are reset', reset(`${chunked}2\r\n[]\r\n`), 'garbled'],
    ['a chunk without a size', (socket) => socket.write(`${chunked}zz\r\n[]\r\n`), 'garbled'],
    ['headers that are cut', (socket) => socket.end(`${head}content-le`), 'network'],
    ['headers that are reset', reset(head), 'network'],
    ['no answer at all', (socket) => socket.end(), 'network'],
    ['a reset', (socket) => socket.resetAndDestroy(), 'network'],
    ['garbage', (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n\r\n'), 'garbled'],
    ['binary garbage', (socket) => socket.write(Buffer.alloc(64, 0xff)), 'garbled'],
    ['endless headers', (socket) => socket.write(`${head}x: ${'y'.repeat(70_000)}`), 'garbled'],
    [
      'two lengths',
      (socket) => socket.write(`${head}content-length: 2\r\ncontent-length: 3\r\n\r\n[]`),
      'garbled',
    ],
  ])('%s', async (_what, answer, kind) => {
    const server = await serve((socket, request) => {
      if (request.startsWith('GET /fine')) socket.write(answerOf('fine'));
      else answer(socket);
    });
    const http = client();
    const error = await fault(get(http, server.url(), AbortSignal.timeout(2000)));
    expect(error).toMatchObject({ kind, perhapsSent: true });
    expect(error.message).not.toContain('Bearer');
    // And the next exchange is none the worse for it.
    expect(await get(http, server.url('/fine'))).toMatchObject({ body: 'fine' });
    await until(() => server.open() <= 1);
  });

  test('another protocol is no answer, at the latest when the signal ends it', async () => {
    const head101 = 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
    const server = await serve((socket) => socket.write(head101));
    const error = await get(client(), server.url(), AbortSignal.timeout(50)).catch((one) => one);
    expect(error instanceof HttpFault || error.name === 'TimeoutError').toBe(true);
  });

  test('nobody listening is certain to have done nothing', async () => {
    const server = await startRawServer(() => {});
    await server.close();
    const error = await fault(get(client(), server.url()));
    expect(error).toMatchObject({ kind: 'network', perhapsSent: false });
    expect(error.message).toContain('refused');
  });

  test('a certificate that does not verify is not trusted, and nothing is sent', async () => {
    const server = await serve((socket) => socket.write(answerOf('{}')), {
      create: (onConnection?: (socket: Socket) => void) =>
        createTlsServer(certificate, (socket) => onConnection?.(socket)),
    });
    const url = new URL(`https://127.0.0.1:${server.port}/api/v2/x`);
    const error = await fault(get(client(), url));
    expect(error).toMatchObject({ kind: 'untrusted', perhapsSent: false });
    expect(server.requests).toEqual([]);
  });
});

describe('the signal ends an exchange', () => {
  const reason = new Error('stop');
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n';

  test('before it begins: nothing is sent', async () => {
    const server = await serve((socket) => socket.write(answerOf('{}')));
    await expect(get(client(), server.url(), AbortSignal.abort(reason))).rejects.toBe(reason);
    await delay(10);
    expect(server.requests).toEqual([]);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['before the headers', () => {}],
    ['in the headers', (socket) => socket.write('HTTP/1.1 200')],
    ['before the body', (socket) => socket.write(head)],
    ['in the body', (socket) => socket.write(`${head}{"a":`)],
    [
      'while the body drips',
      (socket) => {
        socket.write(head);
        const drip = setInterval(() => socket.write('x'), 2);
        socket.on('close', () => clearInterval(drip));
      },
    ],
  ])('%s, and closes the connection', async (_when, answer) => {
    const abort = new AbortController();
    const server = await serve((socket) => {
      answer(socket);
      setTimeout(() => abort.abort(reason), 15);
    });
    const begin = performance.now();
    await expect(get(client(), server.url(), abort.signal)).rejects.toBe(reason);
    expect(performance.now() - begin).toBeLessThan(1000);
    await until(() => server.open() === 0);
  });

  test('at whatever moment it comes', async () => {
    const server = await serve(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n');
      for (const letter of 'hello') {
        await delay(1);
        socket.write(letter);
      }
    });
    const http = client();
    const moments = Array.from({ length: 40 }, (_, index) => index / 4);
    const ends = await Promise.all(
      moments.map(async (moment) => {
        const abort = new AbortController();
        setTimeout(() => abort.abort(reason), moment);
        return get(http, server.url(), abort.signal).catch((error) => error);
      }),
    );
    for (const end of ends) if (end !== reason) expect(end).toMatchObject({ body: 'hello' });
    expect(ends).toContain(reason);
  });

  test('after its end changes nothing', async () => {
    const server = await serve((socket) => socket.write(answerOf('{}')));
    const abort = new AbortController();
    const answer = await get(client(), server.url(), abort.signal);
    abort.abort(reason);
    await delay(5);
    expect(answer.body).toBe('{}');
    expect(server.open()).toBe(1);
  });
});

test('the process ends by itself once the client is closed, whatever became of its exchanges', async () => {
  const source = (file: string) => JSON.stringify(pathToFileURL(join(repository, file)).href);
  const program = `
    import { createServer } from 'node:net';
    import { createHttp } from ${source('src/control-api/http.ts')};
    const half = 'HTTP/1.1 200 OK\\r\\ncontent-length: 9\\r\\n\\r\\nhalf';
    const answers = [
      (socket) => socket.write(half.replace('9', '4')),
      (socket) => socket.end(half),
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.write(half),
      () => {},
    ];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => answers[Number(/^GET .(\\d)/.exec(data)?.[1])](socket));
    }).unref().listen(0, '127.0.0.1', async () => {
      server.unref();
      const http = createHttp('test');
      const ends = await Promise.allSettled(answers.map((_answer, index) => {
        const url = new URL('http://127.0.0.1:' + server.address().port + '/' + index);
        const signal = index < 3 ? new AbortController().signal : AbortSignal.timeout(30);
        return http.exchange({ method: 'GET', url, headers: {} }, signal);
      }));
      http.close();
      console.log(ends.map(({ status, reason }) => reason?.name ?? status).join());
    });
  `;
  const run = promisify(execFile);
  const { stdout, stderr } = await run(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program],
    { timeout: 5000, env: {} },
  );
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe('fulfilled,HttpFault,HttpFault,TimeoutError,TimeoutError');
});
