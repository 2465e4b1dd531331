import type { Operation } from '../control-api/schemas.ts';
import { parseMoment } from '../moments.ts';
import type { Discovery } from './settings.ts';
import { meaningOf } from './status.ts';

const LOOK_BACK_MS = 24 * 60 * 60 * 1000;
const REQUIRED_LOOK_BACK_MS = 10 * 60 * 1000;
/** So many moments in a row, each before the last, are no chance: the service lists newest first. */
const ORDER_SEEN = 10;
/** The service's clock is known to the second: what ended this much after the begin did end after it. */
const CLOCK_SLACK_MS = 1000;

/** What one complete listing means. */
export interface Findings {
  /** Operations to watch from now on, as listed; those that are watched already may be among them. */
  readonly watch: readonly Operation[];
  /** Every operation in scope, so that the watched ones among them can be brought up to date. */
  readonly inScope: readonly Operation[];
  /** Unfinished, but older than the look-back: nobody works on them any more. */
  readonly stuck: readonly Operation[];
  /** Ids of the watched operations that had ended before the step began. */
  readonly before: ReadonlySet<string>;
  /** Required actions that have not appeared, or whose newest operation has not ended. */
  readonly missing: readonly string[];
}

/**
 * Decides which operations of a project a wait without ids is about. Pure: it is given complete listings and the begin of
 * the step by the service's clock, and remembers only what the first listing held.
 */
export class Finder {
  readonly #discovery: Discovery;
  readonly #beganAt: number;
  readonly #watchFrom: number;
  readonly #countFrom: number | undefined;
  /** Ids that any listing showed unfinished. */
  readonly #unfinished = new Set<string>();
  #first:
    | {
        readonly ids: ReadonlySet<string>;
        readonly newest: number;
      }
    | undefined;

  /** @param beganAt when the step began by the service's clock, in milliseconds since 1970 */
  constructor(discovery: Discovery, beganAt: number) {
    const { since } = discovery;
    this.#discovery = discovery;
    this.#beganAt = beganAt;
    this.#countFrom =
      since === undefined ? undefined : 'at' in since ? since.at : beganAt - since.agoMs;
    this.#watchFrom = Math.min(this.#countFrom ?? beganAt, beganAt - LOOK_BACK_MS);
  }

  /** Takes in a complete listing, of which {@link Collected} kept what matters. */
  take(operations: readonly Operation[]): Findings {
    const inScope = operations.filter((operation) => this.#isInScope(operation));
    for (const one of inScope) if (isUnfinished(one)) this.#unfinished.add(one.id);
    const first = this.#first ?? remember(inScope);
    const isFirst = this.#first === undefined;
    this.#first = first;
    const stuck = inScope.filter((one) => isUnfinished(one) && this.#isOld(one));
    const watch = inScope.filter((one) => {
      if (this.#isOld(one)) return false;
      if (isUnfinished(one)) return true;
      const created = createdAt(one);
      if (this.#countFrom !== undefined && !(created < this.#countFrom)) return true;
      if (isFirst) return this.#endedSinceBegin(one);
      // New since the first look, whatever its status: one that appears and fails between two looks is a failure.
      return !first.ids.has(one.id) && !(created < first.newest);
    });
    const deciding = this.#discovery.requireActions.map((action) => ({
      action,
      operation: this.#deciding(action, inScope),
    }));
    for (const { operation } of deciding) {
      if (operation && !stuck.includes(operation) && !watch.includes(operation))
        watch.push(operation);
    }
    const missing = deciding
      .filter(({ operation }) => !operation || isUnfinished(operation))
      .map(({ action }) => action);
    const before = isFirst ? watch.filter((one) => !this.#endedSinceBegin(one)) : [];
    // People read them in the order in which they happened.
    watch.sort((a, b) => createdAt(a) - createdAt(b));
    return { watch, inScope, stuck, missing, before: new Set(before.map(({ id }) => id)) };
  }

  /** Begins to collect a listing. */
  collect(): Collected {
    return new Collected((operation) => ({
      old: this.#isOld(operation),
      matters: this.#isInScope(operation) && (!this.#isOld(operation) || isUnfinished(operation)),
    }));
  }

  #isInScope({ branch_id, action }: Operation): boolean {
    const { branchId, actions, requireActions } = this.#discovery;
    if (branchId !== undefined && branch_id !== branchId) return false;
    return actions.length === 0 || actions.includes(action) || requireActions.includes(action);
  }

  /** The first look may come late, after an outage. */
  #endedSinceBegin({ updated_at }: Operation): boolean {
    return parseMoment(updated_at) > this.#beganAt + CLOCK_SLACK_MS;
  }

  #isOld(operation: Operation): boolean {
    return createdAt(operation) < this.#watchFrom;
  }

  /** The newest operation of a required action, unless it was never seen unfinished and is not proven to be recent. */
  #deciding(action: string, inScope: readonly Operation[]): Operation | undefined {
    const from = this.#countFrom ?? this.#beganAt - REQUIRED_LOOK_BACK_MS;
    const newest = inScope
      .filter((one) => one.action === action)
      .reduce<Operation | undefined>(
        (best, one) => (best && !isNewer(one, best) ? best : one),
        undefined,
      );
    if (newest === undefined || isUnfinished(newest) || this.#unfinished.has(newest.id))
      return newest;
    return createdAt(newest) >= from ? newest : undefined;
  }
}

/** A listing, page by page. Keeps what can matter, so that a long history costs no memory. */
export class Collected {
  readonly operations: Operation[] = [];
  readonly #judge: (operation: Operation) => { readonly old: boolean; readonly matters: boolean };
  #newestFirst = true;
  #moments = 0;
  #last = Number.POSITIVE_INFINITY;

  constructor(judge: (operation: Operation) => { old: boolean; matters: boolean }) {
    this.#judge = judge;
  }

  /**
   * @returns whether the pages behind this one do not matter: the service is seen to list newest first, and the last
   * operation read is older than anything that is looked for
   */
  take(page: readonly Operation[]): boolean {
    let old = false;
    for (const operation of page) {
      const created = createdAt(operation);
      // An unreadable moment proves no order.
      if (!(created <= this.#last)) this.#newestFirst = false;
      if (created < this.#last) this.#moments += 1;
      this.#last = created;
      const judged = this.#judge(operation);
      old = judged.old;
      if (judged.matters) this.operations.push(operation);
    }
    return old && this.#newestFirst && this.#moments >= ORDER_SEEN;
  }
}

function remember(operations: readonly Operation[]) {
  return {
    ids: new Set(operations.map(({ id }) => id)),
    newest: operations.reduce(
      (newest, one) => Math.max(newest, createdAt(one) || newest),
      Number.NEGATIVE_INFINITY,
    ),
  };
}

/** Of two created in the same moment the one that is not finished counts as the newer. */
function isNewer(one: Operation, other: Operation): boolean {
  const [a, b] = [createdAt(one), createdAt(other)];
  if (a === b || Number.isNaN(a) || Number.isNaN(b)) return meaningOf(other.status) === 'finished';
  return a > b;
}

function isUnfinished({ status }: Operation): boolean {
  return meaningOf(status) === 'in-progress';
}

/** Milliseconds since 1970; NaN where unreadable, which compares as neither older nor newer. */
function createdAt({ created_at }: Operation): number {
  return parseMoment(created_at);
}
