import { grouped } from '../text.ts';
import { ControlApiError } from './errors.ts';

/** One answer of a listing. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Passed back to get the next page; absent, null or empty on the last. */
  readonly cursor: string | null | undefined;
}

/** A listing longer than this is taken for one that does not end. */
export const MOST_PAGES = 1000;

/**
 * Reads a listing page by page and yields the items that no earlier page held.
 *
 * The contract does not say how a listing ends. A missing or empty cursor, a cursor seen before, an empty page and a page
 * without anything new all mean the end; a short page does not.
 *
 * @param read fetches the page at `cursor` (undefined: the first)
 * @param idOf tells items apart
 * @param attempt what is being done, for the error
 * @throws ControlApiError of kind `endless` past {@link MOST_PAGES} pages
 */
export async function* readPages<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  idOf: (item: Item) => string,
  attempt: string,
): AsyncGenerator<readonly Item[], void, void> {
  const seenIds = new Set<string>();
  const seenCursors = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await read(cursor);
    const fresh = page.items.filter((item) => {
      const id = idOf(item);
      if (seenIds.has(id)) return false;
      seenIds.add(id);
      return true;
    });
    if (fresh.length === 0) return;
    if (pages > MOST_PAGES) {
      throw new ControlApiError('endless', {
        attempt,
        finding: `the listing did not end after ${grouped(MOST_PAGES)} pages. The service hands out new cursors without an end; report it to its operator`,
      });
    }
    yield fresh;
    if (page.cursor == null || page.cursor === '' || seenCursors.has(page.cursor)) return;
    seenCursors.add(page.cursor);
    cursor = page.cursor;
  }
}
