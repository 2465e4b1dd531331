import type { Figures } from './page.ts';
import { type Axis, drawPlot, type Series } from './plot.ts';

const ACTION = 'this action';

/** The plots, by their names in the folder. */
export function plots(figures: Figures): Record<string, string> {
  return {
    'plots/delay.svg': delayPlot(figures),
    'plots/requests.svg': requestPlot(figures),
    'plots/schedules.svg': schedulePlot(figures),
    'plots/scale.svg': scalePlot(figures),
  };
}

function delayPlot({ latency }: Figures): string {
  const { points, names } = latencyPoints(latency);
  return drawPlot({
    title: 'Delay after the end: median, and line up to the 95th percentile',
    x: categories(names),
    y: { name: 'seconds', ticks: [0, 1, 2, 3, 4, 5, 6] },
    // Side by side, or the lines hide each other.
    series: points('median').map((series, place) => ({
      ...series,
      points: series.points.map((point) => ({ ...point, x: point.x + (place - 1.5) * 0.07 })),
    })),
  });
}

function requestPlot({ latency }: Figures): string {
  const { points, names } = latencyPoints(latency);
  return drawPlot({
    title: 'Requests of one wait',
    x: categories(names),
    y: { name: 'requests, mean', log: true, ticks: [1, 2, 5, 10, 20, 50, 100] },
    series: points('requests'),
  });
}

function categories(names: readonly string[]): Axis {
  const ticks = names.map((_, index) => index);
  return { name: 'operation of', ticks, names, ends: [-0.4, names.length - 0.6] };
}

function latencyPoints(latency: Figures['latency']) {
  const order = [...latency].sort(
    (one, other) => (one.seconds ?? Infinity) - (other.seconds ?? Infinity),
  );
  const names = [...new Set(order.map(({ point }) => point))];
  const contenders = [...new Set(latency.map(({ contender }) => contender))];
  const points = (what: 'median' | 'requests'): Series[] =>
    contenders.map((contender) => ({
      name: contender,
      emphasised: contender === ACTION,
      points: order
        .filter((row) => row.contender === contender)
        .map((row) => ({
          x: names.indexOf(row.point),
          y: row[what],
          apart: row.seconds === undefined,
          ...(what === 'median' && { high: row.p95 }),
        })),
    }));
  return { points, names };
}

function schedulePlot({ schedules }: Figures): string {
  const some = (is: (name: string) => boolean) =>
    schedules
      .filter(({ name }) => is(name))
      .map(({ name, mix }) => {
        const label = LABELS.find(([begin]) => name.startsWith(begin))?.[1];
        return { x: mix.requests, y: mix.mean, ...(label !== undefined && { label }) };
      });
  const isToday = (name: string): boolean => /^(SDK|loop)/.test(name);
  const isHistory = (name: string): boolean => name.startsWith('history');
  const isChosen = (name: string): boolean => name.startsWith('chosen');
  const isOther = (name: string): boolean => !isToday(name) && !isHistory(name) && !isChosen(name);
  return drawPlot({
    title: 'Schedules on the mix: delay against requests (simulated)',
    scattered: true,
    x: { name: 'requests of one wait, mean', log: true, ticks: [3, 4, 5, 6, 8, 10, 12] },
    y: { name: 'seconds of delay, mean', log: true, ticks: [0.5, 0.75, 1, 1.5, 2, 3, 4] },
    series: [
      { name: 'chosen', points: some(isChosen), emphasised: true },
      { name: 'used today', points: some(isToday) },
      { name: 'with history', points: some(isHistory) },
      { name: 'other schedules', points: some(isOther) },
    ],
  });
}

/** Names for the points that stand apart; in the crowd they would lie on each other. */
const LABELS: readonly (readonly [string, string])[] = [
  ['SDK', 'SDK'],
  ['loop, every 1 s', 'loop, 1 s'],
  ['loop, every 5 s', 'loop, 5 s'],
  ['fixed 1 s', 'fixed 1 s'],
  ['fixed 5 s', 'fixed 5 s'],
  ['geometric × 1.5 from 1 s to 10 s', '× 1.5 up to 10 s'],
  ['history (spread 0.1)', 'spread 0.1'],
  ['history (spread 0.3)', '0.3'],
  ['history (spread 0.6)', '0.6'],
];

function scalePlot({ scale }: Figures): string {
  const rows = scale.filter(({ projects }) => projects === 1);
  const contenders = [...new Set(rows.map(({ contender }) => contender))];
  const series = contenders.map((contender) => ({
    name: contender,
    emphasised: contender === ACTION,
    points: rows
      .filter((row) => row.contender === contender)
      .map(({ operations, requests }) => ({ x: operations, y: requests }))
      .sort((one, other) => one.x - other.x),
  }));
  return drawPlot({
    title: 'Requests by the number of operations of one project, 10 s each',
    x: { name: 'operations', log: true, ticks: [1, 10, 100, 1000, 10_000] },
    y: { name: 'requests', log: true, ticks: [1, 10, 100, 1000, 10_000] },
    series,
  });
}
