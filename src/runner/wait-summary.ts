import { formatDuration } from '../durations.ts';
import { parseMoment } from '../moments.ts';
import { plural } from '../text.ts';
import type { Watched } from '../wait-operations/ledger.ts';
import type { WaitReport, WaitResult } from '../wait-operations/report.ts';
import { code, diagramName, plain, table } from './markdown.ts';

const MOST_ROWS = 50;
const MOST_BARS = 20;

const HEADINGS: Readonly<Record<WaitResult, string>> = {
  finished: '✅ The database is ready',
  failed: '❌ The wait failed',
  'timed-out': '⏱️ The wait timed out',
  cancelled: '🛑 The wait was cancelled',
};

/** The job summary of a wait: what happened, a table, and a timeline from the operations' own timestamps. */
export function waitSummary(report: WaitReport): string {
  const sorted = [...report.operations].sort((a, b) => rank(a) - rank(b));
  const parts = [
    `### ${heading(report)}`,
    plain(report.message, 1000),
    operationsTable(sorted, report),
    timeline(sorted, report),
    `<sub>${plain(`${plural(report.operations.length, 'operation')}, ${formatDuration(report.elapsedMs)}, ${plural(report.requests, 'request')}`)}</sub>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}

function heading({ result, operations }: WaitReport): string {
  return result === 'finished' && operations.length === 0
    ? '⚠️ There was nothing to wait for'
    : HEADINGS[result];
}

/** What went wrong comes first: long lists are cut at the end. */
function rank({ outcome }: Watched): number {
  return outcome === 'failed' ? 0 : outcome === 'pending' ? 1 : 2;
}

function operationsTable(operations: readonly Watched[], report: WaitReport): string {
  if (operations.length === 0) return '';
  const rows = operations.slice(0, MOST_ROWS).map((watched) => {
    const { seen } = watched;
    const error = seen?.error ? `<br>${plain(seen.error)}` : '';
    return [
      `${icon(watched)} ${plain(seen?.status ?? 'not seen', 40)}${error}`,
      code(seen?.action ?? '–', 60),
      code(watched.id),
      code(watched.projectId),
      seen?.branch_id ? code(seen.branch_id) : '–',
      duration(watched, report),
    ];
  });
  const head = ['Status', 'Action', 'Operation', 'Project', 'Branch', 'Took'];
  const rest = operations.length - rows.length;
  const more = rest > 0 ? `\n\n… and ${plural(rest, 'operation')} more.` : '';
  return table(head, rows) + more;
}

function icon({ outcome, seen }: Watched): string {
  if (outcome === 'failed') return '❌';
  if (outcome === 'pending') return '⏳';
  return seen?.status === 'skipped' ? '⏭️' : '✅';
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** From its creation to its last change; a pending one reaches to the end of the wait. */
function span({ seen, outcome }: Watched, report: WaitReport): Span | undefined {
  const from = parseMoment(seen?.created_at);
  const to =
    outcome === 'pending' ? report.beganAt + report.elapsedMs : parseMoment(seen?.updated_at);
  return from <= to ? { from, to } : undefined;
}

function duration(watched: Watched, report: WaitReport): string {
  const known = span(watched, report);
  if (known === undefined) return '–';
  const took = formatDuration(known.to - known.from);
  return watched.outcome === 'pending' ? `${took} so far` : took;
}

/** Mermaid's `gantt`: grey is finished, red failed, blue pending; the wait itself is a bar of its own. */
function timeline(operations: readonly Watched[], report: WaitReport): string {
  const bars = operations
    .flatMap((watched) => {
      const known = span(watched, report);
      return known === undefined ? [] : [{ watched, ...known }];
    })
    .slice(0, MOST_BARS)
    .sort((a, b) => a.from - b.from);
  if (bars.length === 0) return '';
  const lines = ['```mermaid', 'gantt', '  dateFormat x', '  axisFormat %H:%M:%S'];
  for (const [section, group] of Map.groupBy(bars, ({ watched }) => place(watched))) {
    lines.push(`  section ${section}`);
    for (const { watched, from, to } of group) {
      // The mark comes first, so that no action's name can be read as a statement of the diagram.
      const name = diagramName(`${watched.seen?.action ?? 'operation'} ${watched.id.slice(0, 8)}`);
      lines.push(
        `  ${MARKS[watched.outcome]} ${name} :${colour(watched)}, ${Math.round(from)}, ${barEnd(from, to)}`,
      );
    }
  }
  const { beganAt, elapsedMs, result } = report;
  lines.push('  section This step');
  lines.push(
    `  wait ${result} :active, ${Math.round(beganAt)}, ${barEnd(beganAt, beganAt + elapsedMs)}`,
    '```',
  );
  return lines.join('\n');
}

/** A bar without a length is not drawn. */
function barEnd(from: number, to: number): number {
  return Math.max(Math.round(to), Math.round(from) + 1);
}

/** Section names are cut off past some twenty characters. */
function place({ seen, projectId }: Watched): string {
  return diagramName(seen?.branch_id ?? projectId, 20);
}

const MARKS = { finished: '✓', failed: '✗', pending: '…' } as const;

function colour({ outcome }: Watched): string {
  return outcome === 'failed' ? 'crit' : outcome === 'pending' ? 'active' : 'done';
}
