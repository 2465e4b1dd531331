import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CommandInterpreter } from '../harness/commands.ts';
import { grouped, listed, notACommand, oneLine, plural } from '../src/text.ts';
import { hostileText } from './support/hostile-text.ts';

describe('oneLine', () => {
  test('leaves ordinary text alone, in any script', () => {
    for (const text of [
      'a b',
      'Größe 3 µm',
      '数据库',
      'e\u0301',
      '👩‍🚀'.replace('\u200d', ''),
      'a_b-c',
    ])
      expect(oneLine(text)).toBe(text);
  });

  test.each([
    ['a\nb', 'a b'],
    ['a\r\n\r\nb', 'a b'],
    ['\u001b[31mred\u001b[0m', '[31mred [0m'],
    ['a\u0000b\u007fc\u0085d\u009be', 'a b c d e'],
    ['a\u2028b\u2029c', 'a b c'],
    ['user\u202etxt.exe', 'user txt.exe'],
    ['\ufeff  a \t ', 'a'],
    ['a\u200bb', 'a b'],
    ['a\ud800b\udc00c', 'a b c'],
  ])('makes %j harmless', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });

  test('whatever it is given, it gives one line of visible characters that is long enough and no longer', () => {
    fc.assert(
      fc.property(hostileText(), fc.integer({ min: 1, max: 50 }), (text, longest) => {
        const line = oneLine(text, longest);
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|^\s|\s$|\s\s/u);
        expect([...line].length).toBeLessThanOrEqual(longest);
        expect(line.isWellFormed()).toBe(true);
        expect(oneLine(line, longest)).toBe(line);
      }),
    );
  });

  test('counts characters, not halves of them, and says that something is missing', () => {
    expect(oneLine('😀😀😀', 3)).toBe('😀😀😀');
    expect(oneLine('😀😀😀😀', 3)).toBe('😀😀…');
    expect(oneLine('a'.repeat(10_000_000), 5)).toBe('aaaa…');
  });

  test('says that something is missing, also behind a long stretch of blanks', () => {
    expect(oneLine(`a${' '.repeat(5000)}b`, 5)).toMatch(/^a( b|…)$/);
  });

  test('characters of no width cannot smuggle text past a reader', () => {
    const hidden = [...'secret'].map((letter) =>
      String.fromCodePoint(0xe0000 + letter.charCodeAt(0)),
    );
    expect(oneLine(`a${hidden.join('')}b`)).toBe('a b');
  });
});

describe('notACommand', () => {
  const effects = (line: string) => new CommandInterpreter().line(line, 'stdout');

  test('a line stays as it is unless the runner could obey it', () => {
    for (const line of ['a::error::b', '# [x]', '#[x]', 'time: 5', 'see ::'])
      expect(notACommand(line)).toBe(line);
  });

  test.each([
    '::error::x',
    '  \t::add-mask::x',
    '##[add-mask]x',
    'a ##[error]x',
    '###[error]x',
    '##[group]##[error]x',
    ':::error::x',
    '\u00a0::stop-commands::x',
    '\u3000::error::x',
    '\u0085::error::x',
    '\u0085 \u0085::add-mask::x',
  ])('%j is printed and not obeyed', (line) => {
    expect(effects(notACommand(line))).toEqual([expect.objectContaining({ kind: 'print' })]);
  });

  test('no line makes a command', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        for (const line of text.split(/\r\n|\n|\r/).map(notACommand))
          expect(effects(line)).toEqual([{ kind: 'print', text: line }]);
      }),
      { numRuns: 500 },
    );
  });

  test('what it gives stays harmless when it is put behind other text', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const line = notACommand(`  1.2s  ${oneLine(text)}`);
        expect(effects(line)).toEqual([{ kind: 'print', text: line }]);
      }),
    );
  });
});

describe('numbers and lists in sentences', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [20_000, '20,000'],
    [1_234_567, '1,234,567'],
  ])('%d is %s', (count, text) => {
    expect(grouped(count)).toBe(text);
  });

  test('grouping changes nothing but the look', () => {
    fc.assert(
      fc.property(fc.nat(), (count) => {
        expect(grouped(count)).toBe(count.toLocaleString('en-US'));
      }),
    );
  });

  test('one is singular, nothing else is', () => {
    expect([0, 1, 2, 1000].map((count) => plural(count, 'operation'))).toEqual([
      '0 operations',
      '1 operation',
      '2 operations',
      '1,000 operations',
    ]);
  });

  test.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
    [['a', 'b', 'c', 'd'], 'a, b, c and 1 more'],
  ])('%j reads as %j', (items, text) => {
    expect(listed(items, 3)).toBe(text);
  });
});
