import { type ListedKey, type Plan, type Policy, plan, type TargetLook } from './generations.ts';
import { type Revocation, revokeAll } from './revocation.ts';
import { type Answer, ask, type Fault, isFault, type Script } from './steps.ts';

/** What a rotation is asked to do; the places to store are known by their number. */
export interface RotationOrder extends Policy {
  readonly dryRun: boolean;
  readonly targets: number;
}

/** How far the new key came to a target: `perhaps` where the answer of a store was lost. */
export type Stored = 'yes' | 'perhaps' | 'no';

/** How a rotation ended: data, of which outputs, log and summary are views. */
export interface RotationEnd {
  readonly result: 'rotated' | 'fresh' | 'dry-run' | 'failed';
  /** The new key is stored everywhere; without a secret: proven. */
  readonly rotated: boolean;
  /** The new key's id, while the key is valid at the end or that is not known. */
  readonly newKeyId: string | undefined;
  readonly plan: Plan | undefined;
  readonly stored: readonly Stored[];
  readonly revoked: readonly string[];
  /** Left to the end of the job, with what the targets' secrets looked like. */
  readonly pending: readonly string[];
  readonly updatedAt: readonly string[];
  /** Keys of the name that appeared although their creation was not answered. */
  readonly appeared: readonly string[];
  /** Ids that the last list after a fault showed; undefined: no list was read after it. */
  readonly valid: readonly string[] | undefined;
  /** The caller's key was refused at the first look. */
  readonly wrongKey: boolean;
  /** What went wrong, in the order in which it did; empty when all went well. */
  readonly problems: readonly string[];
}

/** The end so far, filled in as the rotation goes on. */
type Draft = { -readonly [Field in keyof RotationEnd]: RotationEnd[Field] };

/**
 * The rotation, step by step: look, create, prove, store, prove again, revoke. `docs/rotation.md` says for each place
 * between two steps why a crash there locks nobody out.
 */
export function* rotation(order: RotationOrder): Script<RotationEnd> {
  const end: Draft = {
    result: 'failed',
    rotated: false,
    newKeyId: undefined,
    plan: undefined,
    stored: [],
    revoked: [],
    pending: [],
    updatedAt: [],
    appeared: [],
    valid: undefined,
    wrongKey: false,
    problems: [],
  };
  const keys = yield* look(order, end);
  if (keys === undefined || end.plan === undefined) return end;
  if (end.plan.fresh) return { ...end, result: 'fresh' };
  if (order.dryRun) return { ...end, result: 'dry-run' };

  const id = yield* create(order, keys, end);
  if (id === undefined) return end;
  end.newKeyId = id;
  if (!(yield* prove(id, end))) return yield* undo(id, end);

  end.stored = yield* storeEverywhere(order.targets, end);
  const certain = end.stored.filter((stored) => stored === 'yes').length;
  if (order.targets > 0 && end.stored.every((stored) => stored === 'no'))
    return yield* undo(id, end);
  if (certain < order.targets) return yield* checkValid('caller', end);

  end.rotated = true;
  if (!(yield* prove(id, end))) return yield* checkValid('caller', end);
  const written = yield* readTargets(order.targets, end);
  if (written === undefined) return yield* checkValid('new', end);
  end.updatedAt = written;
  const due = end.plan.revoke.map((key) => key.id);
  if (order.revokeOld === 'after-job') return { ...end, result: 'rotated', pending: due };
  return yield* revoke(due, end);
}

/** The end of the job: the same revocation, later. */
export function* afterJob(
  pending: readonly string[],
  updatedAt: readonly string[],
): Script<Revocation> {
  return yield* revokeAll(pending, updatedAt);
}

/** Looks at the keys and at every target, before anything is created. */
function* look(order: RotationOrder, end: Draft): Script<readonly ListedKey[] | undefined> {
  const listed = yield* ask<'list'>({ do: 'list', as: 'caller' });
  if (isFault(listed)) {
    end.wrongKey = listed.fault === 'unauthorized';
    return note(end, listed);
  }
  const targets: TargetLook[] = [];
  for (let target = 0; target < order.targets; target += 1) {
    const seen = yield* ask<'look-at'>({ do: 'look-at', target });
    // All of them are looked at, so that one run names everything that is wrong.
    if (isFault(seen)) note(end, seen);
    else targets.push(seen);
  }
  const unknown = (order.oldKeyIds ?? []).filter((id) => !listed.keys.some((key) => key.id === id));
  if (unknown.length > 0) {
    problem(
      end,
      `old-key-ids: the account does not list ${unknown.join(', ')}. Nothing was created.`,
    );
  }
  if (end.problems.length > 0) return undefined;
  end.plan = plan(listed.keys, targets, order);
  return listed.keys;
}

