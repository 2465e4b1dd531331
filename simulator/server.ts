import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { adminApi, adminPrefix } from './admin.ts';
import { machineClock, type SimulatorClock } from './clock.ts';
import { Connections } from './connections.ts';
import { exchangeWith } from './exchange.ts';
import { Faults } from './faults.ts';
import { type GithubOptions, type GithubSimulator, simulateGithub } from './github/github.ts';
import { githubPrefix } from './github/routes.ts';
import { newSecret } from './names.ts';
import { type Operation, type OperationFields, operationBody, stepAt } from './operations.ts';
import { RateLimiter } from './rate-limit.ts';
import { apiPrefix, type RecordedRequest } from './requests.ts';
import { controlApi, type Service } from './routes.ts';
import { changeSettings, defaultSettings, type Settings, type SettingsChange } from './settings.ts';
import {
  type Account,
  type Branch,
  type BranchFields,
  type Key,
  type KeyFields,
  type Project,
  type ProjectFields,
  State,
} from './state.ts';

export { machineClock, manualClock, type SimulatorClock } from './clock.ts';
export type { Fault, FaultHandle, Faults, HookContext, Match, Rule } from './faults.ts';
export type {
  GithubOptions,
  GithubRepository,
  GithubSimulator,
  PutSecretFields,
  SecretRecord,
} from './github/github.ts';
export type { Visibility } from './github/state.ts';
export type { OperationFields, StatusStep } from './operations.ts';
export type { RecordedRequest } from './requests.ts';
export type { Outcome, Settings, SettingsChange } from './settings.ts';
export type {
  Account,
  Branch,
  BranchFields,
  Key,
  KeyFields,
  Project,
  ProjectFields,
} from './state.ts';

/** The settings (settings.ts) can all be given at the start, too. */
export interface SimulatorOptions extends SettingsChange {
  /** Default: 0, any free one. */
  port?: number;
  /** Default: the machine's. */
  clock?: SimulatorClock;
  /** Serve https with this certificate. */
  tls?: { key: string | Buffer; cert: string | Buffer };
  /** The first account's first key. Default: made up. */
  apiKey?: string;
  /** The other service that the same server plays. */
  github?: GithubOptions;
  /** Fills the new account; called at the start and after each reset. */
  seed?: (simulator: Simulator) => void;
}

export interface Simulator {
  /** `http://127.0.0.1:PORT/api/v2` */
  readonly baseUrl: string;
  /** `http://127.0.0.1:PORT/_simulator` */
  readonly adminUrl: string;
  /** The first account's first key. */
  readonly apiKey: string;
  /** The first account. */
  readonly account: Account;
  /** Every request to the API so far. `requests.length = 0` starts anew. */
  readonly requests: RecordedRequest[];
  readonly faults: Faults;
  readonly clock: SimulatorClock;
  /** The part of GitHub's API that stores secrets, with a record and faults of its own. */
  readonly github: GithubSimulator;
  /** May be changed at any time. */
  readonly settings: Settings;
  /** How many connections were opened so far. */
  readonly connections: number;
  /** Bytes sent so far, heads of answers included. */
  readonly bytesSent: number;
  /** A further account, with one key. */
  addAccount(fields?: { name?: string; orgId?: string; key?: string }): Account;
  addKey(account: Account, fields: KeyFields): Key;
  revokeKey(key: Key): void;
  addProject(fields?: ProjectFields): Project;
  addBranch(fields: BranchFields): Branch;
  addOperation(fields: OperationFields): OperationHandle;
  /** Back to one account with its first key, default settings as given at the start, no faults, no record. */
  reset(): void;
  /** Ends all connections at once, also those in the middle of an answer. */
  close(): Promise<void>;
}

/** One operation of the simulator. `JSON.stringify` gives it as the API would now. */
export interface OperationHandle {
  readonly id: string;
  readonly projectId: string;
  readonly branchId: string | undefined;
  readonly action: string;
  /** At this moment of the simulator's clock. */
  readonly status: string;
  /** From now on this status, whatever was planned. */
  setStatus(status: string, error?: string): void;
  /** As if it had never been. */
  remove(): void;
  toJSON(): ReturnType<typeof operationBody>;
}

