import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { code, diagramName, plain, table } from '../../src/runner/markdown.ts';
import { oneLine } from '../../src/text.ts';
import { hostileText } from '../support/hostile-text.ts';

/** The text that a browser shows for character references. */
function shown(markdown: string): string {
  return markdown.replace(/&#(\d+);/g, (_reference, number) =>
    String.fromCodePoint(Number(number)),
  );
}

/** What is left for Markdown and HTML to obey when the character references are taken out. */
function obeyed(markdown: string): string {
  return markdown.replace(/&#\d+;/g, '\u00b7');
}

/** Characters and beginnings that mean something to GitHub's Markdown, to HTML, or make links, mentions and emoji. */
const MEANING = /[|<>`*#[\]~@$\\&\r\n!{}^="+/:]|www\.|(^|[^\p{L}\p{N}])_|_($|[^\p{L}\p{N}])/u;

describe('text from outside in a summary', () => {
  test('is shown as it was, on one line, and obeyed in nothing', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const markdown = plain(text);
        expect(obeyed(markdown)).not.toMatch(MEANING);
        expect(shown(markdown)).toBe(oneLine(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('as code is one element of code', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const [, inside = '?'] = /^<code>(.*)<\/code>$/.exec(code(text)) ?? [];
        expect(obeyed(inside)).not.toMatch(MEANING);
        expect(shown(inside)).toBe(oneLine(text, 120));
      }),
      { numRuns: 500 },
    );
  });

  test('that is long is cut before it is written as numbers, so that none is cut in two', () => {
    const markdown = plain('<'.repeat(100), 10);
    expect(markdown).toBe(`${'&#60;'.repeat(9)}&#8230;`);
    expect(shown(markdown)).toHaveLength(10);
  });

  test('at the begin of a line makes no list, and no link wherever it is', () => {
    expect(['- a', '1. a', '12) a', 'www.9x.example', 'WWW.…'].map((text) => plain(text))).toEqual([
      '&#45; a',
      '1&#46; a',
      '12&#41; a',
      'www&#46;9x&#46;example',
      'WWW&#46;&#8230;',
    ]);
  });

  test('that is ordinary stays readable', () => {
    for (const text of ['create_branch', 'Größe (3), br-1; it isn’t', 'v1. Next', '数据库'])
      expect(shown(plain(text))).toBe(text);
    expect(plain('create_branch br-cool-1 (a, b); c. D')).toBe(
      'create_branch br-cool-1 (a, b); c. D',
    );
    expect(plain('example.com')).not.toBe('example.com');
  });
});

describe('a table', () => {
  test('keeps its rows and columns, whatever is in its cells', () => {
    const cells = fc.array(hostileText(), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(cells, { minLength: 1, maxLength: 4 }), (rows) => {
        const markdown = table(
          ['A', 'B', 'C'],
          rows.map((row) => row.map((text) => code(text))),
        );
        const lines = markdown.split(/\r\n|[\r\n\u0085\u2028\u2029]/);
        expect(lines.slice(0, 2)).toEqual(['| A | B | C |', '| --- | --- | --- |']);
        expect(lines).toHaveLength(rows.length + 2);
        for (const line of lines) expect(line.split('|')).toHaveLength(5);
      }),
    );
  });
});

describe('a name in a diagram', () => {
  test('is plain letters, never empty and never too long', () => {
    fc.assert(
      fc.property(hostileText(), fc.integer({ min: 7, max: 60 }), (text, longest) => {
        const name = diagramName(text, longest);
        expect(name).toMatch(/^[A-Za-z0-9_.-]([A-Za-z0-9_ .-]*)$/);
        expect(name.length).toBeLessThanOrEqual(longest);
      }),
      { numRuns: 500 },
    );
  });

  test('that is ordinary stays', () => {
    expect(diagramName('create_branch 8c5b1f60')).toBe('create_branch 8c5b1f60');
    expect(diagramName('数据库')).toBe('unnamed');
  });
});