/**
 * Creates the key. A lost answer is not repeated blindly: what appeared in the list is named and left to the next rotation,
 * which clears it away as an earlier generation; then there is one more try.
 */
function* create(
  order: RotationOrder,
  before: readonly ListedKey[],
  end: Draft,
): Script<string | undefined> {
  const known = new Set(before.map(({ id }) => id));
  for (let tries = 1; ; tries += 1) {
    const created = yield* ask<'create'>({ do: 'create' });
    if (!isFault(created)) return created.id;
    const isLast = created.fault !== 'lost' || tries === 2;
    if (isLast) note(end, created);
    if (created.fault !== 'lost') return undefined;
    const listed = yield* ask<'list'>({ do: 'list', as: 'caller' });
    if (isFault(listed)) {
      if (!isLast) note(end, created);
      note(end, listed);
      return undefined;
    }
    for (const { id, name } of listed.keys) {
      if (name !== order.keyName || known.has(id)) continue;
      known.add(id);
      end.appeared = [...end.appeared, id];
    }
    if (isLast) return undefined;
  }
}

/** The new key authenticates, and is listed. */
function* prove(id: string, end: Draft): Script<boolean> {
  const listed = yield* ask<'list'>({ do: 'list', as: 'new' });
  if (isFault(listed)) {
    note(end, listed);
    return false;
  }
  if (listed.keys.some((key) => key.id === id)) return true;
  problem(end, `The new key ${id} authenticates but is not listed.`);
  return false;
}

/** Tries every target, also after one refused, so that a run mends as much as it can. */
function* storeEverywhere(targets: number, end: Draft): Script<readonly Stored[]> {
  const stored: Stored[] = [];
  for (let target = 0; target < targets; target += 1) {
    const answer = yield* ask<'store'>({ do: 'store', target });
    if (isFault(answer)) {
      note(end, answer);
      stored.push(answer.fault === 'lost' ? 'perhaps' : 'no');
    } else {
      stored.push('yes');
    }
  }
  return stored;
}

/** When each target was written, right after the stores; undefined when one cannot be read. */
export function* readTargets(targets: number, end: Draft): Script<readonly string[] | undefined> {
  const updatedAt: string[] = [];
  for (let target = 0; target < targets; target += 1) {
    const answer = yield* ask<'read'>({ do: 'read', target });
    if (isFault(answer)) {
      if (answer.fault === 'gone')
        end.stored = end.stored.map((one, index) => (index === target ? 'perhaps' : one));
      return note(end, answer);
    }
    updatedAt.push(answer.updatedAt);
  }
  return updatedAt;
}

function* revoke(due: readonly string[], end: Draft): Script<RotationEnd> {
  const { revoked, problems, valid } = yield* revokeAll(due, end.updatedAt);
  return {
    ...end,
    revoked,
    valid,
    problems: [...end.problems, ...problems],
    result: problems.length === 0 ? 'rotated' : 'failed',
  };
}

/**
 * The new key is certainly nowhere, so it goes again: with the caller's key or, where that is refused, with the new key
 * itself. The earlier keys are untouched.
 */
function* undo(id: string, end: Draft): Script<RotationEnd> {
  for (const as of ['caller', 'new'] as const) {
    const answer = yield* ask<'revoke'>({ do: 'revoke', id, as });
    const gone = isFault(answer) ? answer.fault === 'gone' : answer.revoked;
    if (gone) return { ...end, newKeyId: undefined };
    if (isFault(answer) && answer.fault !== 'lost') note(end, answer);
    // Only a list tells what a lost answer did, and whether a key that was not revoked is still there.
    const listed: Answer<'list'> = yield* ask<'list'>({ do: 'list', as });
    if (isFault(listed)) continue;
    end.valid = listed.keys.map((key) => key.id);
    if (!end.valid.includes(id)) return { ...end, newKeyId: undefined };
  }
  return end;
}

/** After a fault a message calls a key valid only if a list shows it. */
function* checkValid(as: 'caller' | 'new', end: Draft): Script<RotationEnd> {
  const listed = yield* ask<'list'>({ do: 'list', as });
  if (!isFault(listed)) end.valid = listed.keys.map((key) => key.id);
  return end;
}

function note(end: Draft, { message }: Fault): undefined {
  problem(end, message);
}

function problem(end: Draft, message: string): void {
  end.problems = [...end.problems, message];
}
