import { randomUUID } from 'node:crypto';
import type { SimulatorClock } from './clock.ts';
import { newId, newSecret } from './names.ts';
import {
  lengthOf,
  newOperation,
  type Operation,
  type OperationFields,
  OperationList,
  stepAt,
} from './operations.ts';
import type { Settings } from './settings.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly orgId?: string;
  /** In order of creation; revoked keys are gone. */
  readonly keys: Key[];
}

export interface Key {
  readonly id: bigint;
  readonly name: string;
  /** The secret itself. */
  readonly key: string;
  readonly account: Account;
  readonly createdAt: number;
  /** Refused before this moment, as if it did not exist. */
  readonly knownFrom: number;
  lastUsedAt?: number;
  lastUsedFrom?: string;
}

export interface Project {
  readonly id: string;
  readonly account: Account;
  readonly defaultBranch: Branch;
  readonly branches: Branch[];
  readonly operations: OperationList;
  /** The body, save for what follows from the rest. */
  readonly fields: Record<string, unknown>;
  readonly createdAt: number;
}

export interface Branch {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly parentId?: string;
  readonly createdAt: number;
  /** Empty for a branch without compute. */
  readonly endpointIds: string[];
  /** Until this one has ended the branch is in `init`. */
  readonly createdBy?: Operation;
}

export interface KeyFields {
  name: string;
  createdAt?: number | string;
  /** Any int64; default: one more than the highest so far. */
  id?: bigint | number | string;
  key?: string;
  /** Unknown to the service (401) for this long after its creation. */
  propagationMs?: number;
}

export interface ProjectFields {
  /** Default: the first account. */
  account?: Account;
  id?: string;
  name?: string;
  created_at?: string;
  /** Any further field of the body, by its name there. */
  [field: string]: unknown;
}

export interface BranchFields {
  projectId: string;
  id?: string;
  name?: string;
  parentId?: string;
  createdAt?: number | string;
  /** Default: one with a new id. `[]`: a branch without compute. */
  endpointIds?: string[];
}

/** All that the simulated service knows. */
export class State {
  readonly accounts: Account[] = [];
  readonly #clock: SimulatorClock;
  readonly #settings: Settings;
  readonly #keys = new Map<string, Key>();
  readonly #projects = new Map<string, Project>();
  #highestKeyId = 165_433n;

