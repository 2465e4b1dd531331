import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import { parseMoment } from '../moments.ts';
import type { Secret } from '../secret.ts';
import { oneLine } from '../text.ts';
import { answerError, faultError } from './answers.ts';
import { ControlApiError } from './errors.ts';
import type { Http, HttpAnswer, HttpRequest } from './http.ts';
import { parseJson, stringifyJson } from './json.ts';
import { segment } from './paths.ts';
import { LONGEST_RETRY_AFTER_MS, type RetryPolicy, retryAfterMs, withRetries } from './retry.ts';
import {
  apiKeysSchema,
  createdKeySchema,
  operationAnswerSchema,
  operationsPageSchema,
  projectsPageSchema,
  revokedKeySchema,
} from './schemas.ts';
import type { ServiceClock } from './service-clock.ts';
import type { Throttle } from './throttle.ts';

/** What the client is made of; all of it is handed in. */
export interface ControlApiParts {
  /** Ends in the version prefix, without a slash behind it. */
  readonly baseUrl: string;
  readonly apiKey: Secret;
  /** What a 401 means to people, where the key is not the one passed as `api-key`. */
  readonly refusal?: string;
  /** The whole of one exchange, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly maxRetries: number;
  readonly http: Http;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly throttle: Throttle;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  /** Told of every fault that is tried again. */
  readonly onRetry: (error: ControlApiError, pauseMs: number) => void;
}

/** How one call differs from the others. */
export interface CallOptions {
  /** Ends the call at any point; the rejection is the signal's reason. */
  readonly signal: AbortSignal;
  /** Further tries after a passing fault; default: the client's `maxRetries`. */
  readonly retries?: number;
  /** The longest `Retry-After` that is waited for, in milliseconds; default: two minutes. */
  readonly longestRetryAfterMs?: number;
  /** Told of every fault of this call that is tried again. */
  readonly onRetry?: (error: ControlApiError, pauseMs: number) => void;
}

export interface PageOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * The six endpoints of the contract (section 4). Every method validates what comes back, retries passing faults, and
 * throws nothing but {@link ControlApiError}, an {@link UnsafeIdError} before anything is sent, or the signal's reason.
 */
export class ControlApi {
  readonly #parts: ControlApiParts;
  #requests = 0;

  constructor(parts: ControlApiParts) {
    this.#parts = parts;
  }

  /** How many HTTP requests were sent so far, repetitions included. */
  get requests(): number {
    return this.#requests;
  }

  /** `GET /projects/{project_id}/operations`: one page, in the order in which the service lists. */
  async listOperations(projectId: string, page: PageOptions, options: CallOptions) {
    const path = `/projects/${segment('project id', projectId)}/operations${query({ ...page })}`;
    const attempt = `list the operations of project ${oneLine(projectId, 120)}`;
    const answer = await this.#read(attempt, path, operationsPageSchema, options);
    this.#parts.serviceClock.saw(newest(answer.operations));
    return answer;
  }

  /** `GET /projects/{project_id}/operations/{operation_id}`. */
  async getOperation(projectId: string, operationId: string, options: CallOptions) {
    const path = `/projects/${segment('project id', projectId)}/operations/${segment('operation id', operationId)}`;
    const attempt = `read operation ${oneLine(operationId, 120)} of project ${oneLine(projectId, 120)}`;
    // Rule 3 of section 4: only the operation with the given id. Anything else is not an answer to this question.
    const schema = v.pipe(
      operationAnswerSchema,
      v.check(({ operation }) => operation.id.toLowerCase() === operationId.toLowerCase()),
    );
    return (await this.#read(attempt, path, schema, options)).operation;
  }

  /** `GET /projects`: one page. `orgId` is for services that list by organisation. */
  async listProjects(page: PageOptions & { orgId?: string | undefined }, options: CallOptions) {
    const { limit, cursor, orgId } = page;
    const path = `/projects${query({ limit, cursor, org_id: orgId })}`;
    return this.#read('list the projects', path, projectsPageSchema, options);
  }

  /** `GET /api_keys`: the account's keys, without their values. */
  async listApiKeys(options: CallOptions) {
    const keys = await this.#read('list the API keys', '/api_keys', apiKeysSchema, options);
    this.#parts.serviceClock.saw(newest(keys));
    return keys;
  }

  /**
   * `POST /api_keys`. Not idempotent: repeated only when it is certain that the service did nothing.
   * @throws ControlApiError of kind `ambiguous` when a key may have been created
   */
  async createApiKey(keyName: string, options: CallOptions) {
    return this.#call(
      {
        attempt: `create the API key ${oneLine(keyName, 80)}`,
        method: 'POST',
        path: '/api_keys',
        body: { key_name: keyName },
        schema: createdKeySchema,
        confidential: true,
      },
      options,
    );
  }

