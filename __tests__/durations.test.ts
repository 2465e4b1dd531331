import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatDuration, parseDuration } from '../src/durations.ts';

const UNITS = { '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

describe('parseDuration', () => {
  test.each([
    ['30', 30_000],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['30d', 2_592_000_000],
    ['0', 0],
    ['0.0s', 0],
    ['1.5m', 90_000],
    ['0.25', 250],
    ['007', 7000],
    ['3650d', 315_360_000_000],
  ])('reads %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    '',
    ' ',
    's',
    'm5',
    '5 m',
    ' 5m',
    '5m ',
    '5m\n',
    '5M',
    '5min',
    '5ms',
    '1h30m',
    '-5',
    '+5',
    '.5',
    '5.',
    '1,5',
    '1_000',
    '1e3',
    '0x10',
    'Infinity',
    'NaN',
    'PT5M',
    '1:30',
    '٥m',
    '5ｍ',
    '3651d',
    '9'.repeat(400),
  ])('%j is not one', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test('reads every number in every unit, to the millisecond', () => {
    const number = fc.tuple(
      fc.nat({ max: 3000 }),
      fc.option(fc.nat({ max: 999 }), { nil: undefined }),
    );
    fc.assert(
      fc.property(number, fc.constantFrom(...Object.keys(UNITS)), ([whole, part], unit) => {
        const text = part === undefined ? `${whole}` : `${whole}.${String(part).padStart(3, '0')}`;
        const ms = (whole * 1000 + (part ?? 0)) * (UNITS[unit as keyof typeof UNITS] / 1000);
        expect(parseDuration(text + unit)).toBe(ms);
      }),
    );
  });

  test('gives whole milliseconds of at most ten years, or nothing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[-+ ]?[0-9.]{1,20}[smhdSMw ]{0,2}$/), (text) => {
        const ms = parseDuration(text);
        if (ms === undefined) return;
        expect(text).toMatch(/^[0-9.]+[smhd]?$/);
        expect(Number.isInteger(ms) && ms >= 0 && ms <= 3650 * 86_400_000).toBe(true);
      }),
    );
  });
});

describe('formatDuration', () => {
  test.each([
    [0, '0ms'],
    [39.6, '40ms'],
    [999, '1s'],
    [1000, '1s'],
    [3249, '3.2s'],
    [9960, '10s'],
    [59_600, '1m'],
    [65_000, '1m 5s'],
    [3_599_600, '1h'],
    [7_380_000, '2h 3m'],
    [86_400_000 * 30, '30d'],
  ])('%d ms are %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test('never strays further than its last digit', () => {
    const inMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, y: 365 * 86_400_000 };
    fc.assert(
      fc.property(fc.double({ min: 0, max: 400 * 86_400_000, noNaN: true }), (ms) => {
        const parts = [...formatDuration(ms).matchAll(/([\d.]+)(ms|[smhdy])/g)];
        const sizes = parts.map(([, , unit]) => inMs[unit as keyof typeof inMs]);
        const said = parts.reduce((sum, [, n], index) => sum + Number(n) * (sizes[index] ?? 0), 0);
        expect(Math.abs(said - ms)).toBeLessThanOrEqual(Math.min(...sizes));
        expect(sizes.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