  constructor(clock: SimulatorClock, settings: Settings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  /** An account with one key, named `first`. */
  addAccount(fields: { name?: string; orgId?: string; key?: string } = {}): Account {
    const account: Account = {
      id: randomUUID(),
      name: fields.name ?? `account ${this.accounts.length + 1}`,
      ...(fields.orgId && { orgId: fields.orgId }),
      keys: [],
    };
    this.accounts.push(account);
    this.addKey(account, { name: 'first', ...(fields.key && { key: fields.key }) });
    return account;
  }

  firstAccount(): Account {
    return this.accounts[0] ?? this.addAccount();
  }

  addKey(account: Account, fields: KeyFields): Key {
    const createdAt = this.#time(fields.createdAt);
    const key: Key = {
      id: fields.id === undefined ? this.#highestKeyId + 1n : BigInt(fields.id),
      name: fields.name,
      key: fields.key ?? newSecret('simulated_key_', 48),
      account,
      createdAt,
      knownFrom: createdAt + (fields.propagationMs ?? 0),
    };
    if (account.keys.some(({ id }) => id === key.id)) throw new Error(`key ${key.id} exists`);
    if (key.id > this.#highestKeyId) this.#highestKeyId = key.id;
    account.keys.push(key);
    this.#keys.set(key.key, key);
    return key;
  }

  /** From now on the key is refused, and unlisted. */
  revokeKey(key: Key): void {
    this.#keys.delete(key.key);
    const index = key.account.keys.indexOf(key);
    if (index >= 0) key.account.keys.splice(index, 1);
  }

  /** The key with this secret, if it is valid now. */
  keyOf(secret: string): Key | undefined {
    const key = this.#keys.get(secret);
    return key && key.knownFrom <= this.#clock.now() ? key : undefined;
  }

  get projects(): Project[] {
    return [...this.#projects.values()];
  }

  project(id: string): Project | undefined {
    return this.#projects.get(id);
  }

  /** A project with a default branch and no operations. */
  addProject({ account, ...fields }: ProjectFields = {}): Project {
    const id = fields.id ?? newId();
    if (this.#projects.has(id)) throw new Error(`project ${id} is there already`);
    const createdAt = this.#time(fields.created_at);
    const branch = this.#newBranch({ projectId: id, name: 'main', createdAt });
    const project: Project = {
      id,
      account: account ?? this.firstAccount(),
      defaultBranch: branch,
      branches: [branch],
      operations: new OperationList(),
      fields: { ...fields, name: fields.name ?? id },
      createdAt,
    };
    this.#projects.set(id, project);
    return project;
  }

  /** A branch that is ready at once. */
  addBranch(fields: BranchFields): Branch {
    const branch = this.#newBranch(fields);
    this.#mustProject(fields.projectId).branches.push(branch);
    return branch;
  }

  addOperation(fields: OperationFields): Operation {
    const project = this.#mustProject(fields.projectId);
    const operation = newOperation(
      {
        ...fields,
        branchId: fields.branchId === undefined ? project.defaultBranch.id : fields.branchId,
      },
      this.#clock.now(),
      this.#settings.durations,
    );
    project.operations.add(operation);
    return operation;
  }

  /** An operation the service starts itself: ends as the settings say for its action. */
  startOperation(fields: OperationFields): Operation {
    return this.addOperation({ ...this.#settings.outcomes[fields.action], ...fields });
  }

  /** A branch as the API creates one: `create_branch`, then `start_compute` if it has compute. */
  createBranch(fields: BranchFields): { branch: Branch; operations: Operation[] } {
    const draft = this.#newBranch(fields);
    const create = this.startOperation({
      projectId: draft.projectId,
      branchId: draft.id,
      action: 'create_branch',
    });
    const branch = { ...draft, createdBy: create };
    this.#mustProject(draft.projectId).branches.push(branch);
    const starts = branch.endpointIds.map((id) => this.#startCompute(create, id));
    return { branch, operations: [create, ...starts] };
  }

  /** A project as the API creates one: `create_timeline`, then `start_compute`. */
  createProject(fields: ProjectFields): { project: Project; operations: Operation[] } {
    const project = this.addProject(fields);
    const create = this.startOperation({ projectId: project.id, action: 'create_timeline' });
    const starts = project.defaultBranch.endpointIds.map((id) => this.#startCompute(create, id));
    return { project, operations: [create, ...starts] };
  }

  deleteBranch(project: Project, branch: Branch): Operation[] {
    project.branches.splice(project.branches.indexOf(branch), 1);
    const at = { projectId: project.id, branchId: branch.id };
    return [
      ...branch.endpointIds.map((endpointId) =>
        this.startOperation({ ...at, endpointId, action: 'suspend_compute' }),
      ),
      this.startOperation({ ...at, action: 'delete_timeline' }),
    ];
  }

  /** Both operations are created in the same moment; the compute waits for what it is to run on. */
  #startCompute(after: Operation, endpointId: string): Operation {
    const { computeDelayMs, listDelayMs } = this.#settings.durations;
    const common = {
      projectId: after.projectId,
      ...(after.branchId && { branchId: after.branchId }),
      endpointId,
      action: 'start_compute',
      createdAt: after.createdAt,
      visibleAfterMs: listDelayMs,
    };
    const end = lengthOf(after);
    if (stepAt(after, Number.POSITIVE_INFINITY).status !== 'finished') {
      const statuses = [
        { afterMs: 0, status: 'scheduling' },
        { afterMs: end, status: 'cancelled' },
      ];
      return this.addOperation({ ...common, statuses });
    }
    return this.startOperation({ ...common, schedulingMs: end + computeDelayMs });
  }

  #newBranch(fields: BranchFields): Branch {
    const id = fields.id ?? newId('br-');
    return {
      id,
      projectId: fields.projectId,
      name: fields.name ?? id,
      ...(fields.parentId && { parentId: fields.parentId }),
      createdAt: this.#time(fields.createdAt),
      endpointIds: fields.endpointIds ?? [newId('ep-')],
    };
  }

  #mustProject(id: string): Project {
    const project = this.#projects.get(id);
    if (!project) throw new Error(`there is no project "${id}": add it first`);
    return project;
  }

  #time(given: number | string | undefined): number {
    const time = given === undefined ? this.#clock.now() : new Date(given).getTime();
    if (Number.isNaN(time)) throw new Error(`"${given}" is not a time`);
    return time;
  }
}
