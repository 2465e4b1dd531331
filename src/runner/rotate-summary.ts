import { formatDuration } from '../durations.ts';
import { keptKeys, type RotateReport } from '../rotate-key/report.ts';
import type { Revocation } from '../rotate-key/revocation.ts';
import type { RotationEnd } from '../rotate-key/rotation.ts';
import { code, plain, table } from './markdown.ts';
import { afterJobMessage, rotateMessage } from './rotate-log.ts';

const MOST_ROWS = 50;

const HEADINGS: Readonly<Record<RotationEnd['result'], string>> = {
  rotated: '🔑 The key was rotated',
  fresh: '✅ The key is fresh',
  'dry-run': '📝 Dry run of a rotation',
  failed: '❌ The rotation failed',
};

/** The job summary of a rotation: which key replaced which, where it is stored, what is still valid. */
export function rotateSummary(report: RotateReport): string {
  const parts = [
    `### ${HEADINGS[report.end.result]}`,
    plain(rotateMessage(report), 2000),
    keysTable(report),
    targetsTable(report),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}

function keysTable({ end, order }: RotateReport): string {
  const kept = keptKeys(end);
  const rows: string[][] = [];
  if (end.newKeyId !== undefined) rows.push([code(end.newKeyId), 'new', 'just created']);
  for (const id of end.appeared) rows.push([code(id), '⚠️ appeared meanwhile', 'just created']);
  if (end.lostKeyId !== undefined)
    rows.push([code(end.lostKeyId), '❌ new, stored, and valid no more', 'just created']);
  for (const id of end.perhapsRevoked) rows.push([code(id), '⚠️ perhaps revoked', ageOf(id, end)]);
  for (const id of end.revoked) rows.push([code(id), 'revoked', ageOf(id, end)]);
  for (const id of end.pending)
    rows.push([code(id), 'valid until the job succeeds', ageOf(id, end)]);
  const planned = new Set(end.result === 'dry-run' ? end.plan?.revoke.map(({ id }) => id) : []);
  for (const id of kept)
    rows.push([code(id), planned.has(id) ? 'would be revoked' : 'valid', ageOf(id, end)]);
  if (rows.length === 0) return '';
  const rest = rows.length - MOST_ROWS;
  const more = rest > 0 ? `\n\n… and ${rest} more.` : '';
  const caption = `Keys of the name ${code(order.keyName, 64)}`;
  return `${caption}\n\n${table(['Key', 'State', 'Age'], rows.slice(0, MOST_ROWS))}${more}`;
}

function ageOf(id: string, { plan }: RotationEnd): string {
  const ageMs = plan?.generations.find((key) => key.id === id)?.ageMs;
  return ageMs === undefined ? '–' : formatDuration(Math.max(0, ageMs));
}

function targetsTable({ targets, end, secretName }: RotateReport): string {
  if (secretName === undefined || end.stored.length === 0) return '';
  const words = { yes: '✅ stored', perhaps: '⚠️ perhaps stored', no: '❌ not stored' } as const;
  const rows = targets
    .slice(0, MOST_ROWS)
    .map((target, index) => [code(target), words[end.stored[index] ?? 'no']]);
  return `Secret ${code(secretName)}\n\n${table(['Target', 'New key'], rows)}`;
}

/** What the post step adds to the summary. */
export function afterJobSummary(end: Revocation, left: readonly string[]): string {
  const heading =
    left.length === 0 ? '🔑 The old keys are revoked' : '❌ Old keys were not revoked';
  const rows = [
    ...end.revoked.map((id) => [code(id), 'revoked']),
    ...left.map((id) => [
      code(id),
      end.perhaps.includes(id) ? '⚠️ perhaps revoked' : '⚠️ not revoked',
    ]),
  ];
  const parts = [
    `### ${heading}`,
    plain(afterJobMessage(end, left), 2000),
    table(['Key', 'State'], rows.slice(0, MOST_ROWS)),
  ];
  return `${parts.join('\n\n')}\n\n`;
}
