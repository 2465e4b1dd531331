import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseMoment } from '../src/moments.ts';

describe('parseMoment', () => {
  test.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T08:09', '2026-03-01T08:09:00.000Z'],
    ['2026-03-01T08:09:10', '2026-03-01T08:09:10.000Z'],
    ['2026-03-01 08:09:10', '2026-03-01T08:09:10.000Z'],
    ['2026-03-01T08:09:10Z', '2026-03-01T08:09:10.000Z'],
    ['2026-03-01t08:09:10z', '2026-03-01T08:09:10.000Z'],
    ['2026-03-01T08:09:10.123456Z', '2026-03-01T08:09:10.123Z'],
    ['2026-03-01T08:09:10.5', '2026-03-01T08:09:10.500Z'],
    ['2026-03-01T08:09:10+02:00', '2026-03-01T06:09:10.000Z'],
    ['2026-03-01T08:09:10-0530', '2026-03-01T13:39:10.000Z'],
    ['2026-03-01 08:09+02:00', '2026-03-01T06:09:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('reads %s, as UTC without a zone', (text, iso) => {
    expect(new Date(parseMoment(text)).toISOString()).toBe(iso);
  });

  test.each([
    '',
    ' ',
    'yesterday',
    '5',
    '2026',
    '2026-03',
    '01.03.2026',
    '03/01/2026',
    'Sun, 01 Mar 2026 08:00:00 GMT',
    '2026-02-30',
    '2025-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-03-00',
    '2026-03-32',
    '2026-03-01T',
    '2026-03-01T8:00',
    '2026-03-01T25:00',
    '2026-03-01T08:60',
    '2026-03-01T08:00:61',
    '2026-03-01T08:00Q',
    '2026-03-01T08:00+2',
    '2026-03-01T08:00:00+99:99',
    ' 2026-03-01',
    '2026-03-01\n',
    '２０２６-03-01',
    '1772352000',
  ])('%j is none', (text) => {
    expect(parseMoment(text)).toBeNaN();
  });

  test('what is missing is none', () => {
    expect(parseMoment(null)).toBeNaN();
    expect(parseMoment(undefined)).toBeNaN();
  });

  const date = fc.date({
    min: new Date('1000-01-01T00:00:00Z'),
    max: new Date('9998-01-01T00:00:00Z'),
    noInvalidDate: true,
  });

  test('gives back every moment, with and without its zone', () => {
    fc.assert(
      fc.property(date, (moment) => {
        const iso = moment.toISOString();
        expect(parseMoment(iso)).toBe(moment.getTime());
        expect(parseMoment(iso.slice(0, -1))).toBe(moment.getTime());
      }),
    );
  });

  test('every zone shifts by itself', () => {
    const zone = fc.tuple(fc.constantFrom(1, -1), fc.nat({ max: 14 }), fc.nat({ max: 59 }));
    fc.assert(
      fc.property(date, zone, (moment, [sign, hours, minutes]) => {
        const two = (n: number) => String(n).padStart(2, '0');
        const text = `${sign > 0 ? '+' : '-'}${two(hours)}:${two(minutes)}`;
        const shifted = moment.getTime() - sign * (hours * 60 + minutes) * 60_000;
        expect(parseMoment(moment.toISOString().replace('Z', text))).toBe(shifted);
      }),
    );
  });
});