  /**
   * `DELETE /api_keys/{key_id}`: irreversible and immediate.
   * @param keyId decimal digits
   * @throws ControlApiError of kind `ambiguous` when the key may have been revoked, `not-found` when it is gone
   */
  async revokeApiKey(keyId: string, options: CallOptions) {
    return this.#call(
      {
        attempt: `revoke the API key ${keyId}`,
        method: 'DELETE',
        path: `/api_keys/${segment('key id', keyId)}`,
        schema: revokedKeySchema,
      },
      options,
    );
  }

  #read<Schema extends AnySchema>(
    attempt: string,
    path: string,
    schema: Schema,
    options: CallOptions,
  ): Promise<v.InferOutput<Schema>> {
    return this.#call({ attempt, method: 'GET', path, schema }, options);
  }

  #call<Schema extends AnySchema>(
    call: Call<Schema>,
    options: CallOptions,
  ): Promise<v.InferOutput<Schema>> {
    const { clock, random, maxRetries, onRetry } = this.#parts;
    const policy: RetryPolicy = {
      retries: options.retries ?? maxRetries,
      longestRetryAfterMs: options.longestRetryAfterMs ?? LONGEST_RETRY_AFTER_MS,
    };
    const once = (): Promise<v.InferOutput<Schema>> => this.#once(call, options.signal);
    return withRetries(once, policy, { clock, random }, options.signal, (error, pauseMs) => {
      onRetry(error, pauseMs);
      options.onRetry?.(error, pauseMs);
    });
  }

  async #once<Schema extends AnySchema>(
    call: Call<Schema>,
    signal: AbortSignal,
  ): Promise<v.InferOutput<Schema>> {
    await this.#parts.throttle.take(signal);
    const answer = await this.#exchange(call, signal);
    const { apiKey, serviceClock } = this.#parts;
    serviceClock.learn(answer.headers.date);
    if (answer.status < 200 || answer.status > 299) {
      throw answerError(call, answer, {
        retryAfterMs: retryAfterMs(answer.headers['retry-after'], serviceClock.now()),
        redact: (text) => apiKey.redact(text),
        refusal: this.#parts.refusal,
      });
    }
    return this.#validated(call, answer);
  }

  /** One exchange within the request timeout. */
  async #exchange(call: Call<AnySchema>, signal: AbortSignal): Promise<HttpAnswer> {
    const { clock, http, requestTimeoutMs } = this.#parts;
    // A controller of its own, taken off the caller's signal afterwards: `AbortSignal.any` would stay with a signal that
    // lives as long as the wait.
    const ending = new AbortController();
    const onAbort = (): void => ending.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const stop = clock.timer(requestTimeoutMs, () => ending.abort(new Error('request timeout')));
    this.#requests += 1;
    try {
      return await http.exchange(this.#request(call), ending.signal);
    } catch (error) {
      signal.throwIfAborted();
      const seconds = requestTimeoutMs / 1000;
      throw faultError(call, error, ending.signal.aborted ? seconds : undefined);
    } finally {
      stop();
      signal.removeEventListener('abort', onAbort);
    }
  }

  #request({ method, path, body }: Call<AnySchema>): HttpRequest {
    const headers: Record<string, string> = {
      accept: 'application/json',
      authorization: `Bearer ${this.#parts.apiKey.reveal()}`,
    };
    const url = new URL(this.#parts.baseUrl + path);
    if (body === undefined) return { method, url, headers };
    headers['content-type'] = 'application/json';
    return { method, url, headers, body: stringifyJson(body) };
  }

  #validated<Schema extends AnySchema>(
    call: Call<Schema>,
    { status, body }: HttpAnswer,
  ): v.InferOutput<Schema> {
    const unreadable = (finding: string): ControlApiError =>
      new ControlApiError(call.method === 'GET' ? 'unreadable' : 'ambiguous', {
        attempt: call.attempt,
        finding,
        status,
      });
    let json: unknown;
    try {
      // A service may echo the key anywhere; from here on nothing holds it.
      json = parseJson(body);
      if (this.#parts.apiKey.mayBeIn(body)) json = this.#parts.apiKey.redactAll(json);
    } catch {
      // The parser's message quotes the text, and the text may hold a key: it is not kept, not even as a cause.
      throw unreadable(
        body === ''
          ? `the answer (${status}) is empty`
          : `the answer (${status}) is not JSON. Check base-url if it stays so`,
      );
    }
    const result = v.safeParse(call.schema, json, { abortEarly: true });
    if (result.success) return result.output;
    // Only where it is wrong, not what stands there.
    const path = oneLine(v.getDotPath(result.issues[0]) ?? '', 80);
    const where = path === '' ? '' : ` at "${path}"`;
    throw unreadable(`the answer (${status}) is not what was asked for${where}`);
  }
}

/** When the youngest of these was created, in milliseconds since 1970; -Infinity where none says it. */
function newest(items: readonly { readonly created_at?: string | null | undefined }[]): number {
  return items.reduce(
    (latest, { created_at }) => Math.max(latest, parseMoment(created_at) || latest),
    Number.NEGATIVE_INFINITY,
  );
}

type AnySchema = v.GenericSchema;

/** One call of an endpoint. */
export interface Call<Schema extends AnySchema = AnySchema> {
  /** For errors: `read operation o1 of project p1`. */
  readonly attempt: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Behind the base URL, encoded. */
  readonly path: string;
  readonly body?: unknown;
  readonly schema: Schema;
  /** The answer may hold a key: nothing of it is ever quoted. */
  readonly confidential?: boolean;
}

function query(parameters: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}
