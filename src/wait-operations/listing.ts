import type { CallOptions, ControlApi } from '../control-api/client.ts';
import { ControlApiError } from '../control-api/errors.ts';
import { readPages } from '../control-api/pages.ts';
import type { Operation } from '../control-api/schemas.ts';

/** The page sizes that are asked for, each after the one before was answered with a 400. */
const LIMITS = [1000, 100, 10] as const;

export interface Listing {
  readonly operations: readonly Operation[];
  /** Pages that held anything new; an empty page behind the last does not count. */
  readonly pages: number;
}

export interface ListingOptions {
  /** Asked after each page, with all that was read so far: whether the rest does not matter. */
  readonly enough?: (operations: readonly Operation[]) => boolean;
  /** Asks with another page size, so that the edges of the pages lie elsewhere. */
  readonly otherLimit?: boolean;
}

/** Reads the operations of projects, with the largest pages that the service takes. */
export class Listings {
  readonly #api: ControlApi;
  #limit = 0;

  constructor(api: ControlApi) {
    this.#api = api;
  }

  /** Reads every page, or until there is enough. */
  async read(projectId: string, options: ListingOptions, call: CallOptions): Promise<Listing> {
    for (;;) {
      const limit = LIMITS[this.#limit] ?? 10;
      try {
        return await this.#readWith(projectId, limit, options, call);
      } catch (error) {
        const tooLarge = error instanceof ControlApiError && error.status === 400;
        if (!tooLarge || this.#limit + 1 >= LIMITS.length) throw error;
        // Another reader may have stepped down in the meantime.
        if (LIMITS[this.#limit] === limit) this.#limit += 1;
      }
    }
  }

  async #readWith(
    projectId: string,
    limit: number,
    { enough, otherLimit }: ListingOptions,
    call: CallOptions,
  ): Promise<Listing> {
    const size = otherLimit ? Math.floor(limit * 0.7) : limit;
    const pages = readPages(
      async (cursor) => {
        const page = await this.#api.listOperations(projectId, { limit: size, cursor }, call);
        return { items: page.operations, cursor: page.pagination?.cursor };
      },
      ({ id }) => id,
      `list the operations of project ${projectId}`,
    );
    const operations: Operation[] = [];
    let count = 0;
    for await (const items of pages) {
      for (const item of items) operations.push(item);
      count += 1;
      if (enough?.(operations)) break;
    }
    return { operations, pages: count };
  }
}
