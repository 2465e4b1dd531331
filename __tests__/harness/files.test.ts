import { describe, expect, test } from '@jest/globals';
import { readNamedValues, readPaths, summaryError } from '../../harness/files.ts';

describe('files of names and values', () => {
  test('hold name=value lines', () => {
    expect(readNamedValues('a=1\n\nb=2=3\nc=\nd=x<<y\n')).toEqual({
      values: [
        ['a', '1'],
        ['b', '2=3'],
        ['c', ''],
        ['d', 'x<<y'],
      ],
    });
  });

  test('hold values of several lines', () => {
    expect(readNamedValues('a<<EOF\n1\n\nb=2\nEOF\nc<<X\nX\nd<<E=F\n4\nE=F\n')).toEqual({
      values: [
        ['a', '1\n\nb=2'],
        ['c', ''],
        ['d', '4'],
      ],
    });
  });

  test('need no line end after the last delimiter or value', () => {
    expect(readNamedValues('a<<EOF\n1\nEOF').values).toEqual([['a', '1']]);
    expect(readNamedValues('a=1').values).toEqual([['a', '1']]);
  });

  test.each([
    ['a', "Invalid format 'a'"],
    ['=1', 'Name must not be empty'],
    ['<<EOF\n1\nEOF', 'Name must not be empty and delimiter must not be empty'],
    ['a<<\n1\n', 'delimiter must not be empty'],
    ['a<<EOF\n1\n', "Matching delimiter not found 'EOF'"],
    ['a<<EOF\n1\n EOF\n', "Matching delimiter not found 'EOF'"],
    ['a<<EOF\n1', 'EOF marker missing new line'],
  ])('are malformed when they hold %j, but what came before counts', (text, error) => {
    expect(readNamedValues(`before=1\n${text}`)).toEqual({
      values: [['before', '1']],
      error: expect.stringContaining(error),
    });
  });

  test('may be empty', () => {
    expect(readNamedValues('')).toEqual({ values: [] });
  });
});

test('paths are one a line', () => {
  expect(readPaths('/a\n\n/b c\r\n')).toEqual(['/a', '/b c']);
});

test('a summary may have 1 MiB and no byte more', () => {
  expect(summaryError(Buffer.alloc(1024 * 1024))).toBeUndefined();
  expect(summaryError(Buffer.alloc(1024 * 1024 + 1))).toContain('1024k');
});
