import { machineClock, type SimulatorClock } from '../clock.ts';
import type { Connections } from '../connections.ts';
import { Faults } from '../faults.ts';
import { newSecret } from '../names.ts';
import type { RecordedRequest } from '../requests.ts';
import { githubExchange } from './exchange.ts';
import { githubPrefix } from './routes.ts';
import { GithubState, type Store, type Visibility, writeSecret } from './state.ts';

export interface GithubOptions {
  /** Default: the control API's. */
  clock?: SimulatorClock;
  /** The token that may do everything. Default: made up. */
  token?: string;
}

/**
 * The part of GitHub that stores secrets. Targets are `repository:OWNER/NAME`, `environment:OWNER/NAME/ENVIRONMENT`,
 * `organization:ORG` and `dependabot:OWNER/NAME`; one that does not exist is an error.
 */
export interface GithubSimulator {
  /** `http://127.0.0.1:PORT/github-api`, for `GITHUB_API_URL`. */
  readonly apiUrl: string;
  /** May do everything. */
  readonly token: string;
  /** Every request so far; their paths are those below `apiUrl`. `requests.length = 0` starts anew. */
  readonly requests: RecordedRequest[];
  /** As for the control API; paths are those below `apiUrl`. */
  readonly faults: Faults;
  readonly clock: SimulatorClock;
  /** @returns a token that may use the secrets of these targets only; default: of all */
  addToken(fields?: { targets?: readonly string[] }): string;
  /** From now on it is refused (401): a token that has run out. */
  revokeToken(token: string): void;
  /** `octo-org/octo-repo` is there at the start. Private unless said otherwise. */
  addRepository(
    fullName: string,
    fields?: { environments?: readonly string[]; private?: boolean },
  ): GithubRepository;
  /** @param fields.repositories names with or without the owner; those that do not exist yet are added */
  addOrganization(
    login: string,
    fields?: { repositories?: readonly string[] },
  ): { readonly id: number; readonly login: string; readonly repositories: GithubRepository[] };
  /** Its old name answers with a redirect from now on. */
  moveRepository(from: string, to: string): void;
  /** As if somebody else wrote it, now or at `updatedAt`. What an update does not say about access stays as it is. */
  putSecret(target: string, name: string, value: string, fields?: PutSecretFields): void;
  secret(target: string, name: string): SecretRecord | undefined;
  /** What all targets hold. */
  everyStored(): { target: string; name: string; value: string }[];
  /** A new key pair: boxes sealed for the old one are refused from now on. */
  renewPublicKey(target: string): void;
}

export interface GithubRepository {
  readonly id: number;
  readonly fullName: string;
}

export interface PutSecretFields {
  updatedAt?: number | string;
  /** Organisations only. Default for a new secret: `private`. */
  visibility?: Visibility;
  selectedRepositoryIds?: readonly number[];
}

export interface SecretRecord {
  /** The opened one. */
  readonly value: string;
  /** In milliseconds, without fractions of a second, as the API gives it. */
  readonly updatedAt: number;
  /** Organisations only. */
  readonly visibility: Visibility | undefined;
  /** With the visibility `selected` only. */
  readonly selectedRepositoryIds: readonly number[] | undefined;
  /** All that was ever written, oldest first, by GitHub's clock in milliseconds. */
  readonly writes: readonly { readonly time: number; readonly value: string }[];
}

/** GitHub as another API of the simulator's server, whose `origin` it shares. */
export function simulateGithub(
  { clock = machineClock(), token = newSecret('ghs_', 36) }: GithubOptions,
  { connections, origin }: { connections: Connections; origin: string },
) {
  const service = { clock, state: newState(token, clock) };
  const faults = new Faults();
  const requests: RecordedRequest[] = [];

  const addRepository: GithubSimulator['addRepository'] = (fullName, fields = {}) =>
    service.state.addRepository(fullName, {
      environments: fields.environments ?? [],
      private: fields.private ?? true,
      createdAt: clock.now(),
    });

  const github: GithubSimulator = {
    apiUrl: origin + githubPrefix,
    token,
    requests,
    faults,
    clock,
    addToken: ({ targets } = {}) => service.state.addToken(targets ? { targets } : {}),
    revokeToken(revoked) {
      service.state.tokens.delete(revoked);
    },
    addRepository,
    addOrganization(login, { repositories = [] } = {}) {
      const { id } = service.state.addOrganization(login);
      const added = repositories.map((given) => {
        const fullName = given.includes('/') ? given : `${login}/${given}`;
        return service.state.repository(fullName) ?? addRepository(fullName);
      });
      return { id, login, repositories: added };
    },
    moveRepository: (from, to) => service.state.moveRepository(from, to),
    putSecret(target, name, value, fields = {}) {
      const store = mustFind(service.state, target);
      const time = fields.updatedAt === undefined ? clock.now() : timeOf(fields.updatedAt);
      const access = target.startsWith('organization:') ? accessAfter(store, name, fields) : {};
      writeSecret(store, { name, value, time, ...access });
    },
    secret(target, name) {
      const secret = mustFind(service.state, target).secrets.get(name.toUpperCase());
      return (
        secret && {
          value: secret.value,
          updatedAt: Math.floor(secret.updatedAt / 1000) * 1000,
          visibility: secret.visibility,
          selectedRepositoryIds: secret.selectedRepositoryIds,
          writes: secret.writes,
        }
      );
    },
    everyStored: () =>
      service.state
        .stores()
        .flatMap(({ target, secrets }) =>
          [...secrets.values()].map(({ name, value }) => ({ target, name, value })),
        ),
    renewPublicKey(target) {
      mustFind(service.state, target).sealingKey = undefined;
    },
  };

  return {
    github,
    exchange: githubExchange({ service, faults, requests, connections }),
    /** Back to one token and one repository, no faults, no record. */
    reset() {
      service.state = newState(token, clock);
      faults.clear();
      requests.length = 0;
    },
  };
}

function newState(token: string, clock: SimulatorClock): GithubState {
  const state = new GithubState();
  state.addToken({ token });
  const createdAt = clock.now();
  state.addRepository('octo-org/octo-repo', { environments: [], private: true, createdAt });
  return state;
}

function mustFind(state: GithubState, target: string): Store {
  const store = state.store(target);
  if (!store) throw new Error(`there is no ${target}: add it first`);
  return store;
}

function accessAfter(store: Store, name: string, fields: PutSecretFields) {
  const before = store.secrets.get(name.toUpperCase());
  const visibility = fields.visibility ?? before?.visibility ?? 'private';
  const ids = fields.selectedRepositoryIds ?? before?.selectedRepositoryIds ?? [];
  return { visibility, ...(visibility === 'selected' && { selectedRepositoryIds: [...ids] }) };
}

function timeOf(given: number | string): number {
  const time = new Date(given).getTime();
  if (Number.isNaN(time)) throw new Error(`"${given}" is not a time`);
  return time;
}
