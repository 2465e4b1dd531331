import { formatDuration } from '../durations.ts';
import { oneLine } from '../text.ts';
import { ControlApiError, type ErrorKind } from './errors.ts';
import { type HttpAnswer, HttpFault } from './http.ts';
import { parseJson } from './json.ts';

/** What of a call decides the meaning of its failure. */
export interface FailedCall {
  readonly attempt: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly confidential?: boolean;
}

/** What an error is made with beside the answer itself. */
export interface AnswerContext {
  readonly retryAfterMs: number | undefined;
  /** Takes the API key out of text: a service may echo it. */
  readonly redact: (text: string) => string;
  /** What a 401 means, where the key is not the one passed as `api-key`. */
  readonly refusal?: string | undefined;
}

/** The error for an answer that is not a success (section 7 of the contract and what it leaves open). */
export function answerError(
  call: FailedCall,
  answer: HttpAnswer,
  { retryAfterMs, redact, refusal }: AnswerContext,
): ControlApiError {
  const { status } = answer;
  const kind = statusKind(status, call.method);
  // Only a plain refusal is certain to hold no new key.
  const quotable = !call.confidential || (status >= 400 && status < 500);
  const words = quotable ? serviceWords(answer, redact) : '';
  const detail = words === '' ? '' : ` (${words})`;
  const asks = retryAfterMs ? `, and asks to wait ${formatDuration(retryAfterMs)}` : '';
  return new ControlApiError(kind, {
    attempt: call.attempt,
    finding: `the service answered ${status}${detail}${asks}${advice(kind, refusal)}`,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/**
 * The error for an exchange without a whole answer. A write that may have reached the service is `ambiguous`.
 * @param timedOutAfter seconds, when the request timeout ended the exchange
 */
export function faultError(
  call: FailedCall,
  error: unknown,
  timedOutAfter: number | undefined,
): ControlApiError {
  const write = call.method !== 'GET';
  if (timedOutAfter !== undefined) {
    return new ControlApiError(write ? 'ambiguous' : 'timed-out', {
      attempt: call.attempt,
      finding: `no whole answer came within ${timedOutAfter} s (request-timeout)`,
      cause: error,
    });
  }
  if (!(error instanceof HttpFault)) throw error;
  const kinds = {
    network: 'unavailable',
    garbled: 'unreadable',
    untrusted: 'untrusted',
    proxy: 'refused',
    'too-large': 'endless',
  } as const;
  const kind: ErrorKind = write && error.perhapsSent ? 'ambiguous' : kinds[error.kind];
  const finding = `${error.message}${hintOf(error)}${advice(kind)}`;
  return new ControlApiError(kind, { attempt: call.attempt, finding, cause: error });
}

/**
 * What a status means. 423, 425, 429 and 503 say that nothing was done, so that a write may be repeated; every other
 * passing fault leaves a write ambiguous.
 */
export function statusKind(status: number, method: FailedCall['method']): ErrorKind {
  if (status >= 300 && status < 400) return 'redirected';
  switch (status) {
    case 401:
      return 'unauthorized';
    case 404:
      return 'not-found';
    case 423:
      return 'busy';
    case 429:
      return 'rate-limited';
    case 425:
    case 503:
      return 'unavailable';
    case 501:
    case 505:
      return 'refused';
  }
  if (status !== 408 && status >= 400 && status < 500) return 'refused';
  if (method !== 'GET') return 'ambiguous';
  return status === 408 || status >= 500 ? 'unavailable' : 'unreadable';
}

/** The service's own message and request id, made harmless; empty where the answer has none, as a gateway's HTML. */
function serviceWords(answer: HttpAnswer, redact: (text: string) => string): string {
  let body: unknown;
  try {
    body = parseJson(answer.body);
  } catch {
    body = undefined;
  }
  const field = (name: string): string => {
    const value =
      typeof body === 'object' && body !== null
        ? (body as Record<string, unknown>)[name]
        : undefined;
    return typeof value === 'string' ? value : '';
  };
  const header = answer.headers['x-request-id'];
  const id = field('request_id') || (typeof header === 'string' ? header : '');
  const words = [oneLine(redact(field('message')))];
  if (id !== '') words.push(`request ${oneLine(redact(id), 80)}`);
  return words.filter((word) => word !== '').join('; ');
}

/** Codes of faults that another protocol behind the address has. */
const NOT_HTTP = /^(EPROTO|HPE_|ERR_SSL_)/;

/** What to check: an address that leads elsewhere fails like a network. */
function hintOf({ kind, perhapsSent, cause }: HttpFault): string {
  if (kind === 'proxy') return '. Check HTTPS_PROXY and NO_PROXY on the runner';
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  const elsewhere =
    (kind === 'network' && !perhapsSent && cause !== undefined) || NOT_HTTP.test(code ?? '');
  return elsewhere ? '. Check base-url if it stays so' : '';
}

/** What to do next, where the kind alone tells. */
function advice(kind: ErrorKind, refusal?: string): string {
  switch (kind) {
    case 'unauthorized':
      return `. ${refusal ?? 'The API key is wrong or revoked: check the secret that is passed as api-key'}`;
    case 'redirected':
      return '. Redirects are not followed, because the key would travel along: check base-url';
    case 'untrusted':
      return '. Where the service has a private certificate authority, name its file in NODE_EXTRA_CA_CERTS';
    default:
      return '';
  }
}
