import { type Clock, sleep } from '../clock.ts';
import { type Http, HttpFault } from '../control-api/http.ts';
import { LONGEST_RETRY_AFTER_MS, pauseMs, retryAfterMs } from '../control-api/retry.ts';
import { formatDuration } from '../durations.ts';
import type { Secret } from '../secret.ts';
import { oneLine } from '../text.ts';

export interface GitHubApiParts {
  /** `GITHUB_API_URL`: GitHub's own, or an Enterprise Server's. */
  readonly baseUrl: string;
  readonly token: Secret;
  readonly http: Http;
  readonly clock: Clock;
  readonly random: () => number;
  /** The whole of one exchange, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly maxRetries: number;
}

export interface GitHubAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: unknown;
}

/** Why GitHub did not do what was asked. */
export class GitHubError extends Error {
  /** HTTP status of the last try; undefined: no answer came. */
  readonly status: number | undefined;
  /** A try of this request ended in a 5xx or without an answer: it may have happened. */
  readonly perhapsDone: boolean;

  constructor(message: string, status: number | undefined, perhapsDone: boolean) {
    super(message);
    this.name = 'GitHubError';
    this.status = status;
    this.perhapsDone = perhapsDone;
  }
}

/** A store was answered, and the secret does not show it. */
export class NotStoredError extends GitHubError {}

export interface GitHubCall {
  /** What is being done, for errors: `store the secret X in repository:o/r`. */
  readonly attempt: string;
  /** `PUT /repos/{owner}/{repo}/actions/secrets/{secret_name}` */
  readonly route: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Whether an answer is one to this question; another is tried again, as one that was cut would be. */
  readonly accepts: (answer: GitHubAnswer) => boolean;
  /** No try starts once this says so. */
  readonly tooLate?: () => boolean;
  /** One try takes no longer than this, in milliseconds, whatever the parts' `requestTimeoutMs` says. */
  readonly atMostMs?: number;
}

const UNSAID_PAUSE_MS = 60_000;

/** GitHub's API through Octokit, which is loaded with the first call. Its requests go the same way as all others. */
export class GitHubApi {
  readonly #parts: GitHubApiParts;
  #octokit: ReturnType<typeof createOctokit> | undefined;

  constructor(parts: GitHubApiParts) {
    this.#parts = parts;
  }

  /**
   * One request with its repetitions: network errors, 408, 429, 5xx and rate limits are tried again, within bounds.
   * @throws GitHubError, or the signal's reason
   */
  async call(call: GitHubCall): Promise<GitHubAnswer> {
    const { clock, random, maxRetries, token } = this.#parts;
    let perhapsDone = false;
    for (let tries = 1; ; tries += 1) {
      if (call.tooLate?.()) {
        throw new GitHubError(
          `Failed to ${call.attempt}: too much time has passed since the key was created, so it was not tried`,
          undefined,
          perhapsDone,
        );
      }
      const fault = await this.#try(call).catch((error: unknown) => faultOf(error));
      call.signal.throwIfAborted();
      if (!('finding' in fault)) return fault;
      perhapsDone ||= fault.perhapsDone;
      const tooLong = (fault.retryAfterMs ?? 0) > LONGEST_RETRY_AFTER_MS;
      if (!fault.passing || tries > maxRetries || tooLong) {
        const asks = tooLong ? `, and asks to wait ${formatDuration(fault.retryAfterMs ?? 0)}` : '';
        const finding = oneLine(token.redact(fault.finding), 400) + asks;
        throw new GitHubError(`Failed to ${call.attempt}: ${finding}`, fault.status, perhapsDone);
      }
      await sleep(clock, pauseMs(tries, fault.retryAfterMs, random()), call.signal);
    }
  }

  async #try({ route, parameters, signal, atMostMs, accepts }: GitHubCall): Promise<GitHubAnswer> {
    this.#octokit ??= createOctokit(this.#parts);
    const octokit = await this.#octokit;
    const ending = new AbortController();
    const onAbort = (): void => ending.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const { clock, requestTimeoutMs } = this.#parts;
    const patienceMs = Math.min(requestTimeoutMs, atMostMs ?? requestTimeoutMs);
    const stop = clock.timer(patienceMs, () => {
      ending.abort(new HttpFault('network', 'no whole answer came in time', true));
    });
    try {
      const answer: GitHubAnswer = await octokit.request(route, {
        ...parameters,
        request: { signal: ending.signal, log: SILENT },
      });
      if (answer.status < 300 && !accepts(answer)) throw new Garbled(answer.status);
      if (answer.status < 300) return answer;
      throw Object.assign(new Error('moved'), { status: answer.status });
    } finally {
      stop();
      signal.removeEventListener('abort', onAbort);
    }
  }
}

