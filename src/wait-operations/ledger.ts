import type { GivenOperation, SeenOperation } from './settings.ts';
import { type Meaning, mayRecover, meaningOf } from './status.ts';

export type Outcome = 'pending' | 'finished' | 'failed';

/** One watched operation and what is known of it. */
export interface Watched {
  readonly projectId: string;
  readonly id: string;
  /** Its place among the watched, in the order in which they were added. */
  readonly place: number;
  /** As last seen; undefined until then. */
  seen: SeenOperation | undefined;
  outcome: Outcome;
  /** When it was first seen failed, on the monotonic clock; undefined while it is not. */
  failedAt: number | undefined;
  /** Looks in a row that answered "not found". */
  missed: number;
  /** Whether the service itself has ever shown it. */
  found: boolean;
}

/** What a look changed about one operation. */
export interface Change {
  readonly operation: Watched;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** It ended with this look. */
  readonly ended: boolean;
  /** It is failed, and `failed-grace` runs. */
  readonly inGrace: boolean;
}

/**
 * The book of the wait: which operations are watched, and how each of them stands. It knows nothing of HTTP and asks no
 * clock.
 */
export class Ledger {
  readonly #graceMs: number;
  readonly #watched = new Map<string, Watched>();

  /** @param graceMs how long a failed operation must stay failed before it counts */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** Adds an operation; one that is already watched stays as it is, so that an id counts once. */
  watch({ projectId, id }: Pick<GivenOperation, 'projectId' | 'id'>): Watched {
    const key = `${projectId}/${id}`;
    let watched = this.#watched.get(key);
    if (watched === undefined) {
      watched = {
        projectId,
        id,
        place: this.#watched.size,
        seen: undefined,
        outcome: 'pending',
        failedAt: undefined,
        missed: 0,
        found: false,
      };
      this.#watched.set(key, watched);
    }
    return watched;
  }

  get(projectId: string, id: string): Watched | undefined {
    return this.#watched.get(`${projectId}/${id}`);
  }

  /**
   * Takes in what was seen of an operation at `now` (monotonic milliseconds).
   * @returns the change, or undefined when it stands as before
   */
  record(watched: Watched, seen: SeenOperation, now: number): Change | undefined {
    // A failure that counted is not taken back; one that had finished and is unfinished again is waited for again.
    if (watched.outcome === 'failed') return undefined;
    const before = { status: statusOf(watched), outcome: watched.outcome };
    watched.seen = seen;
    watched.missed = 0;
    watched.outcome = this.#outcome(watched, now);
    const status = statusOf(watched);
    if (status === before.status && watched.outcome === before.outcome) return undefined;
    return {
      operation: watched,
      from: before.status,
      to: status,
      ended: before.outcome === 'pending' && watched.outcome !== 'pending',
      inGrace: watched.outcome === 'pending' && watched.failedAt !== undefined,
    };
  }

  #outcome(watched: Watched, now: number): Outcome {
    const status = statusOf(watched);
    const meaning: Meaning = meaningOf(status);
    if (meaning !== 'failed') {
      watched.failedAt = undefined;
      return meaning === 'finished' ? 'finished' : 'pending';
    }
    watched.failedAt ??= now;
    const waits = mayRecover(status) && now - watched.failedAt < this.#graceMs;
    return waits ? 'pending' : 'failed';
  }

  /** In the order in which they were added. */
  all(): Watched[] {
    return [...this.#watched.values()];
  }

  with(outcome: Outcome): Watched[] {
    return this.all().filter((watched) => watched.outcome === outcome);
  }

  get size(): number {
    return this.#watched.size;
  }

  /** The monotonic moment at which the next failed operation's grace is over; undefined when none waits. */
  nextGraceEnd(): number | undefined {
    const ends = this.with('pending').flatMap(({ failedAt }) =>
      failedAt === undefined ? [] : [failedAt + this.#graceMs],
    );
    return ends.length === 0 ? undefined : Math.min(...ends);
  }
}

function statusOf({ seen }: Watched): string | undefined {
  return seen?.status ?? undefined;
}
