/**
 * What can go wrong with a request, for the decisions of the callers:
 *
 * - `unauthorized`: 401, the key is wrong, revoked or missing (section 5 of the contract);
 * - `not-found`: 404;
 * - `busy`: 423, another operation holds the resource; nothing was done;
 * - `rate-limited`: 429; nothing was done;
 * - `unavailable`: a 5xx, 408, 425, or the network refused or broke the connection;
 * - `unreadable`: an answer that is cut, not JSON, or not of the promised shape;
 * - `timed-out`: no whole answer within `request-timeout`;
 * - `ambiguous`: a write whose answer was lost: it may have happened;
 * - `refused`: every other 4xx, 501 and 505: asking again will not help;
 * - `redirected`: a 3xx; redirects are not followed, because the key would travel along;
 * - `untrusted`: the certificate does not verify;
 * - `endless`: a listing that does not end, or a body over the limit.
 */
export type ErrorKind =
  | 'unauthorized'
  | 'not-found'
  | 'busy'
  | 'rate-limited'
  | 'unavailable'
  | 'unreadable'
  | 'timed-out'
  | 'ambiguous'
  | 'refused'
  | 'redirected'
  | 'untrusted'
  | 'endless';

export interface ErrorFacts {
  /** What was being done to what: `read operation o1 of project p1`. */
  readonly attempt: string;
  /** What came back, as half a sentence: `the service answered 503 (…)`. */
  readonly finding: string;
  /** HTTP status, where an answer came. */
  readonly status?: number;
  /** Milliseconds that the service asked to wait (`Retry-After`). */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The one error that the control API's client throws. Its message holds neither a header nor a key. */
export class ControlApiError extends Error {
  readonly kind: ErrorKind;
  readonly attempt: string;
  readonly finding: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(kind: ErrorKind, facts: ErrorFacts) {
    super(`Failed to ${facts.attempt}: ${facts.finding}`, { cause: facts.cause });
    this.name = 'ControlApiError';
    this.kind = kind;
    this.attempt = facts.attempt;
    this.finding = facts.finding;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

const PASSING: ReadonlySet<ErrorKind> = new Set([
  'busy',
  'rate-limited',
  'unavailable',
  'unreadable',
  'timed-out',
]);

/** Whether the same request may do better later. An `ambiguous` write never passes: it must be looked at first. */
export function isPassing(error: unknown): error is ControlApiError {
  return error instanceof ControlApiError && PASSING.has(error.kind);
}

/** A short name of an error, for an annotation. */
export function errorTitle({ kind }: ControlApiError): string {
  switch (kind) {
    case 'unauthorized':
      return 'Wrong API key';
    case 'untrusted':
      return 'Certificate not trusted';
    case 'redirected':
      return 'Redirected';
    case 'not-found':
      return 'Not found';
    case 'rate-limited':
      return 'Rate limited';
    case 'busy':
    case 'unavailable':
    case 'timed-out':
      return 'The service did not answer';
    case 'unreadable':
      return 'The answer is unreadable';
    case 'endless':
      return 'The answer does not end';
    default:
      return 'The service refused';
  }
}
