import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSafeId, segment, UnsafeIdError } from '../../src/control-api/paths.ts';
import { oneLine } from '../../src/text.ts';
import { anyText, hostileText } from '../support/hostile-text.ts';

const UNSAFE = [
  ...['', '.', '..', '/', 'a/b', '../x', 'a/../b', '..\\x', 'a\\b', '?x', 'a?b', '#', 'a#b'],
  ...['%2e%2e', '%2F', 'a%00', ' ', 'a b', 'a\n', '\na', 'a\r\nHost: x', 'a\tb', 'a\u0000'],
  ...['é', 'ａ', '\u2025', 'a\u200b', 'a;b', 'a@b', 'a:b', 'a+b', 'a&b=c', '*', '"', '<'],
];

describe('an id', () => {
  test.each([
    'a',
    'aged-salad-686906',
    '12',
    '8c5b1f60-3f5b-4d2a-9e4e-8f2f0a1b2c3d',
    '...',
    '~',
    'a..b',
    '.a',
    '_',
  ])('%s is one segment of a path, as it stands', (id) => {
    expect(segment('project id', id)).toBe(id);
  });

  test.each(UNSAFE)('%j is refused, by what it is for', (id) => {
    expect(() => segment('operation id', id)).toThrow(UnsafeIdError);
    expect(() => segment('operation id', id)).toThrow(/^The operation id .*"aged-salad-686906"/);
  });

  test('whatever it is, it stays where it was put in the URL, or is refused', () => {
    const id = fc.oneof(
      hostileText(),
      anyText(),
      fc.stringMatching(/^[A-Za-z0-9._~%/\\?#;-]{0,6}$/),
    );
    fc.assert(
      fc.property(id, (text) => {
        if (!isSafeId(text)) {
          expect(() => segment('id', text)).toThrow(UnsafeIdError);
          return;
        }
        const url = new URL(`https://h.example/api/v2/projects/${segment('id', text)}/operations`);
        expect(url.pathname).toBe(`/api/v2/projects/${text}/operations`);
        expect(url.search + url.hash).toBe('');
      }),
      { numRuns: 500 },
    );
  });

  test('is shown harmless and short where it is refused', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const { message } = new UnsafeIdError('id', text.repeat(5));
        expect(oneLine(message, 1000)).toBe(message);
        expect(message.length).toBeLessThan(700);
      }),
    );
  });
});
