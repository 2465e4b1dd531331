import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Masker } from '../../harness/mask.ts';

function masking(...secrets: string[]): (text: string) => string {
  const masker = new Masker();
  for (const secret of secrets) masker.add(secret);
  return (text) => masker.mask(text);
}

describe('a masked value', () => {
  test('is hidden wherever it stands', () => {
    expect(masking('s3cret')('a s3cret, s3crets3cret b')).toBe('a ***, *** b');
  });

  test('stays readable when nobody registered it, and when a letter differs in case', () => {
    expect(masking()('s3cret')).toBe('s3cret');
    expect(masking('s3cret')('S3CRET')).toBe('S3CRET');
  });

  test.each([0, 1, 2])('is hidden in base64 after %i bytes', (before) => {
    const secret = 'napi_0123456789abcdef';
    const text = `${'x'.repeat(before)}${secret}`;
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(text).toString(encoding);
      const masked = masking(secret)(encoded);
      expect(masked).toContain('***');
      // At most the digits that it shares with what stands before it are left.
      expect(encoded.length - masked.length).toBeGreaterThan(secret.length);
    }
  });

  test.each([
    ['JSON', 'a"b\\c', JSON.stringify('a"b\\c')],
    ['a URL', 'a b/c(d)*', 'a%20b%2Fc%28d%29%2A'],
    ['XML', `a<b>&"'c`, 'a&lt;b&gt;&amp;&quot;&apos;c'],
    ['a command line', 'a"b', 'a\\"b'],
    ['an expression', "a'b", "a''b"],
  ])('is hidden as escaped for %s', (_where, secret, escaped) => {
    expect(masking(secret)(`(${escaped})`)).not.toContain(escaped.replaceAll('"', ''));
    expect(masking(secret)(`(${escaped})`)).toContain('***');
  });

  test('is hidden without the double quotes around it', () => {
    expect(masking('"long secret"')('long secret')).toBe('***');
    expect(masking('"short"')('short')).toBe('short');
  });

  test('is hidden in the two pieces into which PowerShell tears it', () => {
    expect(masking('first&second&third1')('first&second& third1')).toBe('*** ***');
    expect(masking('first&+second')('first&+ econd')).toBe('*** econd');
  });

  test('of several lines is hidden line by line as well', () => {
    expect(masking('one1\r\n two2 \n\n')('one1 - two2')).toBe('*** - ***');
  });

  test('that is empty hides nothing', () => {
    expect(masking('')('abc')).toBe('abc');
  });

  test('becomes one with those that touch or overlap it', () => {
    expect(masking('abcd', 'cdef', 'gh')('xabcdefghx')).toBe('x***x');
  });

  test('never shows, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (secret, left, right) => {
        fc.pre(!'***'.includes(secret) && !(left + right).includes('*') && !secret.includes('*'));
        expect(masking(secret)(left + secret + right)).not.toContain(secret);
      }),
    );
  });
});
