import type { Secret } from '../secret.ts';
import type { ListedKey } from './generations.ts';
import type { RotationEnd, RotationOrder } from './rotation.ts';

/** How a rotation ended and what it was asked: data, of which the log, the outputs and the summary are views. */
export interface RotateReport {
  readonly order: RotationOrder;
  readonly secretName: string | undefined;
  /** The targets in full, in the order of the order's numbers. */
  readonly targets: readonly string[];
  readonly end: RotationEnd;
  /** The new key, while it is valid at the end or that is not known. */
  readonly newKey: Secret | undefined;
}

/** Earlier keys of the name that are not about to go, and that the last list, where one was read after a fault, shows. */
export function keptKeys(end: RotationEnd): readonly string[] {
  return stillThere(end.plan?.generations, end);
}

/** Keys that this run was to revoke and did not, whatever their names, and that the last list after the fault shows. */
export function leftKeys(end: RotationEnd): readonly string[] {
  return stillThere(end.plan?.revoke, end);
}

function stillThere(
  keys: readonly ListedKey[] = [],
  { revoked, perhapsRevoked, pending, valid }: RotationEnd,
): readonly string[] {
  return keys
    .map(({ id }) => id)
    .filter((id) => ![...revoked, ...perhapsRevoked, ...pending].includes(id))
    .filter((id) => valid === undefined || valid.includes(id));
}

/** The targets that certainly hold the new key. */
export function storedIn({ targets, end }: RotateReport): readonly string[] {
  return targets.filter((_name, index) => end.stored[index] === 'yes');
}
