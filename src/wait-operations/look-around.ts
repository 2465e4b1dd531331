import type { CallOptions } from '../control-api/client.ts';
import type { Operation } from '../control-api/schemas.ts';
import { type Collected, Finder, type Findings } from './discovery.ts';

import type { Observe } from './events.ts';
import type { Ledger, Watched } from './ledger.ts';
import type { Listings } from './listing.ts';
import type { Look, Looker } from './look.ts';
import { type Reader, throwGravest } from './reader.ts';
import type { Discovery } from './settings.ts';

export interface LookAroundParts {
  readonly discovery: Discovery;
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

  constructor(parts: LookAroundParts) {
    this.#parts = parts;
  }

  async look(call: CallOptions, last: boolean): Promise<Look> {
    const look = await this.#lookOnce(call, false);
    if (!look.done || look.pages <= 1) return look;
    // Cursors are timestamps and two operations can share one: the second may lie behind the edge of a page.
    if (last) return { ...look, done: false, fresh: true };
    return this.#lookOnce(call, true);
  }

  async #lookOnce(call: CallOptions, otherLimit: boolean): Promise<Look & { pages: number }> {
    const { discovery, ledger, reader, listings } = this.#parts;
    let collected: Collected | undefined;
    const pages = await reader.listing(discovery.projectId, () => {
      // A listing that is begun anew, with smaller pages, is collected anew.
      collected = undefined;
      const onPage = (page: readonly Operation[]): boolean => {
        collected ??= this.#finding().collect();
        return collected.take(page);
      };
      return listings.read(discovery.projectId, { onPage, otherLimit }, call);
    });
    if (pages === undefined) return { done: false, pages: 0 };
    const operations = collected?.operations ?? [];
    const findings = this.#finding().take(operations);
    this.#tellStuck(findings);
    this.#record(findings);
    const faults = await reader.readByIds(this.#unlisted(operations), call);
    const ended = reader.flush();
    throwGravest(faults);
    const { missing, before } = findings;
    const settled = ledger.with('pending').length === 0;
    // An end seen just now may be the begin of the next operation. What had ended before the step began is no such end.
    const news = ended.some(({ operation }) => !before.has(operation.id));
    const fresh = settled && missing.length === 0 && news;
    return {
      done: settled && missing.length === 0 && !fresh,
      fresh,
      missing,
      pages,
    };
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
