import { formatDuration } from '../durations.ts';
import { parseMoment } from '../moments.ts';
import { grouped, plural } from '../text.ts';
import type { Watched } from '../wait-operations/ledger.ts';
import type { WaitReport, WaitResult } from '../wait-operations/report.ts';
import { code, diagramName, plain, table } from './markdown.ts';

const MOST_ROWS = 50;
const MOST_BARS = 20;
const MOST_WORDS = 10;
/** A timeline of less than this has room for every second. */
const SHORT_MS = 15_000;

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
    serviceWords(sorted),
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

/** A column whose cells would all say the same is said once, above the table, which then fits on a page. */
function operationsTable(operations: readonly Watched[], report: WaitReport): string {
  if (operations.length === 0) return '';
  const projects = new Set(operations.map(({ projectId }) => projectId));
  const branches = new Set(operations.map(({ seen }) => seen?.branch_id ?? undefined));
  const [project = ''] = projects;
  const [branch] = branches;
  const common: string[] = [];
  if (projects.size === 1) common.push(`Project ${code(project)}`);
  if (branches.size === 1 && branch !== undefined) common.push(`branch ${code(branch)}`);
  const rows = operations.slice(0, MOST_ROWS).map((watched) => {
    const { seen } = watched;
    return [
      `${icon(watched)}&nbsp;${plain(seen?.status ?? 'not seen', 40)}`,
      seen?.action ? code(seen.action, 60) : '–',
      code(watched.id),
      ...(projects.size > 1 ? [code(watched.projectId)] : []),
      ...(branches.size > 1 ? [seen?.branch_id ? code(seen.branch_id) : '–'] : []),
      duration(watched, report),
    ];
  });
  const head = [
    ...['Status', 'Action', 'Operation'],
    ...(projects.size > 1 ? ['Project'] : []),
    ...(branches.size > 1 ? ['Branch'] : []),
    'Took',
  ];
  const parts = [table(head, rows, [head.length - 1])];
  if (common.length > 0) parts.unshift(common.join(', '));
  const rest = operations.length - rows.length;
  if (rest > 0) parts.push(`… and ${plural(rest, 'operation')} more.`);
  return parts.join('\n\n');
}

/** Below the table, whose ids would be broken by a long text beside them. */
function serviceWords(operations: readonly Watched[]): string {
  const lines = operations.flatMap((watched) => {
    const { seen, id } = watched;
    return seen?.error ? [`- ${icon(watched)} ${code(id)}: ${plain(seen.error)}`] : [];
  });
  if (lines.length === 0) return '';
  const rest = lines.length - MOST_WORDS;
  const more = rest > 0 ? [`- … and ${grouped(rest)} more`] : [];
  return ['The service says:', '', ...lines.slice(0, MOST_WORDS), ...more].join('\n');
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
  // Short, so that no id beside it is broken: it took so long by the end of the wait, and goes on.
  return watched.outcome === 'pending' ? `${took}+` : took;
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
  const { elapsedMs, result } = report;
  // The service tells its time in whole seconds. What the wait saw ended had ended before the wait did.
  const ended = bars.filter(({ watched }) => watched.outcome !== 'pending').map(({ to }) => to);
  const beganAt = Math.max(
    report.beganAt,
    ...ended.map((to) => Math.min(to - elapsedMs, report.beganAt + 1000)),
  );
  const first = Math.min(beganAt, ...bars.map(({ from }) => from));
  const last = Math.max(beganAt + elapsedMs, ...bars.map(({ to }) => to));
  const sections = Map.groupBy(bars, ({ watched }) => place(watched));
  const longest = Math.max(...[...sections.keys(), STEP].map(({ length }) => length));
  // Names stand on the left in 11 pixels; without this the bars would cover all that is longer than a word.
  const padding = 24 + Math.ceil(6.4 * longest);
  const lines = ['```mermaid', `%%{init: {"gantt": {"leftPadding": ${padding}}}}%%`, 'gantt'];
  lines.push('  dateFormat x', '  axisFormat %H:%M:%S');
  // Left to itself the axis would name each second several times.
  if (last - first < SHORT_MS) lines.push('  tickInterval 1second');
  for (const [section, group] of sections) {
    lines.push(`  section ${section}`);
    for (const { watched, from, to } of group) {
      // The mark comes first, so that no action's name can be read as a statement of the diagram.
      const name = diagramName(`${watched.seen?.action ?? 'operation'} ${watched.id.slice(0, 8)}`);
      lines.push(
        `  ${MARKS[watched.outcome]} ${name} :${colour(watched)}, ${Math.round(from)}, ${barEnd(from, to)}`,
      );
    }
  }
  lines.push(`  section ${STEP}`);
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

/** The section of the wait itself. */
const STEP = 'This step';

/** A branch's id is whole, as a rule; the table has it in any case. */
function place({ seen, projectId }: Watched): string {
  return diagramName(seen?.branch_id ?? projectId, 32);
}

const MARKS = { finished: '✓', failed: '✗', pending: '…' } as const;

function colour({ outcome }: Watched): string {
  return outcome === 'failed' ? 'crit' : outcome === 'pending' ? 'active' : 'done';
}
