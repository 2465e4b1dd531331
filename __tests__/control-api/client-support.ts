import type { Clock } from '../../src/clock.ts';
import { ControlApi, type ControlApiParts } from '../../src/control-api/client.ts';
import type { ControlApiError } from '../../src/control-api/errors.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../src/control-api/http.ts';
import { ServiceClock } from '../../src/control-api/service-clock.ts';
import { Throttle } from '../../src/control-api/throttle.ts';
import { Secret } from '../../src/secret.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** With characters that look different in a URL, in JSON and in base64. */
export const KEY = 'napi_k3y/with+odd=chars~and"more"';
export const BASE_URL = 'https://console.example.com/api/v2';

export type Reply =
  | (Partial<Omit<HttpAnswer, 'body'>> & { readonly body?: unknown })
  | Error
  /** Never answers; ends with the signal's reason. */
  | 'silence';

/** Replies from a list, in order; the last one again and again. Keeps what was asked, and when. */
export class FakeHttp implements Http {
  readonly requests: (HttpRequest & { readonly at: number })[] = [];
  readonly replies: Reply[];
  readonly #clock: FakeClock;

  constructor(clock: FakeClock, replies: readonly Reply[]) {
    this.#clock = clock;
    this.replies = [...replies];
  }

  async exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    this.requests.push({ ...request, at: this.#clock.elapsed });
    const reply = (this.replies.length > 1 ? this.replies.shift() : this.replies[0]) ?? 'silence';
    signal.throwIfAborted();
    if (reply instanceof Error) throw reply;
    if (reply === 'silence') {
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    }
    const { status = 200, headers = {}, body = '' } = reply;
    return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
  }

  close(): void {}
}

export interface Stage {
  readonly api: ControlApi;
  readonly http: FakeHttp;
  readonly clock: FakeClock;
  readonly serviceClock: ServiceClock;
  readonly retried: { readonly error: ControlApiError; readonly pause: number }[];
  /** What the call gives or throws, as far in time as it needs. */
  end<Value>(call: Promise<Value>): Promise<Value>;
  fault(call: Promise<unknown>): Promise<ControlApiError>;
}

export function stage(replies: readonly Reply[], parts: Partial<ControlApiParts> = {}): Stage {
  const clock = new FakeClock();
  const http = new FakeHttp(clock, replies);
  const serviceClock = new ServiceClock(clock);
  const retried: { error: ControlApiError; pause: number }[] = [];
  const api = new ControlApi({
    baseUrl: BASE_URL,
    apiKey: new Secret(KEY),
    requestTimeoutMs: 30_000,
    maxRetries: 3,
    http,
    clock: clock satisfies Clock,
    serviceClock,
    throttle: new Throttle(clock),
    random: () => 0.5,
    onRetry: (error, pause) => retried.push({ error, pause }),
    ...parts,
  });
  const fault = async (call: Promise<unknown>): Promise<ControlApiError> => {
    const error = await clock.advanceUntil(
      call.then(
        () => undefined,
        (thrown) => thrown,
      ),
    );
    if (error === undefined) throw new Error('The call succeeded.');
    return error;
  };
  return {
    api,
    http,
    clock,
    serviceClock,
    retried,
    fault,
    end: (call) => clock.advanceUntil(call),
  };
}

export const OPERATION = {
  id: 'o1',
  project_id: 'p1',
  branch_id: 'br-1',
  action: 'create_branch',
  status: 'running',
  failures_count: 0,
  created_at: '2026-03-01T08:00:00Z',
  updated_at: '2026-03-01T08:00:01Z',
};
