import { formatDuration } from '../durations.ts';
import { type RotateReport, storedIn } from '../rotate-key/report.ts';
import type { Revocation } from '../rotate-key/revocation.ts';
import type { RotationEnd } from '../rotate-key/rotation.ts';
import { plural } from '../text.ts';
import { code, diagramLabel, plain, table } from './markdown.ts';
import { type KeyRow, keyRows } from './rotate-keys.ts';
import { afterJobMessage, rotateMessage } from './rotate-log.ts';

const MOST_ROWS = 50;
/** Of each kind in the diagram. */
const MOST_NODES = 5;

const HEADINGS: Readonly<Record<RotationEnd['result'], string>> = {
  rotated: '🔑 The key was rotated',
  fresh: '✅ The key is fresh',
  'dry-run': '📝 Dry run of a rotation',
  failed: '❌ The rotation failed',
};

/** The job summary of a rotation: which key replaced which, where it is stored, what is still valid and until when. */
export function rotateSummary(report: RotateReport): string {
  const rows = keyRows(report);
  const parts = [
    `### ${HEADINGS[report.end.result]}`,
    plain(rotateMessage(report), 2000),
    diagram(report, rows),
    keysTable(report, rows),
    targetsTable(report),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}

/** What the new key replaced, and where it went: Mermaid's `flowchart`. */
function diagram(report: RotateReport, rows: readonly KeyRow[]): string {
  const { end, secretName } = report;
  if (end.newKeyId === undefined) return '';
  const lines = ['```mermaid', 'flowchart LR', `  new["🔑 key ${diagramLabel(end.newKeyId)}"]`];
  const earlier = rows.filter(({ id }) => id !== end.newKeyId && !end.appeared.includes(id));
  const node = (name: string, label: string): string => `  ${name}["${label}"]`;
  for (const [index, { id, icon, state }] of earlier.slice(0, MOST_NODES).entries()) {
    const gone = end.revoked.includes(id);
    lines.push(node(`old${index}`, `key ${diagramLabel(id)}<br/>${icon} ${diagramLabel(state)}`));
    const arrow = gone ? '-->' : '-.->';
    lines.push(`  old${index} ${arrow}${index === 0 ? '|replaced by|' : ''} new`);
    if (gone) lines.push(`  class old${index} gone`);
  }
  if (earlier.length > MOST_NODES)
    lines.push(node('more', `${earlier.length - MOST_NODES} more`), '  more -.-> new');
  const stored = storedIn(report);
  for (const [index, target] of stored.slice(0, MOST_NODES).entries()) {
    const [kind, ...names] = target.split(':');
    const place = [secretName ?? '', `${kind}:`, names.join(':')].map((part) => diagramLabel(part));
    lines.push(node(`to${index}`, place.join('<br/>')));
    lines.push(`  new ==>|stored in| to${index}`);
  }
  if (stored.length > MOST_NODES)
    lines.push(node('rest', `${stored.length - MOST_NODES} more`), '  new ==> rest');
  lines.push('  classDef gone stroke-dasharray:4,color:#888', '```');
  return lines.join('\n');
}

function keysTable({ order }: RotateReport, rows: readonly KeyRow[]): string {
  if (rows.length === 0) return '';
  const cells = rows
    .slice(0, MOST_ROWS)
    .map(({ id, icon, state, until, ageMs }) => [
      code(id),
      `${icon}&nbsp;${plain(state)}`,
      until === '' ? '–' : plain(until),
      age(ageMs),
    ]);
  const rest = rows.length - MOST_ROWS;
  const more = rest > 0 ? `\n\n… and ${plural(rest, 'key')} more.` : '';
  const caption = `Keys of the name ${code(order.keyName, 64)}`;
  return `${caption}\n\n${table(['Key', 'What became of it', 'Valid until', 'Age'], cells)}${more}`;
}

function age(ageMs: number | undefined): string {
  if (ageMs === undefined) return '–';
  return ageMs === 0 ? 'just created' : formatDuration(ageMs);
}

function targetsTable({ targets, end, secretName }: RotateReport): string {
  if (secretName === undefined || end.stored.length === 0) return '';
  const words = { yes: '✅ stored', perhaps: '⚠️ perhaps stored', no: '❌ not stored' } as const;
  const rows = targets
    .slice(0, MOST_ROWS)
    .map((target, index) => [code(target), words[end.stored[index] ?? 'no']]);
  const rest = targets.length - rows.length;
  const more = rest > 0 ? `\n\n… and ${plural(rest, 'target')} more.` : '';
  return `Secret ${code(secretName)}\n\n${table(['Target', 'New key'], rows)}${more}`;
}

/** What the post step adds to the summary. */
export function afterJobSummary(end: Revocation, left: readonly string[]): string {
  const heading =
    left.length === 0 ? '🔑 The old keys are revoked' : '❌ Old keys were not revoked';
  const rows = [
    ...end.revoked.map((id) => [code(id), '🚫 revoked']),
    ...left.map((id) => [code(id), '⚠️ not revoked']),
  ];
  const parts = [
    `### ${heading}`,
    plain(afterJobMessage(end, left), 2000),
    table(['Key', 'State'], rows.slice(0, MOST_ROWS)),
  ];
  return `${parts.join('\n\n')}\n\n`;
}
