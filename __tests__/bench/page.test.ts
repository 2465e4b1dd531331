import { describe, expect, test } from '@jest/globals';
import { drawPlot } from '../../bench/page/plot.ts';
import { bytes, fixed, ratio, table } from '../../bench/page/table.ts';
import { mean, median, quantile } from '../../bench/statistics.ts';

describe('statistics', () => {
  test.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
    [[], Number.NaN],
  ])('the median of %j', (numbers, middle) => {
    expect(median(numbers)).toBe(middle);
  });

  test('a quantile lies between its neighbours', () => {
    expect(quantile([10, 20, 30, 40, 50], 0.95)).toBeCloseTo(48, 9);
    expect(quantile([10, 20], 0)).toBe(10);
    expect(quantile([10, 20], 1)).toBe(20);
    expect(mean([1, 2, 6])).toBe(3);
  });
});

describe('the page', () => {
  test('has tables whose columns stand under each other', () => {
    expect(
      table(
        ['what', 'n'],
        [
          ['a longer one', '1'],
          ['b', '1,000'],
        ],
      ),
    ).toBe(
      [
        '| what         |     n |',
        '| ------------ | ----: |',
        '| a longer one |     1 |',
        '| b            | 1,000 |',
      ].join('\n'),
    );
  });

  test.each([
    [fixed(1.256, 2), '1.26'],
    [fixed(undefined, 2), '–'],
    [fixed(Number.NaN, 2), '–'],
    [ratio(1, 3), '0.33 ×'],
    [ratio(9, 5453), '0.0017 ×'],
    [ratio(1, 0), '–'],
    [bytes(4573), '5 kB'],
    [bytes(2_578_176), '2.6 MB'],
  ])('%s', (text, expected) => {
    expect(text).toBe(expected);
  });
});

describe('a plot', () => {
  const plot = (y: { log?: boolean; ticks: number[] }, values: number[]) =>
    drawPlot({
      title: 'a < b & "c"',
      x: { name: 'x', ticks: [0, 10] },
      y: { name: 'y', ...y },
      series: [{ name: 'one', points: values.map((value, index) => ({ x: index, y: value })) }],
    });
  const heights = (svg: string): number[] =>
    [...svg.matchAll(/<circle [^>]*cy="([\d.]+)" r="4"/g)].map(([, cy]) => Number(cy));

  test('says its title as text, not as markup', () => {
    const svg = plot({ ticks: [0, 1] }, []);
    expect(svg).toContain('<title>a &lt; b &amp; &quot;c&quot;</title>');
    expect(svg).not.toContain('a < b');
  });

  test('places values in proportion, and in proportion to the logarithm', () => {
    const [low = 0, middle = 0, high = 0] = heights(plot({ ticks: [0, 100] }, [0, 50, 100]));
    expect(middle).toBeCloseTo((low + high) / 2, 1);
    expect(high).toBeLessThan(low);
    const log = heights(plot({ log: true, ticks: [1, 100] }, [1, 10, 100]));
    expect(log[1]).toBeCloseTo(((log[0] ?? 0) + (log[2] ?? 0)) / 2, 1);
  });

  test('keeps what lies beyond the axis at its end', () => {
    const [inside, beyond] = heights(plot({ ticks: [0, 100] }, [100, 900]));
    expect(beyond).toBe(inside);
  });
});
