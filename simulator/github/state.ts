import { newSecret } from '../names.ts';
import { newSealingKey, type SealingKey } from './sealing.ts';
import { parseTarget } from './targets.ts';

export type Visibility = 'all' | 'private' | 'selected';

/** A secret as it is stored. Times are milliseconds since 1970 of GitHub's clock. */
export interface StoredSecret {
  /** As GitHub keeps it: in capitals. */
  readonly name: string;
  readonly createdAt: number;
  updatedAt: number;
  value: string;
  /** Organisations' secrets only. */
  visibility?: Visibility;
  /** With the visibility `selected` only. */
  selectedRepositoryIds?: number[];
  /** All that was ever written to it, oldest first. */
  readonly writes: { readonly time: number; readonly value: string }[];
}

/** A place that holds secrets under a key pair of its own. */
export interface Store {
  /** In the form of targets.ts; it follows a repository that moves. */
  readonly target: string;
  readonly secrets: Map<string, StoredSecret>;
  /** Made when it is first asked for. */
  sealingKey: Promise<SealingKey> | undefined;
}

export interface Repository {
  readonly id: number;
  fullName: string;
  readonly private: boolean;
  readonly createdAt: number;
  readonly actions: Store;
  readonly dependabot: Store;
  /** By their names in lower case. */
  readonly environments: Map<string, Store>;
}

export interface Organization {
  readonly id: number;
  readonly login: string;
  readonly actions: Store;
}

export interface Token {
  /** Without: everything. */
  readonly targets?: readonly string[];
}

export interface SecretWrite {
  name: string;
  value: string;
  time: number;
  visibility?: Visibility;
  selectedRepositoryIds?: number[];
}

/** All that the simulated GitHub knows. Names are compared as GitHub does, without regard to case. */
export class GithubState {
  readonly tokens = new Map<string, Token>();
  readonly #repositories = new Map<string, Repository>();
  readonly #organizations = new Map<string, Organization>();
  /** Repositories by the names that they had. */
  readonly #moved = new Map<string, Repository>();
  #lastId = 1_296_268;

  addToken(fields: { token?: string; targets?: readonly string[] } = {}): string {
    const { token = newSecret('ghs_', 36), targets } = fields;
    for (const target of targets ?? []) parseTarget(target);
    this.tokens.set(token, targets ? { targets } : {});
    return token;
  }

  addRepository(
    fullName: string,
    fields: { environments: readonly string[]; private: boolean; createdAt: number },
  ): Repository {
    parseTarget(`repository:${fullName}`);
    if (this.#repositories.has(fullName.toLowerCase())) {
      throw new Error(`repository ${fullName} is there already`);
    }
    const repository: Repository = {
      id: this.#newId(),
      fullName,
      private: fields.private,
      createdAt: fields.createdAt,
      actions: newStore(() => `repository:${repository.fullName}`),
      dependabot: newStore(() => `dependabot:${repository.fullName}`),
      environments: new Map(),
    };
    for (const name of fields.environments) {
      const store = newStore(() => `environment:${repository.fullName}/${name}`);
      repository.environments.set(name.toLowerCase(), store);
    }
    this.#repositories.set(fullName.toLowerCase(), repository);
    // Whoever takes an old name over ends its redirect.
    this.#moved.delete(fullName.toLowerCase());
    return repository;
  }

  addOrganization(login: string): Organization {
    parseTarget(`organization:${login}`);
    if (this.#organizations.has(login.toLowerCase())) {
      throw new Error(`organization ${login} is there already`);
    }
    const organization: Organization = {
      id: this.#newId(),
      login,
      actions: newStore(() => `organization:${login}`),
    };
    this.#organizations.set(login.toLowerCase(), organization);
    return organization;
  }

  moveRepository(from: string, to: string): void {
    const repository = this.repository(from);
    if (!repository) throw new Error(`there is no repository "${from}"`);
    if (this.repository(to)) throw new Error(`repository ${to} is there already`);
    this.#repositories.delete(from.toLowerCase());
    this.#repositories.set(to.toLowerCase(), repository);
    this.#moved.set(from.toLowerCase(), repository);
    this.#moved.delete(to.toLowerCase());
    repository.fullName = to;
  }

  /** By its present name. */
  repository(fullName: string): Repository | undefined {
    return this.#repositories.get(fullName.toLowerCase());
  }

  /** By a name that it no longer has. */
  movedRepository(fullName: string): Repository | undefined {
    return this.#moved.get(fullName.toLowerCase());
  }

  repositoryById(id: number): Repository | undefined {
    return [...this.#repositories.values()].find((repository) => repository.id === id);
  }

  repositoriesOf({ login }: Organization): Repository[] {
    const prefix = `${login.toLowerCase()}/`;
    return [...this.#repositories].flatMap(([name, found]) =>
      name.startsWith(prefix) ? [found] : [],
    );
  }

  organization(login: string): Organization | undefined {
    return this.#organizations.get(login.toLowerCase());
  }

  organizationById(id: number): Organization | undefined {
    return [...this.#organizations.values()].find((organization) => organization.id === id);
  }

  /** Old names of a repository lead to it, too. */
  store(targetText: string): Store | undefined {
    const target = parseTarget(targetText);
    if (target.kind === 'organization') return this.organization(target.organization)?.actions;
    const name = target.repository;
    const repository = this.repository(name) ?? this.movedRepository(name);
    if (target.kind === 'repository') return repository?.actions;
    if (target.kind === 'dependabot') return repository?.dependabot;
    return repository?.environments.get(target.environment.toLowerCase());
  }

  /** Every place that holds secrets, empty ones too. */
  stores(): Store[] {
    return [
      ...[...this.#repositories.values()].flatMap(({ actions, dependabot, environments }) => [
        actions,
        dependabot,
        ...environments.values(),
      ]),
      ...[...this.#organizations.values()].map(({ actions }) => actions),
    ];
  }

  mayUse({ targets }: Token, store: Store): boolean {
    return targets === undefined || targets.some((target) => this.store(target) === store);
  }

  #newId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

function newStore(target: () => string): Store {
  return {
    get target() {
      return target();
    },
    secrets: new Map(),
    sealingKey: undefined,
  };
}

/** The store's key pair of the moment. */
export function sealingKeyOf(store: Store): Promise<SealingKey> {
  store.sealingKey ??= newSealingKey();
  return store.sealingKey;
}

/** @returns whether the secret is new */
export function writeSecret(store: Store, { name, value, time, ...access }: SecretWrite): boolean {
  const key = name.toUpperCase();
  const before = store.secrets.get(key);
  store.secrets.set(key, {
    name: key,
    createdAt: before?.createdAt ?? time,
    updatedAt: time,
    value,
    ...access,
    writes: [...(before?.writes ?? []), { time, value }],
  });
  return before === undefined;
}

/** Letters, digits and `_`; the first is no digit; the prefix `GITHUB_` is taken. */
export function isSecretName(name: string): boolean {
  return /^[A-Z_][A-Z0-9_]*$/i.test(name) && !/^GITHUB_/i.test(name);
}
