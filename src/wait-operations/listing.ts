import type { CallOptions, ControlApi } from '../control-api/client.ts';
import { ControlApiError } from '../control-api/errors.ts';
import { readPages } from '../control-api/pages.ts';
import type { Operation } from '../control-api/schemas.ts';

/** The page sizes that are asked for, each after the one before was answered with a 400. */
const LIMITS = [1000, 100, 10] as const;

export interface ListingOptions {
  /** Takes in a page of operations that no earlier page held; answers whether the rest does not matter. */
  readonly onPage: (operations: readonly Operation[]) => boolean;
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

  /**
   * Reads every page, or until there is enough. Pages are handed on and not kept: a project may have a million operations.
   * @returns how many pages held anything new; an empty page behind the last does not count
   */
  async read(projectId: string, options: ListingOptions, call: CallOptions): Promise<number> {
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
    { onPage, otherLimit }: ListingOptions,
    call: CallOptions,
  ): Promise<number> {
    const size = otherLimit ? Math.floor(limit * 0.7) : limit;
    const pages = readPages(
      async (cursor) => {
        const page = await this.#api.listOperations(projectId, { limit: size, cursor }, call);
        return { items: page.operations, cursor: page.pagination?.cursor };
      },
      ({ id }) => id,
      `list the operations of project ${projectId}`,
    );
    let count = 0;
    for await (const items of pages) {
      count += 1;
      if (onPage(items)) break;
    }
    return count;
  }
}
