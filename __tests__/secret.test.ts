import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findLeaks } from '../harness/leaks.ts';
import { Secret } from '../src/secret.ts';

const VALUE = 'napi_5ecret/key+with=chars.and"quotes"';

/** Keys as services make them. */
const key = fc.stringMatching(/^[\x21-\x7e]{8,60}$/);

describe('a secret', () => {
  const secret = new Secret(VALUE);

  test('gives its value to the one who asks for it', () => {
    expect(secret.reveal()).toBe(VALUE);
  });

  test.each([
    ['a template', `${secret}`],
    ['joined text', ['x', secret].join()],
    ['JSON', JSON.stringify({ secret })],
    ['inspect', inspect({ deep: { secret } }, { depth: 9, showHidden: true })],
    ['an error’s cause', inspect(new Error('x', { cause: secret }))],
    ['spread', JSON.stringify({ ...secret })],
    ['its keys', JSON.stringify(Object.entries(secret))],
  ])('does not show in %s', (_where, text) => {
    expect(text).not.toContain('5ecret');
  });

  test('a copy of it holds nothing', () => {
    expect(inspect(structuredClone({ ...secret }))).not.toContain('5ecret');
  });
});

describe('redact', () => {
  test('takes the value out in every form in which a server echoes it', () => {
    fc.assert(
      fc.property(key, fc.string(), fc.string(), (value, before, after) => {
        const forms = [
          value,
          encodeURIComponent(value),
          Buffer.from(value).toString('base64'),
          Buffer.from(`Bearer ${value}`).toString('base64'),
        ];
        for (const form of forms) {
          const text = new Secret(value).redact(`${before}${form}${after}${form}`);
          expect(text).not.toContain(form);
          expect(text).toContain('***');
        }
      }),
    );
  });

  test('takes it out of whatever findLeaks would find it in', () => {
    const every = (spelt: (code: number) => string) => (value: string) =>
      value.replace(/./gs, (one) => spelt(one.charCodeAt(0)));
    const hex = (code: number): string => code.toString(16);
    const spellings: ((value: string) => string)[] = [
      (value) => Buffer.from(value).toString('hex'),
      (value) => Buffer.from(value).toString('hex').toUpperCase(),
      (value) => encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase()),
      every((code) => `%${hex(code)}`),
      every((code) => `&#${code};`),
      every((code) => `&#x${hex(code)};`),
      every((code) => `\\u00${hex(code)}`),
      (value) => JSON.stringify(value),
      ...['', 'a', 'ab', 'abc', 'user:'].flatMap((before) => [
        (value: string) => Buffer.from(`${before}${value}, and more`).toString('base64'),
        (value: string) => Buffer.from(`${before}${value}`).toString('base64url'),
      ]),
    ];
    fc.assert(
      fc.property(key, fc.constantFrom(...spellings), (value, spell) => {
        const stdout = new Secret(value).redact(`x ${spell(value)} y`);
        expect(stdout).toContain('***');
        const run = { stdout, stderr: '', log: [], summary: '', annotations: [], files: {} };
        expect(findLeaks([value], run)).toEqual([]);
        expect(new Secret(value).mayBeIn(spell(value))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('takes it out without the padding that many leave off, and in the alphabet of URLs', () => {
    const value = 'abc?>key~~!';
    const base64 = Buffer.from(value).toString('base64');
    for (const form of [base64.replace(/=+$/, ''), Buffer.from(value).toString('base64url')])
      expect(new Secret(value).redact(`x ${form} y`)).not.toContain(form);
  });

  test('leaves other text alone', () => {
    fc.assert(
      fc.property(key, fc.stringMatching(/^[ a-z\n]{0,7}$/), (value, text) => {
        expect(new Secret(value).redact(text)).toBe(text);
      }),
    );
  });

  test('a value that is empty hides nothing', () => {
    expect(new Secret('').redact('some text')).toBe('some text');
  });

  test('a value that means something in a pattern or a replacement is only text', () => {
    expect(new Secret('$&.*$1').redact('a $&.*$1 b xx')).toBe('a *** b xx');
  });

  test('does not break at a value that is no well-formed text', () => {
    expect(new Secret('abcdef\ud800').redact('x abcdef\ud800 y')).toBe('x *** y');
  });
});
