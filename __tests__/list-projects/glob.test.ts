import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matchesGlob } from '../../src/list-projects/glob.ts';
import { hostileText } from '../support/hostile-text.ts';

describe('a glob', () => {
  test.each([
    ['shop', 'shop', true],
    ['shop', 'shops', false],
    ['shop', 'a shop', false],
    ['shop', 'Shop', false],
    ['shop-*', 'shop-', true],
    ['*-eu', 'shop-eu', true],
    ['*-eu', 'shop-eu-1', false],
    ['*o*', 'shop', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['sh?p', 'shop', true],
    ['sh?p', 'shp', false],
    ['???', 'ab', false],
    ['?', '😀', true],
    ['*', '', true],
    ['**', 'a/b', true],
    ['?', '', false],
    ['', '', true],
    ['', 'a', false],
    ['*?', 'a', true],
    ['*?*', '', false],
    ['a*a', 'a', false],
  ])('%j on %j: %s', (glob, text, matches) => {
    expect(matchesGlob(glob, text)).toBe(matches);
  });

  test('takes everything but * and ? as it stands', () => {
    for (const text of [
      'a/b',
      '.a',
      'a.b',
      '{a,b}',
      '[ab]',
      '@(a|b)',
      '+(a)',
      '!a',
      '\\a',
      '^a$',
      'a\nb',
    ]) {
      expect(matchesGlob(text, text)).toBe(true);
      expect(matchesGlob('*', text)).toBe(true);
    }
    for (const [glob, text] of [
      ['{a,b}', 'a'],
      ['[ab]', 'a'],
      ['a.b', 'axb'],
      ['@(a|b)', 'a'],
      ['!a', 'b'],
      ['\\*', '*'],
      ['a|b', 'a'],
    ] as const)
      expect([glob, matchesGlob(glob, text)]).toEqual([glob, false]);
  });

  test('agrees with the regular expression it means, on short texts', () => {
    const piece = fc.constantFrom('a', 'b', '*', '?', '.', '😀');
    const short = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(short, short, (glob, text) => {
        const source = glob.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
        expect(matchesGlob(glob, text)).toBe(new RegExp(`^${source}$`, 'su').test(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('matches any text that it is made from', () => {
    fc.assert(
      fc.property(hostileText(), hostileText(), (one, other) => {
        fc.pre(!/[*?]/.test(one + other));
        // Halves of a character that meet make one.
        fc.pre((one + other).isWellFormed());
        expect(matchesGlob(`${one}*${other}`, `${one}x${other}`)).toBe(true);
        expect(matchesGlob(`${one}?${other}`, `${one}x${other}`)).toBe(true);
        expect(matchesGlob(`${one}${other}`, `${one}${other}`)).toBe(true);
      }),
    );
  });

  test('answers at once, whatever it is', () => {
    const long = 'a'.repeat(20_000);
    const begin = performance.now();
    expect(matchesGlob('*a*a*a*a*a*a*a*a*b', long)).toBe(false);
    expect(matchesGlob(`${'*a'.repeat(50)}*b`, long)).toBe(false);
    expect(matchesGlob('*?*?*?*?*?*b', long)).toBe(false);
    expect(performance.now() - begin).toBeLessThan(1000);
  });
});