/** Octokit reports deprecated endpoints on the console, in the server's own words, unless each request is told not to. */
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A success that is not what was asked for: something in between has answered. */
class Garbled extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the answer (${status}) is not what was asked for`);
    this.status = status;
  }
}

async function createOctokit({ baseUrl, token, http }: GitHubApiParts) {
  const { getOctokit } = await import('@actions/github');
  return getOctokit(token.reveal(), { baseUrl, log: SILENT, request: { fetch: fetchOver(http) } });
}

/** `fetch` over the action's own HTTP: it knows the proxies, reads bodies to their end, and follows no redirect. */
function fetchOver(http: Http) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    const answer = await http.exchange(
      {
        method: (init.method ?? 'GET') as 'GET' | 'PUT',
        url: new URL(url),
        headers: init.headers as Record<string, string>,
        ...(typeof init.body === 'string' ? { body: init.body } : {}),
      },
      init.signal ?? new AbortController().signal,
    );
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const hasBody = answer.status !== 204 && answer.status !== 304 && answer.status >= 200;
    return new Response(hasBody ? answer.body : null, { status: answer.status, headers });
  };
}

interface GitHubFault {
  readonly finding: string;
  readonly status: number | undefined;
  readonly passing: boolean;
  readonly perhapsDone: boolean;
  readonly retryAfterMs: number | undefined;
}

function faultOf(error: unknown): GitHubFault {
  if (error instanceof Garbled) {
    const { message: finding, status } = error;
    return { finding, status, passing: true, perhapsDone: true, retryAfterMs: undefined };
  }
  const { status, response, cause, message } = error as {
    status?: number;
    response?: { headers: Record<string, string | undefined>; data?: unknown };
    cause?: unknown;
    message: string;
  };
  if (response === undefined && !(status !== undefined && status < 400)) {
    const perhapsSent = cause instanceof HttpFault ? cause.perhapsSent : true;
    const passing = !(
      cause instanceof HttpFault &&
      (cause.kind === 'untrusted' || cause.kind === 'proxy')
    );
    const why = cause instanceof HttpFault ? cause.message : message;
    return {
      finding: why,
      status: undefined,
      passing,
      perhapsDone: perhapsSent,
      retryAfterMs: undefined,
    };
  }
  if (status !== undefined && status >= 300 && status < 400) {
    const finding = `GitHub answered ${status}: the repository has moved or was renamed. Name it as it is called now in secret-targets`;
    return { finding, status, passing: false, perhapsDone: false, retryAfterMs: undefined };
  }
  const headers = response?.headers ?? {};
  const now = Date.parse(headers.date ?? '') || Date.now();
  const reset =
    headers['x-ratelimit-remaining'] === '0'
      ? Number(headers['x-ratelimit-reset']) * 1000 - now
      : Number.NaN;
  // GitHub's advice where a secondary limit does not say how long: a minute at least.
  const unsaid = /secondary rate limit/i.test(message) ? UNSAID_PAUSE_MS : undefined;
  const after =
    retryAfterMs(headers['retry-after'], now) ?? (reset > 0 ? reset : undefined) ?? unsaid;
  const limited = status === 429 || (status === 403 && after !== undefined);
  const serverFault = status !== undefined && status >= 500;
  return {
    finding: `GitHub answered ${status} (${message})${advice(status, limited)}`,
    status,
    passing: limited || status === 408 || serverFault,
    perhapsDone: serverFault || status === 408,
    retryAfterMs: after,
  };
}

function advice(status: number | undefined, limited: boolean): string {
  if (limited) return '';
  if (status === 401) return '. The token in github-token is wrong or has expired';
  if (status === 403)
    return ". The token in github-token may not write secrets here; the workflow's own token never may";
  if (status === 404) return '. It does not exist, or the token in github-token does not see it';
  return '';
}