/** Starts the control API, and GitHub's beside it, on 127.0.0.1. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, clock = machineClock(), tls, github: githubOptions, seed, ...rest } = options;
  const { apiKey = newSecret('simulated_key_', 48), ...change } = rest;
  const settings = newSettings(change);
  const service = { clock, settings, ...newState(clock, settings, apiKey) };
  const faults = new Faults();
  const requests: RecordedRequest[] = [];

  const listener = getRequestListener(
    (request, wire) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith(adminPrefix)) return admin.fetch(request);
      const answer = pathname.startsWith(`${githubPrefix}/`) ? githubSide.exchange : exchange;
      return answer(request, wire as HttpBindings);
    },
    // The process that runs this is a test as often as not: its globals stay as they are.
    { overrideGlobalObjects: false },
  );
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  // Longer than any poll interval: an idle connection is closed by a test, never by chance.
  server.keepAliveTimeout = 120_000;
  const connections = new Connections(server);
  const api = controlApi(service);
  const exchange = exchangeWith(
    {
      prefix: apiPrefix,
      faults,
      requests,
      now: () => clock.now(),
      idHeader: 'x-request-id',
      newId: randomUUID,
      perform: async (request, about) => api.fetch(request, about),
      keyId: (secret) => service.state.keyOf(secret)?.id.toString(),
      worded: (fault) => fault,
    },
    connections,
  );
  const origin = `http${tls ? 's' : ''}://127.0.0.1:${await connections.listen(port)}`;
  const githubSide = simulateGithub({ clock, ...githubOptions }, { connections, origin });

  const simulator: Simulator = {
    baseUrl: origin + apiPrefix,
    adminUrl: origin + adminPrefix,
    apiKey,
    get account() {
      return service.state.firstAccount();
    },
    requests,
    faults,
    clock,
    github: githubSide.github,
    settings,
    get connections() {
      return connections.opened;
    },
    get bytesSent() {
      return connections.bytesSent;
    },
    addAccount: (fields) => service.state.addAccount(fields),
    addKey: (account, fields) => service.state.addKey(account, fields),
    revokeKey: (key) => service.state.revokeKey(key),
    addProject: (fields) => service.state.addProject(fields),
    addBranch: (fields) => service.state.addBranch(fields),
    addOperation: (fields) => handleOf(service.state.addOperation(fields), service),
    reset() {
      Object.assign(settings, newSettings(change));
      Object.assign(service, newState(clock, settings, apiKey));
      faults.clear();
      requests.length = 0;
      githubSide.reset();
      seed?.(simulator);
    },
    close: () => connections.close(),
  };
  const admin = adminApi(simulator, service);
  try {
    seed?.(simulator);
  } catch (error) {
    await simulator.close();
    throw error;
  }
  return simulator;
}

function newSettings(change: SettingsChange): Settings {
  const settings = defaultSettings();
  changeSettings(settings, change);
  return settings;
}

function newState(clock: SimulatorClock, settings: Settings, apiKey: string) {
  const state = new State(clock, settings);
  state.addAccount({ key: apiKey });
  return { state, limiter: new RateLimiter() };
}

function handleOf(operation: Operation, { clock, state }: Service): OperationHandle {
  return {
    id: operation.id,
    projectId: operation.projectId,
    branchId: operation.branchId,
    action: operation.action,
    get status() {
      return stepAt(operation, clock.now()).status;
    },
    setStatus(status, error) {
      const afterMs = clock.now() - operation.createdAt;
      operation.steps = [
        ...operation.steps.filter((step) => step.afterMs < afterMs),
        { afterMs, status, ...(error !== undefined && { error }) },
      ];
    },
    remove: () => state.project(operation.projectId)?.operations.remove(operation),
    toJSON: () => operationBody(operation, clock.now()),
  };
}
