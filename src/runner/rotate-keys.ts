import { formatDuration } from '../durations.ts';
import type { RotateReport } from '../rotate-key/report.ts';

/** One key of a rotation as people see it. */
export interface KeyRow {
  readonly id: string;
  readonly icon: string;
  /** What became of it. */
  readonly state: string;
  /** How long it is valid; empty where it no longer is. */
  readonly until: string;
  /** Milliseconds since its creation; undefined: not known. */
  readonly ageMs: number | undefined;
}

type Words = Omit<KeyRow, 'id' | 'ageMs'>;

/** Every key that a rotation had to do with, the new one first: the rows of the log and of the summary. */
export function keyRows(report: RotateReport): KeyRow[] {
  const { end } = report;
  const generations = end.plan?.generations ?? [];
  const ageOf = (id: string): number | undefined => {
    const ageMs = generations.find((key) => key.id === id)?.ageMs;
    return ageMs === undefined ? undefined : Math.max(0, ageMs);
  };
  const others = [...end.revoked, ...end.pending].filter(
    (id) => !generations.some((key) => key.id === id),
  );
  const earlier = [...generations.map(({ id }) => id), ...others];
  return [
    ...(end.newKeyId === undefined
      ? []
      : [{ id: end.newKeyId, ageMs: 0, ...newWords(report, end.newKeyId) }]),
    ...end.appeared.map((id) => ({ id, ageMs: 0, ...APPEARED })),
    ...earlier.map((id) => ({ id, ageMs: ageOf(id), ...earlierWords(report, id) })),
  ];
}

const APPEARED: Words = {
  icon: '⚠️',
  state: 'appeared without an answer; nobody holds it',
  until: 'the next rotation revokes it',
};

function newWords(report: RotateReport, id: string): Words {
  const state = 'new';
  if (report.end.result !== 'failed' || report.end.rotated)
    return { icon: '🔑', state, until: 'the next rotation replaces it' };
  if (report.end.valid?.includes(id) === false)
    return { icon: '❔', state: 'new, and not in the list', until: '' };
  return { icon: '🔑', state, until: afterFault(report) };
}

function earlierWords(report: RotateReport, id: string): Words {
  const { end, order } = report;
  const isIn = (keys: readonly { readonly id: string }[] | undefined): boolean =>
    keys?.some((key) => key.id === id) === true;
  if (end.revoked.includes(id)) return { icon: '🚫', state: 'revoked', until: '' };
  if (end.pending.includes(id))
    return { icon: '⏳', state: 'to be revoked', until: 'this job succeeds, or the next rotation' };
  if (end.result === 'dry-run' && isIn(end.plan?.revoke))
    return { icon: '🚫', state: 'would be revoked', until: 'a rotation that is not dry' };
  if (end.result === 'fresh') return freshWords(report, id);
  if (end.result === 'failed')
    return end.valid?.includes(id) === false
      ? { icon: '❔', state: 'not in the list any more', until: '' }
      : { icon: '✅', state: 'left valid', until: afterFault(report) };
  const state = end.result === 'dry-run' ? 'would be kept' : 'kept';
  if (order.revokeOld === 'never') return { icon: '✅', state, until: 'somebody revokes it' };
  if (isIn(end.plan?.young))
    return {
      icon: '⚠️',
      state: `${state}, because it is young`,
      until: 'the next rotation revokes it',
    };
  return { icon: '✅', state, until: 'a later rotation revokes it' };
}

/** Nothing was done: the newest stays until it is due. */
function freshWords({ end, order }: RotateReport, id: string): Words {
  const [newest] = end.plan?.generations ?? [];
  if (newest?.id !== id)
    return { icon: '✅', state: 'valid', until: 'a later rotation revokes it' };
  const restMs = (order.rotateAfterMs ?? 0) - (newest.ageMs ?? 0);
  const until = `it is rotated, which is due in ${formatDuration(Math.max(0, restMs))}`;
  return { icon: '🔑', state: 'fresh', until };
}

/** After a fault a key is called valid only if a list read since shows it. */
function afterFault({ end }: RotateReport): string {
  return end.valid === undefined
    ? 'not checked after the fault'
    : 'the next rotation, which brings everything in order';
}
