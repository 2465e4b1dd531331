import pMap from 'p-map';
import type { Clock } from '../clock.ts';
import type { CallOptions, ControlApi } from '../control-api/client.ts';
import { ControlApiError, isPassing } from '../control-api/errors.ts';
import { oneLine } from '../text.ts';
import type { Observe } from './events.ts';
import type { Change, Ledger, Watched } from './ledger.ts';
import { WaitProblem } from './problem.ts';
import type { SeenOperation } from './settings.ts';
import { isKnownStatus } from './status.ts';

/** Requests in flight at once; the throttle decides how many a second. */
const WIDTH = 8;
/** A "not found" may be a service that does not know a new operation everywhere yet. */
const MOST_MISSES = 3;

export interface ReaderParts {
  readonly api: ControlApi;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly observe: Observe;
}

/** A project that was not found, in how many looks in a row and how the last one ended. */
interface Missed {
  readonly misses: number;
  readonly error: ControlApiError;
}

/** Brings the ledger up to date, and counts what a look did not find. */
export class Reader {
  readonly #parts: ReaderParts;
  readonly #unknownStatuses = new Set<string>();
  readonly #missedProjects = new Map<string, Missed>();
  readonly #foundProjects = new Set<string>();
  #changes: Change[] = [];

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  /** Writes down what was seen of an operation. */
  record(watched: Watched, seen: SeenOperation): void {
    const { ledger, clock, observe } = this.#parts;
    watched.found = true;
    this.#foundProjects.add(watched.projectId);
    const change = ledger.record(watched, seen, clock.monotonic());
    if (change) this.#changes.push(change);
    const status = seen.status ?? '';
    if (!isKnownStatus(status) && !this.#unknownStatuses.has(status)) {
      this.#unknownStatuses.add(status);
      observe({ type: 'unknown-status', status, operation: watched });
    }
  }

  /** Tells the changes of this look, and returns those that ended an operation. */
  flush(): readonly Change[] {
    const changes = this.#changes.sort((a, b) => a.operation.place - b.operation.place);
    this.#changes = [];
    if (changes.length > 0) this.#parts.observe({ type: 'changed', changes });
    return changes.filter(({ ended }) => ended);
  }

  /**
   * Reads operations one by one.
   * @returns the faults; a WaitProblem for one that was not found in three looks in a row
   */
  readByIds(operations: readonly Watched[], call: CallOptions): Promise<readonly unknown[]> {
    return inParallel(operations, async (watched) => {
      try {
        this.record(
          watched,
          await this.#parts.api.getOperation(watched.projectId, watched.id, call),
        );
      } catch (error) {
        if (!isNotFound(error)) throw error;
        watched.missed += 1;
        if (watched.missed >= MOST_MISSES) throw notFound(watched, error);
      }
    });
  }

  /**
   * Runs a project's listing; a 404 counts as a look that found nothing.
   * @returns undefined when the project was not found this time
   * @throws WaitProblem when it was not found in three looks in a row
   */
  async listing<Result>(
    projectId: string,
    read: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      const result = await read();
      this.#missedProjects.delete(projectId);
      this.#foundProjects.add(projectId);
      return result;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const misses = (this.#missedProjects.get(projectId)?.misses ?? 0) + 1;
      this.#missedProjects.set(projectId, { misses, error });
      if (misses < MOST_MISSES) return undefined;
      throw new WaitProblem(
        'Project not found',
        `Project ${projectId} was not found in ${MOST_MISSES} looks: ${error.finding}. Check project-id and base-url, and that the API key belongs to the project's account.`,
      );
    }
  }

  /** Projects that the last looks did not find, and no look before them. */
  get unknownProjects(): readonly string[] {
    return [...this.#missedProjects.keys()].filter((id) => !this.#foundProjects.has(id));
  }

  /** Why the last look did not find a project. */
  get projectFault(): ControlApiError | undefined {
    return this.#missedProjects.values().next().value?.error;
  }
}

/**
 * Works on `items` a few at a time and does not stop at the first fault, so that one project's outage hides nothing of
 * the others.
 * @returns the faults
 */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<readonly unknown[]> {
  const faults: unknown[] = [];
  await pMap(items, (item) => work(item).catch((fault) => faults.push(fault)), {
    concurrency: WIDTH,
  });
  return faults;
}

/** Throws the gravest of the faults, if there are any: one that does not pass before one that does. */
export function throwGravest(faults: readonly unknown[]): void {
  if (faults.length === 0) return;
  throw faults.find((fault) => !isPassing(fault)) ?? longestPause(faults);
}

/** The fault that asks for the longest pause. */
function longestPause(faults: readonly unknown[]): unknown {
  const pause = (fault: unknown): number =>
    fault instanceof ControlApiError ? (fault.retryAfterMs ?? 0) : 0;
  return faults.reduce((longest, fault) => (pause(fault) > pause(longest) ? fault : longest));
}

function isNotFound(error: unknown): error is ControlApiError {
  return error instanceof ControlApiError && error.kind === 'not-found';
}

function notFound({ id, projectId }: Watched, { finding }: ControlApiError): WaitProblem {
  return new WaitProblem(
    'Operation not found',
    `Operation ${id} of project ${projectId} was not found in ${MOST_MISSES} looks: ${oneLine(finding, 400)}. Check the operation id, the project id and base-url, and that the API key belongs to the project's account.`,
  );
}
