import type { Clock } from '../clock.ts';
import { ControlApi } from '../control-api/client.ts';
import type { Http } from '../control-api/http.ts';
import { ServiceClock } from '../control-api/service-clock.ts';
import { Throttle } from '../control-api/throttle.ts';
import { formatDuration } from '../durations.ts';
import type { Runner } from '../runner/runner.ts';
import type { Secret } from '../secret.ts';

/** Everything that the action takes from outside. */
export interface World {
  readonly runner: Runner;
  readonly clock: Clock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly createHttp: (userAgent: string) => Http;
}

export const USER_AGENT = 'cloud-database-control';

/** How the service is spoken to. */
export interface Connection {
  readonly baseUrl: string;
  readonly requestTimeoutMs: number;
  readonly maxRetries: number;
}

/**
 * Clients for one or more keys, with one throttle and one clock of the service for the whole process. A client of another key
 * than `api-key` is told what a 401 means.
 */
export function connect({ clock, random, runner }: World, connection: Connection, http: Http) {
  const serviceClock = new ServiceClock(clock);
  const throttle = new Throttle(clock);
  const createApi = (apiKey: Secret, refusal?: string): ControlApi =>
    new ControlApi({
      ...connection,
      ...(refusal === undefined ? {} : { refusal }),
      apiKey,
      http,
      clock,
      random,
      serviceClock,
      throttle,
      onRetry: (error, pause) =>
        runner.log.debug(`${error.message}. Trying again in ${formatDuration(pause)}.`),
    });
  return { createApi, serviceClock };
}
