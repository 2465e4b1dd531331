import type { CallOptions, ControlApi } from '../control-api/client.ts';
import { ControlApiError } from '../control-api/errors.ts';
import { readPages } from '../control-api/pages.ts';
import type { Operation } from '../control-api/schemas.ts';
import { oneLine } from '../text.ts';

/** The page sizes that are asked for, each after the one before was answered with a 400. */
const LIMITS = [1000, 100, 10] as const;

/** What a listing was like, for judging how certain it is. */
export interface Listing {
  /** Pages that held anything new. */
  readonly pages: number;
  /** A cursor was followed, if only to an empty page: an operation may lie behind the edge of a page. */
  readonly followed: boolean;
  /** A page was as large as had been asked for. */
  readonly full: boolean;
  /** Operations on the largest page; a service may give fewer than are asked for. */
  readonly largest: number;
}

/** Takes in a page of operations that no earlier page held; answers whether the rest does not matter. */
export type OnPage = (operations: readonly Operation[]) => boolean;

export interface ListingOptions {
  /** Called where a listing begins, also where it begins anew with smaller pages. */
  readonly begin: () => OnPage;
  /** An earlier listing: this one asks with another page size, so that the edges of its pages lie elsewhere. */
  readonly unlike?: Listing;
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
   */
  async read(projectId: string, options: ListingOptions, call: CallOptions): Promise<Listing> {
    for (;;) {
      const limit = LIMITS[this.#limit] ?? 10;
      try {
        return await this.#readWith(projectId, limit, options, call);
      } catch (error) {
        const tooLarge =
          error instanceof ControlApiError && (error.status === 400 || error.status === 422);
        if (!tooLarge || this.#limit + 1 >= LIMITS.length) throw error;
        // Another reader may have stepped down in the meantime.
        if (LIMITS[this.#limit] === limit) this.#limit += 1;
      }
    }
  }

  async #readWith(
    projectId: string,
    limit: number,
    { begin, unlike }: ListingOptions,
    call: CallOptions,
  ): Promise<Listing> {
    const onPage = begin();
    const size = unlike ? otherSize(Math.min(limit, unlike.largest)) : limit;
    let requests = 0;
    let largest = 0;
    const pages = readPages(
      async (cursor) => {
        const page = await this.#api.listOperations(projectId, { limit: size, cursor }, call);
        requests += 1;
        largest = Math.max(largest, page.operations.length);
        return { items: page.operations, cursor: page.pagination?.cursor };
      },
      ({ id }) => id,
      `list the operations of project ${oneLine(projectId, 120)}`,
    );
    let count = 0;
    for await (const items of pages) {
      count += 1;
      if (onPage(items)) break;
    }
    return { pages: count, followed: requests > 1, full: largest >= size, largest };
  }
}

/** A page size whose edges meet those of `size` as late as can be: nothing divides both. */
function otherSize(size: number): number {
  if (size === 1) return 2;
  let other = Math.max(1, Math.floor(0.7 * size));
  while (other > 1 && gcd(size, other) > 1) other -= 1;
  return other;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
