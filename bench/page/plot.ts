/** A row of points of one colour. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
  readonly emphasised?: boolean;
}

export interface Point {
  readonly x: number;
  readonly y: number;
  /** The upper end of a thin line over the point: a 95th percentile. */
  readonly high?: number;
  readonly label?: string;
  /** The line leaves it out. */
  readonly apart?: boolean;
}

export interface Plot {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** Points alone, each with its label. */
  readonly scattered?: boolean;
}

export interface Axis {
  readonly name: string;
  readonly log?: boolean;
  /** Where a line and a number stand, in order. */
  readonly ticks: readonly number[];
  /** The ends of the axis. Default: the first tick and the last. */
  readonly ends?: readonly [number, number];
  /** Instead of the numbers. */
  readonly names?: readonly string[];
}

const WIDTH = 760;
const HEIGHT = 400;
const LEFT = 64;
const RIGHT = 150;
const TOP = 40;
const BOTTOM = 52;
const COLOURS = ['#0b6e4f', '#c2410c', '#1d4ed8', '#7c3aed', '#6b7280'];

/** A plot as SVG: plain shapes on white, readable on a light and on a dark page. */
export function drawPlot({ title, x, y, series, scattered = false }: Plot): string {
  const across = scale(x, LEFT, WIDTH - RIGHT);
  const up = scale(y, HEIGHT - BOTTOM, TOP);
  const parts = [
    text(LEFT, 22, title, 'font-weight="600" font-size="14"'),
    ...x.ticks.flatMap((tick, index) => [
      line(across(tick), TOP, across(tick), HEIGHT - BOTTOM, '#e5e7eb'),
      text(across(tick), HEIGHT - BOTTOM + 18, nameOf(x, index), MIDDLE),
    ]),
    ...y.ticks.flatMap((tick, index) => [
      line(LEFT, up(tick), WIDTH - RIGHT, up(tick), '#e5e7eb'),
      text(LEFT - 8, up(tick) + 4, nameOf(y, index), 'text-anchor="end"'),
    ]),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x.name, MIDDLE),
    text(
      0,
      0,
      y.name,
      `${MIDDLE} transform="translate(16 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"`,
    ),
    // What is emphasised comes last, and lies on top.
    ...series
      .map((one, index) => ({ one, index }))
      .sort((a, b) => Number(a.one.emphasised ?? false) - Number(b.one.emphasised ?? false))
      .flatMap(({ one, index }) => drawSeries(one, index)),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#111827" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');

  function drawSeries({ name, points, emphasised }: Series, index: number): string[] {
    const colour = COLOURS[index % COLOURS.length] ?? '#111827';
    const legendY = TOP + 14 + index * 20;
    const path = points
      .filter(({ apart }) => apart !== true)
      .map((point) => `${across(point.x)},${up(point.y)}`)
      .join(' ');
    return [
      `<circle cx="${WIDTH - RIGHT + 18}" cy="${legendY - 4}" r="5" fill="${colour}"/>`,
      text(WIDTH - RIGHT + 30, legendY, name),
      ...(scattered
        ? []
        : [
            `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="${emphasised ? 2.5 : 1.5}"/>`,
          ]),
      ...points.flatMap((point) => drawPoint(point, colour, emphasised === true)),
    ];
  }

  function drawPoint({ x, y, high, label }: Point, colour: string, large: boolean): string[] {
    return [
      ...(high === undefined ? [] : [line(across(x), up(y), across(x), up(high), colour)]),
      `<circle cx="${across(x)}" cy="${up(y)}" r="${large ? 6 : 4}" fill="${colour}"/>`,
      ...(label === undefined ? [] : [text(across(x) + 7, up(y) - 5, label, 'font-size="11"')]),
    ];
  }
}

const MIDDLE = 'text-anchor="middle"';

function nameOf({ names, ticks }: Axis, index: number): string {
  return names?.[index] ?? (ticks[index] ?? 0).toLocaleString('en-US');
}

/** Where a value stands between `from` and `to`; what lies beyond the axis stands at its end. */
function scale(
  { ticks, ends, log = false }: Axis,
  from: number,
  to: number,
): (value: number) => number {
  const place = (value: number): number => (log ? Math.log(value) : value);
  const low = place(ends?.[0] ?? ticks[0] ?? 0);
  const high = place(ends?.[1] ?? ticks.at(-1) ?? 1);
  return (value) => {
    const share = (place(value) - low) / (high - low);
    return Math.round((from + Math.min(1, Math.max(0, share)) * (to - from)) * 10) / 10;
  };
}

function line(x1: number, y1: number, x2: number, y2: number, colour: string): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}"/>`;
}

function text(x: number, y: number, words: string, more = ''): string {
  return `<text x="${x}" y="${y}" ${more}>${escaped(words)}</text>`;
}

function escaped(words: string): string {
  return words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
