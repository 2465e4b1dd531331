import type { CallOptions } from '../control-api/client.ts';
import { ControlApiError } from '../control-api/errors.ts';
import type { Operation } from '../control-api/schemas.ts';
import type { Ledger, Watched } from './ledger.ts';
import type { Listings } from './listing.ts';
import type { Look, Looker } from './look.ts';
import { inParallel, type Reader, throwGravest } from './reader.ts';

/**
 * Looks at operations whose ids are known. A project's operations are read one by one or with its listing, whichever
 * costs fewer requests; what the listing does not show is read by id.
 */
export class LookAtGiven implements Looker {
  readonly #ledger: Ledger;
  readonly #reader: Reader;
  readonly #listings: Listings;
  /** Requests that the listing of a project cost last time, the reads of what it did not show included. */
  readonly #listingCosts = new Map<string, number>();

  constructor(ledger: Ledger, reader: Reader, listings: Listings) {
    this.#ledger = ledger;
    this.#reader = reader;
    this.#listings = listings;
  }

  async look(call: CallOptions): Promise<Look> {
    const single: Watched[] = [];
    const listed: (readonly [string, readonly Watched[]])[] = [];
    const pending = Map.groupBy(this.#ledger.with('pending'), ({ projectId }) => projectId);
    for (const [projectId, operations] of pending) {
      // The first listing is expected to show all on one page.
      const cost = this.#listingCosts.get(projectId) ?? 1;
      // A listing that could not be read is passed by for one look, not for good.
      if (cost === Number.POSITIVE_INFINITY) this.#listingCosts.delete(projectId);
      if (operations.length > cost) listed.push([projectId, operations]);
      else single.push(...operations);
    }
    const faults = [
      ...(await inParallel(listed, (project) => this.#readListing(project, call, single))),
      // What a listing did not show has joined these.
      ...(await this.#reader.readByIds(single, call)),
    ];
    this.#reader.flush();
    throwGravest(faults);
    return { done: this.#ledger.with('pending').length === 0 };
  }

  async #readListing(
    [projectId, operations]: readonly [string, readonly Watched[]],
    call: CallOptions,
    single: Watched[],
  ): Promise<void> {
    const sought = new Map(operations.map((watched) => [watched.id, watched]));
    let read = 0;
    const onPage = (page: readonly Operation[]): boolean => {
      for (const operation of page) {
        const watched = sought.get(operation.id);
        if (!watched) continue;
        sought.delete(watched.id);
        this.#reader.record(watched, operation);
      }
      read += 1;
      // Another page is worth its request only while more are sought than it costs to read them one by one.
      return sought.size === 0 || read >= operations.length;
    };
    const listing = await this.#reader.listing(projectId, () =>
      this.#listings.read(projectId, { begin: () => onPage }, call).catch((error) => {
        // One operation of the history that is out of shape must not hide the others: read them one by one the next time.
        if (error instanceof ControlApiError && error.kind === 'unreadable') {
          this.#listingCosts.set(projectId, Number.POSITIVE_INFINITY);
        }
        throw error;
      }),
    );
    if (listing === undefined) return;
    this.#listingCosts.set(projectId, Math.max(1, listing.pages + sought.size));
    single.push(...sought.values());
  }
}
