import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ControlApiError } from '../../src/control-api/errors.ts';
import { type Page, readPages } from '../../src/control-api/pages.ts';

/** Reads a listing, at most `most` pages of it; also tells with which cursors it was asked. */
async function readAll(
  page: (cursor: string | undefined, count: number) => Page<string>,
  most = 5000,
) {
  const cursors: (string | undefined)[] = [];
  const read = async (cursor: string | undefined): Promise<Page<string>> => {
    cursors.push(cursor);
    if (cursors.length > most) throw new Error('It was asked for ever.');
    return page(cursor, cursors.length);
  };
  const items: string[] = [];
  for await (const fresh of readPages(read, (id) => id, 'list things')) items.push(...fresh);
  return { items, cursors };
}

describe('a listing ends', () => {
  test.each([undefined, null, ''])('with a cursor that is %j', async (cursor) => {
    const { items, cursors } = await readAll(() => ({ items: ['a'], cursor }));
    expect({ items, cursors }).toEqual({ items: ['a'], cursors: [undefined] });
  });

  test('with an empty page, though it carries a new cursor', async () => {
    const { items, cursors } = await readAll((_cursor, count) => ({
      items: count === 1 ? ['a'] : [],
      cursor: `c${count}`,
    }));
    expect({ items, cursors }).toEqual({ items: ['a'], cursors: [undefined, 'c1'] });
  });

  test('with an empty first page', async () => {
    const { items, cursors } = await readAll(() => ({ items: [], cursor: 'c' }));
    expect({ items, cursors }).toEqual({ items: [], cursors: [undefined] });
  });

  test('with a page without anything new', async () => {
    const { items, cursors } = await readAll((_cursor, count) => ({
      items: ['a', 'b'],
      cursor: `c${count}`,
    }));
    expect({ items, cursors }).toEqual({ items: ['a', 'b'], cursors: [undefined, 'c1'] });
  });

  test('with the same cursor again', async () => {
    const { items, cursors } = await readAll((_cursor, count) => ({
      items: [`i${count}`],
      cursor: 'c',
    }));
    expect({ items, cursors }).toEqual({ items: ['i1', 'i2'], cursors: [undefined, 'c'] });
  });

  test('with an earlier cursor again, a circle', async () => {
    const { cursors } = await readAll((_cursor, count) => ({
      items: [`i${count}`],
      cursor: ['x', 'y', 'z'][(count - 1) % 3],
    }));
    expect(cursors).toEqual([undefined, 'x', 'y', 'z']);
  });

  test('not with a short page, nor with one that repeats a part', async () => {
    const pages = [['a', 'b', 'c'], ['c'], ['d'], ['d', 'a', 'e'], ['f']];
    const { items } = await readAll((_cursor, count) => {
      if (count === 2) return { items: ['c', 'b2'], cursor: '2' };
      return { items: pages[count - 1] ?? [], cursor: String(count) };
    });
    expect(items).toEqual(['a', 'b', 'c', 'b2', 'd', 'e', 'f']);
  });
});

describe('a listing of very many pages', () => {
  const numbered = (last: number) => (_cursor: string | undefined, count: number) => ({
    items: [`i${count}`],
    cursor: count < last ? `c${count}` : undefined,
  });

  test('is read to its end up to a thousand', async () => {
    expect((await readAll(numbered(1000))).items).toHaveLength(1000);
  });

  test.each([1001, Number.POSITIVE_INFINITY])('fails beyond, with %d', async (last) => {
    const error = await readAll(numbered(last)).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ControlApiError);
    expect(error.kind).toBe('endless');
    expect(error.message).toMatch(/^Failed to list things: .*1,000 pages/);
  });
});

test('a reader that has enough asks for no further page', async () => {
  let asked = 0;
  const read = async () => {
    asked += 1;
    return { items: [`i${asked}`], cursor: `c${asked}` };
  };
  for await (const _page of readPages(read, (id) => id, 'list')) if (asked === 3) break;
  expect(asked).toBe(3);
});

test('a fault of a page is passed on', async () => {
  const reading = readAll((_cursor, count) => {
    if (count === 2) throw new Error('page 2');
    return { items: ['a'], cursor: 'c' };
  });
  await expect(reading).rejects.toThrow('page 2');
});

test('every item is given once, in order, however a service cuts and repeats', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.nat({ max: 30 }).map(String), { maxLength: 5 }), { maxLength: 12 }),
      async (pages) => {
        const { items } = await readAll((_cursor, count) => ({
          items: pages[count - 1] ?? [],
          cursor: String(count),
        }));
        const wanted = new Set<string>();
        for (const page of pages) {
          if (page.every((item) => wanted.has(item))) break;
          for (const item of page) wanted.add(item);
        }
        expect(items).toEqual([...wanted]);
      },
    ),
  );
});
