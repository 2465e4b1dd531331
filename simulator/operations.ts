import { randomUUID } from 'node:crypto';
import type { Outcome, Settings } from './settings.ts';

/** From `afterMs` after its creation an operation has this status. */
export interface StatusStep {
  afterMs: number;
  status: string;
  error?: string;
}

export interface Operation {
  id: string;
  projectId: string;
  branchId?: string;
  endpointId?: string;
  action: string;
  createdAt: number;
  createdText: string;
  /** Not in listings before this moment, though known by id. */
  listedFrom: number;
  /** In order of `afterMs`; never empty. */
  steps: StatusStep[];
  /** Further fields of the body. */
  extra?: Record<string, unknown>;
}

/** What a new operation may say of itself; everything else has a default. */
export interface OperationFields {
  projectId: string;
  /** Default: the project's default branch. `null`: none, as for operations on a whole project. */
  branchId?: string | null;
  endpointId?: string;
  action: string;
  /** A status that never changes. */
  status?: string;
  id?: string;
  /** Default: now. Before this moment the operation does not exist. */
  createdAt?: number | string;
  schedulingMs?: number;
  runningMs?: number;
  outcome?: Outcome;
  error?: string;
  /** Listed only this long after its creation; known by id at once. */
  visibleAfterMs?: number;
  /** The whole course, instead of `status`, the durations and `outcome`. */
  statuses?: StatusStep[];
  /** Further fields of the body. */
  extra?: Record<string, unknown>;
}

/** Fills in what `fields` leaves open. */
export function newOperation(
  fields: OperationFields & { branchId?: string | null },
  now: number,
  durations: Settings['durations'],
): Operation {
  const createdAt = fields.createdAt === undefined ? now : new Date(fields.createdAt).getTime();
  if (Number.isNaN(createdAt)) throw new Error(`createdAt "${fields.createdAt}" is not a time`);
  return {
    id: fields.id ?? randomUUID(),
    projectId: fields.projectId,
    ...(fields.branchId && { branchId: fields.branchId }),
    ...(fields.endpointId && { endpointId: fields.endpointId }),
    action: fields.action,
    createdAt,
    createdText: timestamp(createdAt),
    listedFrom: createdAt + (fields.visibleAfterMs ?? 0),
    steps: courseOf(fields, durations),
    ...(fields.extra && { extra: fields.extra }),
  };
}

function courseOf(fields: OperationFields, durations: Settings['durations']): StatusStep[] {
  if (fields.statuses?.length) {
    return fields.statuses.toSorted((one, other) => one.afterMs - other.afterMs);
  }
  const error = fields.error === undefined ? {} : { error: fields.error };
  if (fields.status) return [{ afterMs: 0, status: fields.status, ...error }];
  const runsFrom = fields.schedulingMs ?? durations.schedulingMs;
  const endsAfter = runsFrom + (fields.runningMs ?? durations.runningMs);
  return [
    { afterMs: 0, status: 'scheduling' },
    { afterMs: runsFrom, status: 'running' },
    { afterMs: endsAfter, status: fields.outcome ?? 'finished', ...error },
  ];
}

/** How long after its creation the operation takes its last status, in milliseconds. */
export function lengthOf(operation: Operation): number {
  return operation.steps.at(-1)?.afterMs ?? 0;
}

/** The operation's status at `now`: no timers, only arithmetic, so that a clock can be moved at will. */
export function stepAt(operation: Operation, now: number): StatusStep {
  const age = now - operation.createdAt;
  const step = operation.steps.findLast(({ afterMs }) => afterMs <= age) ?? operation.steps[0];
  if (!step) throw new Error(`operation ${operation.id} has no status`);
  return step;
}

const movingStatuses = new Set(['scheduling', 'running', 'cancelling']);
const isFailure = (status: string) => status === 'failed' || status === 'error';

/** Milliseconds since 1970 as the API writes times. */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}

/**
 * The operation as the API gives it at `now`. What it does not have is `undefined`, which JSON leaves out: a page has a
 * thousand of these, and building them piece by piece is what its time went into.
 */
export function operationBody(operation: Operation, now: number) {
  const { steps, createdAt } = operation;
  const { status, afterMs, error } = stepAt(operation, now);
  const isMoving = movingStatuses.has(status);
  const body = {
    id: operation.id,
    project_id: operation.projectId,
    branch_id: operation.branchId,
    endpoint_id: operation.endpointId,
    action: operation.action,
    status,
    error: error ?? (isFailure(status) ? 'the operation failed' : undefined),
    failures_count: 0,
    created_at: operation.createdText,
    updated_at: afterMs === 0 ? operation.createdText : timestamp(createdAt + afterMs),
    // int32 in the service; an operation left running for a month would not fit.
    total_duration_ms: Math.min(isMoving ? now - createdAt : afterMs, 2 ** 31 - 1),
  };
  for (const step of steps) {
    if (step.afterMs <= afterMs && isFailure(step.status)) body.failures_count += 1;
  }
  return operation.extra ? { ...body, ...operation.extra } : body;
}

/** A project's operations, kept in order so that a page of many thousands costs no sorting. */
export class OperationList {
  /** Oldest first; of the same age in order of arrival. */
  readonly #byAge: Operation[] = [];
  readonly #byId = new Map<string, Operation>();

  get size(): number {
    return this.#byAge.length;
  }

  add(operation: Operation): void {
    if (this.#byId.has(operation.id)) throw new Error(`operation ${operation.id} is there already`);
    this.#byId.set(operation.id, operation);
    this.#byAge.splice(this.#firstAfter(operation.createdAt), 0, operation);
  }

  remove(operation: Operation): void {
    if (this.#byId.delete(operation.id)) this.#byAge.splice(this.#byAge.indexOf(operation), 1);
  }

  /** The operation, if it has been created by `now`. */
  get(id: string, now: number): Operation | undefined {
    const operation = this.#byId.get(id);
    return operation && operation.createdAt <= now ? operation : undefined;
  }

  /**
   * Up to `limit` operations that are listed at `now`, strictly older (newest first) or newer than `cursor`.
   * Strictly: of two that share a timestamp at the edge of a page the second is lost, as in the real service.
   */
  page(request: {
    now: number;
    limit: number;
    order: Settings['order'];
    cursor?: number | undefined;
  }): Operation[] {
    const { now, limit, order, cursor } = request;
    const found: Operation[] = [];
    const step = order === 'newest-first' ? -1 : 1;
    let index =
      step < 0
        ? (cursor === undefined ? this.#byAge.length : this.#firstFrom(cursor)) - 1
        : cursor === undefined
          ? 0
          : this.#firstAfter(cursor);
    for (; found.length < limit; index += step) {
      const operation = this.#byAge[index];
      if (!operation) break;
      if (operation.createdAt <= now && operation.listedFrom <= now) found.push(operation);
    }
    return found;
  }

  #firstAfter(time: number): number {
    return this.#search((operation) => operation.createdAt > time);
  }

  #firstFrom(time: number): number {
    return this.#search((operation) => operation.createdAt >= time);
  }

  #search(isBeyond: (operation: Operation) => boolean): number {
    let low = 0;
    let high = this.#byAge.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const operation = this.#byAge[middle];
      if (operation && isBeyond(operation)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
