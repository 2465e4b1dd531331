import type { Clock } from '../clock.ts';
import type { CallOptions } from '../control-api/client.ts';
import type { Operation } from '../control-api/schemas.ts';
import { type Collected, Finder, type Findings } from './discovery.ts';

import type { Observe } from './events.ts';
import type { Ledger, Watched } from './ledger.ts';
import type { Listing, Listings, OnPage } from './listing.ts';
import type { Look, Looker } from './look.ts';
import { type Reader, throwGravest } from './reader.ts';
import { FIRST_GAP_MS } from './schedule.ts';
import type { Discovery } from './settings.ts';

export interface LookAroundParts {
  readonly discovery: Discovery;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly reader: Reader;
  readonly listings: Listings;
  /** When the step began, by the service's clock; asked after the first answer. */
  readonly beganAt: () => number;
  readonly observe: Observe;
}

/**
 * Looks for operations in a project's listing, until the project or branch is idle: all that was unfinished has ended, and
 * a fresh listing shows nothing unfinished.
 */
export class LookAround implements Looker {
  readonly #parts: LookAroundParts;
  readonly #toldStuck = new Set<string>();
  #finder: Finder | undefined;
  /** Required actions that the last listing did not show ended. */
  #missing: readonly string[] = [];
  /** When a look last showed an end, on the monotonic clock. */
  #endSeenAt = Number.NEGATIVE_INFINITY;

  constructor(parts: LookAroundParts) {
    this.#parts = parts;
  }

  async look(call: CallOptions, last: boolean): Promise<Look> {
    const { clock } = this.#parts;
    const soon = clock.monotonic() - this.#endSeenAt < FIRST_GAP_MS;
    const look = await this.#look(call, last);
    if (look.fresh) this.#endSeenAt = clock.monotonic();
    // The deadline may cut the pause short: too soon to be a fresh look.
    return look.done && soon ? { ...look, done: false, fresh: true } : look;
  }

  async #look(call: CallOptions, last: boolean): Promise<Look> {
    const { look, listing } = await this.#lookOnce(call);
    if (!look.done || !listing?.followed) return look;
    // Cursors are timestamps and two operations can share one: the second may lie behind the edge of a page.
    if (last && (listing.pages > 1 || listing.full)) return { ...look, done: false, fresh: true };
    return (await this.#lookOnce(call, listing)).look;
  }

  async #lookOnce(call: CallOptions, unlike?: Listing): Promise<{ look: Look; listing?: Listing }> {
    const { discovery, ledger, reader, listings } = this.#parts;
    let collected: Collected | undefined;
    const begin = (): OnPage => {
      collected = undefined;
      return (page) => {
        // After the first answer, because only then the service's clock is known.
        collected ??= this.#finding().collect();
        return collected.take(page);
      };
    };
    const options = unlike === undefined ? { begin } : { begin, unlike };
    const listing = await reader.listing(discovery.projectId, () =>
      listings.read(discovery.projectId, options, call),
    );
    if (listing === undefined) return { look: { done: false, missing: this.#missing } };
    const operations = (collected as Collected | undefined)?.operations ?? [];
    const findings = this.#finding().take(operations);
    this.#tellStuck(findings);
    this.#record(findings);
    const faults = await reader.readByIds(this.#unlisted(operations), call);
    const ended = reader.flush();
    throwGravest(faults);
    const { missing, before } = findings;
    this.#missing = missing;
    const settled = ledger.with('pending').length === 0;
    // An end seen just now may be the begin of the next operation. What had ended before the step began is no such end.
    const news = ended.some(({ operation }) => !before.has(operation.id));
    const fresh = settled && missing.length === 0 && news;
    const done = settled && missing.length === 0 && !fresh;
    return { look: { done, fresh, missing }, listing };
  }

  #finding(): Finder {
    this.#finder ??= new Finder(this.#parts.discovery, this.#parts.beganAt());
    return this.#finder;
  }

  #record({ watch, inScope }: Findings): void {
    const { discovery, ledger, reader } = this.#parts;
    for (const { id } of watch) ledger.watch({ projectId: discovery.projectId, id });
    for (const operation of inScope) {
      const watched = ledger.get(discovery.projectId, operation.id);
      if (watched) reader.record(watched, operation);
    }
  }

  /** Pending operations that the listing did not show. */
  #unlisted(operations: readonly Operation[]): Watched[] {
    const listed = new Set(operations.map(({ id }) => id));
    return this.#parts.ledger.with('pending').filter(({ id }) => !listed.has(id));
  }

  #tellStuck({ stuck }: Findings): void {
    const ids = stuck.map(({ id }) => id).filter((id) => !this.#toldStuck.has(id));
    for (const id of ids) this.#toldStuck.add(id);
    if (ids.length > 0) this.#parts.observe({ type: 'stuck', ids });
  }
}
