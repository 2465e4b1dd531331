import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson, stringifyJson } from '../../src/control-api/json.ts';

describe('integers keep every digit', () => {
  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['123456789012345678901234567890', 123456789012345678901234567890n],
    ['1e20', 1e20],
    ['12345678901234567890.5', Number('12345678901234567890.5')],
    ['0.12345678901234567890', 0.12345678901234568],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(` {"a":[{"b":${text}}],"c":1}`)).toEqual({ a: [{ b: value }], c: 1 });
  });

  test('and the digits of text are text', () => {
    const json = '{"id":"9007199254740993","9007199254740993":"1234567890123456"}';
    expect(parseJson(json)).toEqual(JSON.parse(json));
  });

  test('every int64 goes through unchanged, wherever it stands', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(fc.array(int64, { minLength: 1, maxLength: 5 }), (ids) => {
        const text = `{"keys":[${ids.map((id) => `{"id":${id},"next":[${id}]}`).join(',')}]}`;
        const parsed = parseJson(text) as { keys: { id: number | bigint; next: unknown[] }[] };
        expect(parsed.keys.map(({ id }) => String(id))).toEqual(ids.map(String));
        expect(stringifyJson(parsed)).toBe(text);
      }),
    );
  });

  test('all other JSON means what it always means', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        expect(stringifyJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  test('indentation is kept, and what is not JSON is refused', () => {
    expect(stringifyJson({ a: 2n ** 60n }, 2)).toBe('{\n  "a": 1152921504606846976\n}');
    for (const text of ['', '{', '{"a":1}x', '<html>', '1234567890123456789x', "{'a':1}"])
      expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});
