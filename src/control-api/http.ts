import type { IncomingMessage, RequestOptions } from 'node:http';
import * as http from 'node:http';
import * as https from 'node:https';
import { HttpClient } from '@actions/http-client';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** One HTTP exchange. The rest of the client sees HTTP only through this. */
export interface Http {
  /**
   * Sends a request and reads the whole answer, whatever its status. Redirects are not followed.
   * @param signal ends the exchange at any point, with its reason as the rejection
   * @throws HttpFault
   */
  exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
  /** Closes every connection. */
  close(): void;
}

/**
 * Why no whole answer came: the network, a body cut off or not HTTP at all, a body over the limit, a certificate that does
 * not verify, or a proxy that refuses.
 */
export type HttpFaultKind = 'network' | 'garbled' | 'too-large' | 'untrusted' | 'proxy';

export class HttpFault extends Error {
  readonly kind: HttpFaultKind;
  /** Whether the request may have reached the service. `false` is certain: nothing was done there. */
  readonly perhapsSent: boolean;

  constructor(kind: HttpFaultKind, message: string, perhapsSent: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'HttpFault';
    this.kind = kind;
    this.perhapsSent = perhapsSent;
  }
}

/** Larger bodies are refused; a listing page of the service is far below. */
export const LARGEST_BODY = 32 * 1024 * 1024;

/**
 * HTTP over `@actions/http-client`, which knows the proxies of self-hosted runners and keeps connections open.
 *
 * Two of its habits are passed by. Its own reading of a body never settles when the connection is cut, so bodies are read
 * here. Its `request` cannot be ended from outside, follows redirects and retries, so its `requestRaw` is used, with an
 * abort signal among the options.
 */
export function createHttp(userAgent: string): Http {
  const client = new HttpClient(userAgent, [], {
    keepAlive: true,
    // Idle time is bounded by the caller's signal; the library's own three minutes would cut longer limits short.
    socketTimeout: 2 ** 31 - 1,
  });
  return {
    async exchange({ method, url, headers, body }, signal) {
      const secure = url.protocol === 'https:';
      const options: RequestOptions = {
        // An IPv6 address stands in brackets in a URL and without them for a socket.
        host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
        path: url.pathname + url.search,
        method,
        headers: { 'user-agent': userAgent, ...headers },
        agent: client.getAgent(url.href),
        signal,
      };
      const info = { options, parsedUrl: url, httpModule: secure ? https : http };
      try {
        const answer = client
          .requestRaw(info as Parameters<HttpClient['requestRaw']>[0], body as string)
          .then(({ message }) => readAnswer(message, signal));
        // An aborted request reports itself, but through a proxy's tunnel perhaps never: the signal alone is enough.
        return await Promise.race([answer, rejectedBy(signal)]);
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof HttpFault ? error : networkFault(error);
      }
    },
    close: () => client.dispose(),
  };
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Reads the body to its end; a connection that is cut on the way is a fault, never a shorter body. */
function readAnswer(message: IncomingMessage, signal: AbortSignal): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (fault: HttpFault): void => {
      message.destroy();
      reject(fault);
    };
    message.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > LARGEST_BODY) {
        fail(
          new HttpFault('too-large', `the answer is larger than ${LARGEST_BODY >> 20} MiB`, true),
        );
      }
    });
    message.on('end', () => {
      if (!message.complete) return;
      const body = Buffer.concat(chunks).toString('utf8');
      resolve({ status: message.statusCode ?? 0, headers: message.headers, body });
    });
    message.on('error', (error) => {
      fail(new HttpFault('garbled', 'the answer was cut off in the middle', true, error));
    });
    // `close` comes last in every case; after `end` it changes nothing.
    message.on('close', () => {
      fail(new HttpFault('garbled', 'the answer was cut off in the middle', true));
    });
    if (signal.aborted) message.destroy();
  });
}

const UNTRUSTED =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

function networkFault(error: unknown): HttpFault {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  const name = code || (error instanceof Error ? error.name : 'unknown error');
  if (UNTRUSTED.test(code)) {
    return new HttpFault('untrusted', `the certificate does not verify (${name})`, false, error);
  }
  if (code.startsWith('HPE_')) {
    return new HttpFault('garbled', `the answer is not HTTP (${name})`, true, error);
  }
  const proxyStatus = /^tunneling socket could not be established, statusCode=(\d+)$/.exec(
    error instanceof Error ? error.message : '',
  )?.[1];
  if (proxyStatus !== undefined) {
    const kind = /^4(?!08|29)/.test(proxyStatus) ? 'proxy' : 'network';
    return new HttpFault(kind, `the proxy answered ${proxyStatus}`, false);
  }
  if (error instanceof Error && error.message.startsWith('tunneling socket could not')) {
    return new HttpFault(
      'network',
      'the proxy could not be reached. Check HTTPS_PROXY and NO_PROXY',
      false,
    );
  }
  if (error instanceof Error && error.message.includes('before secure TLS connection')) {
    const words = `the connection was cut before it was secure (${name})`;
    return new HttpFault('network', words, false, error);
  }
  // Happy eyeballs report every address that was tried in one error without a syscall.
  const unsent =
    syscall === 'connect' || syscall.startsWith('getaddrinfo') || error instanceof AggregateError;
  return new HttpFault('network', networkWords(code, name), !unsent, error);
}

function networkWords(code: string, name: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `the connection was refused (${name})`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host name was not found (${name})`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `the connection was cut (${name})`;
    default:
      return `the network failed (${name})`;
  }
}
