import prettyMilliseconds from 'pretty-ms';

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Longer than any wait, and still exact in milliseconds. */
const LONGEST_MS = 3650 * UNITS_MS.d;

/**
 * Milliseconds of a duration as a workflow writes it: a number, optionally with a fraction, then `s`, `m`, `h`, `d` or
 * nothing for seconds. The libraries for this take far more ("1 year", "-5 min", bare milliseconds) than the inputs allow.
 * @returns undefined when `text` is not one, or is longer than ten years
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text);
  if (match === null) return undefined;
  const unit = (match[2] || 's') as keyof typeof UNITS_MS;
  const ms = Math.round(Number(match[1]) * UNITS_MS[unit]);
  return ms <= LONGEST_MS ? ms : undefined;
}

/** Milliseconds as people say them: `40ms`, `3.2s`, `1m 5s`, `2h 3m`. */
export function formatDuration(ms: number): string {
  if (ms < 950) return `${Math.round(ms)}ms`;
  if (ms < 10_000) return `${(Math.round(ms / 100) / 10).toString()}s`;
  return prettyMilliseconds(Math.round(ms / 1000) * 1000, { unitCount: 2 });
}
