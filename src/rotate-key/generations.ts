/**
 * Which keys are earlier generations, which of them stay and which may go: the pure decisions of a rotation. Nothing here
 * asks a clock or a network; every age is measured by the clock of the server that reported it.
 */

/** A key of the account, as the look at its list showed it. */
export interface ListedKey {
  /** Decimal digits: an int64 that keeps every one of them. */
  readonly id: string;
  readonly name: string;
  /** Milliseconds between its creation and the look, by the service's clock; undefined where that cannot be read. */
  readonly ageMs: number | undefined;
  /** As the service says it, for people. */
  readonly lastUsedAt?: string | undefined;
}

/** What the look showed of one place where the new key is to be stored. */
export interface TargetLook {
  /** Milliseconds since the secret was written, by GitHub's clock; undefined: the target has no such secret yet. */
  readonly secretAgeMs: number | undefined;
}

/** The wishes of the workflow that decide what goes. */
export interface Policy {
  readonly keyName: string;
  /** Revoke these instead of the earlier generations. */
  readonly oldKeyIds: readonly string[] | undefined;
  readonly revokeOld: 'immediately' | 'after-job' | 'never';
  readonly keepPrevious: number;
  /** Milliseconds; undefined: every run rotates. */
  readonly rotateAfterMs: number | undefined;
}

/** Everything that the look decides. */
export interface Plan {
  /** Keys of the name, the newest first. */
  readonly generations: readonly ListedKey[];
  /** Nothing is due: the newest generation is young enough and everywhere. */
  readonly fresh: boolean;
  /** To be revoked once the new key is stored; empty where nothing is ever revoked. */
  readonly revoke: readonly ListedKey[];
  /** Earlier generations that stay valid. */
  readonly keep: readonly ListedKey[];
  /** Of those kept, the ones that may belong to a rotation still under way. */
  readonly young: readonly ListedKey[];
  /** Keys of the name that no target may hold: left by an interrupted run. */
  readonly orphans: readonly ListedKey[];
}

/** A generation younger than this may belong to a rotation that is still under way. */
export const YOUNG_MS = 10 * 60_000;
/** Two servers' clocks, read to the second, and a store that took its time. */
const HOLD_SLACK_MS = 60_000;

/**
 * Decides from one look what a rotation would do.
 * @param targets the places that `secret-name` is stored in; empty without `secret-name`
 */
export function plan(
  keys: readonly ListedKey[],
  targets: readonly TargetLook[],
  policy: Policy,
): Plan {
  const distinct = once(keys);
  const generations = distinct.filter(({ name }) => name === policy.keyName).toSorted(newestFirst);
  const holders = targets.filter(({ secretAgeMs }) => secretAgeMs !== undefined);
  const orphans =
    holders.length === 0
      ? []
      : generations.filter((key) => !holders.some((target) => mayHold(target, key)));
  const revoke = revocable(distinct, generations, holders, policy);
  const keep = generations.filter((key) => !revoke.includes(key));
  return {
    generations,
    orphans,
    revoke,
    keep,
    young: policy.oldKeyIds === undefined ? keep.filter(isYoung) : [],
    fresh: isFresh(generations, targets, policy),
  };
}

/**
 * The plan without what one list shows to be less than ten minutes older than the new key. Two ages of one list need no clock:
 * this holds where the service tells no time and the machine's own is wrong by days.
 */
export function sparingYoung(plan: Plan, listed: readonly ListedKey[], newId: string): Plan {
  const born = listed.find(({ id }) => id === newId)?.ageMs;
  if (born === undefined) return plan;
  const ages = new Map(listed.map(({ id, ageMs }) => [id, ageMs]));
  const isSpared = ({ id }: ListedKey): boolean => {
    const ageMs = ages.get(id);
    return ageMs !== undefined && ageMs - born < YOUNG_MS;
  };
  const spared = plan.revoke.filter(isSpared);
  return {
    ...plan,
    revoke: plan.revoke.filter((key) => !spared.includes(key)),
    keep: [...plan.keep, ...spared],
    young: [...plan.young, ...spared],
  };
}

/** The newest first. A key whose age cannot be read is older than any other; among such the higher id is the newer. */
function newestFirst(a: ListedKey, b: ListedKey): number {
  if (a.ageMs !== b.ageMs)
    return (a.ageMs ?? Number.POSITIVE_INFINITY) < (b.ageMs ?? Number.POSITIVE_INFINITY) ? -1 : 1;
  return BigInt(a.id) > BigInt(b.id) ? -1 : 1;
}

/** Each key once, however often a list shows it: `keep-previous` counts them. */
function once(keys: readonly ListedKey[]): readonly ListedKey[] {
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}

/** A key whose age cannot be read is never young. */
function isYoung({ ageMs }: ListedKey): boolean {
  return ageMs !== undefined && ageMs < YOUNG_MS;
}

/**
 * Whether a target may hold a key: its secret exists and was written at most a minute longer ago than the key was created.
 * What was written before a key was made cannot be that key.
 */
export function mayHold({ secretAgeMs }: TargetLook, { ageMs }: ListedKey): boolean {
  if (secretAgeMs === undefined) return false;
  return ageMs === undefined || secretAgeMs <= ageMs + HOLD_SLACK_MS;
}

function revocable(
  keys: readonly ListedKey[],
  generations: readonly ListedKey[],
  holders: readonly TargetLook[],
  policy: Policy,
): readonly ListedKey[] {
  if (policy.revokeOld === 'never') return [];
  if (policy.oldKeyIds !== undefined) {
    const named = policy.oldKeyIds;
    return keys.filter(({ id }) => named.includes(id));
  }
  const kept = keptByOverlap(generations, holders, policy.keepPrevious);
  return generations.filter((key) => !isYoung(key) && !kept.includes(key));
}

/**
 * The earlier generations that `keep-previous` keeps. Age alone does not tell: an orphan of an interrupted run may be the
 * newest, and nobody uses it. So the newest that every target may hold are kept, and what is newer than the oldest of these
 * and may be held somewhere.
 */
function keptByOverlap(
  generations: readonly ListedKey[],
  holders: readonly TargetLook[],
  count: number,
): readonly ListedKey[] {
  if (count === 0) return [];
  if (holders.length === 0) return generations.slice(0, count);
  const somewhere = generations.filter((key) => holders.some((target) => mayHold(target, key)));
  const everywhere = generations
    .filter((key) => holders.every((target) => mayHold(target, key)))
    .slice(0, count);
  const oldest = everywhere.at(-1);
  if (everywhere.length < count || oldest === undefined) return somewhere;
  return somewhere.filter((key) => everywhere.includes(key) || newestFirst(key, oldest) < 0);
}

function isFresh(
  generations: readonly ListedKey[],
  targets: readonly TargetLook[],
  policy: Policy,
): boolean {
  const [newest] = generations;
  if (policy.rotateAfterMs === undefined || newest?.ageMs === undefined) return false;
  if (newest.ageMs >= policy.rotateAfterMs) return false;
  if (!targets.every((target) => mayHold(target, newest))) return false;
  return !isUnfinished(generations, policy);
}

/** More old keys than an ended rotation leaves: the last one did not end, whatever its newest key's age. */
function isUnfinished(generations: readonly ListedKey[], policy: Policy): boolean {
  if (policy.revokeOld === 'never' || policy.oldKeyIds !== undefined) return false;
  return generations.filter((key) => !isYoung(key)).length > policy.keepPrevious + 1;
}
