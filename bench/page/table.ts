/** A Markdown table whose columns stand under each other; the first column to the left, numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) =>
    Math.max(3, name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => pad(cell, column)).join(' | ')} |`;
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** A number with so many decimals; `–` where there is none. */
export function fixed(value: number | undefined, decimals: number): string {
  return value === undefined || Number.isNaN(value) ? '–' : value.toFixed(decimals);
}

/** How many times as much, or the share: `0.33 ×`. */
export function ratio(value: number, base: number): string {
  const times = value / base;
  if (!Number.isFinite(times)) return '–';
  return `${times < 0.1 ? times.toPrecision(2) : times.toFixed(2)} ×`;
}

/** `12 kB`, `3.4 MB` */
export function bytes(value: number): string {
  return value < 1e6 ? `${(value / 1e3).toFixed(0)} kB` : `${(value / 1e6).toFixed(1)} MB`;
}
