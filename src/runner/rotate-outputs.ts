import { keptKeys, type RotateReport, storedIn } from '../rotate-key/report.ts';

/** Ids are JSON numbers with all their digits, which `JSON.stringify` would round. */
function numbers(ids: readonly string[]): string {
  return `[${ids.join(',')}]`;
}

/** The outputs of `rotate-key`, set at every end; the key itself is set apart. */
export function rotateOutputs(report: RotateReport): Readonly<Record<string, string>> {
  const { end } = report;
  return {
    result: end.result,
    rotated: String(end.rotated),
    'key-id': end.newKeyId ?? '',
    'revoked-key-ids': numbers(end.revoked),
    'pending-key-ids': numbers(end.pending),
    'kept-key-ids': numbers(keptKeys(end)),
    'stored-in': JSON.stringify(storedIn(report)),
  };
}

/** The outputs of a rotation that never began. */
export function noRotateOutputs(): Readonly<Record<string, string>> {
  return {
    result: 'failed',
    rotated: 'false',
    'api-key': '',
    'key-id': '',
    'revoked-key-ids': '[]',
    'pending-key-ids': '[]',
    'kept-key-ids': '[]',
    'stored-in': '[]',
  };
}
