import {
  type ListedKey,
  type Plan,
  type Policy,
  plan,
  sparingYoung,
  type TargetLook,
} from './generations.ts';
import { revokeAll } from './revocation.ts';
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
  /** The new key's id, where it was stored, or perhaps, and a list shows that it is valid no more. */
  readonly lostKeyId: string | undefined;
  readonly plan: Plan | undefined;
  readonly stored: readonly Stored[];
  readonly revoked: readonly string[];
  /** Asked to be revoked without an answer, and no list could be read since. */
  readonly perhapsRevoked: readonly string[];
  /** Left to the end of the job, with what the targets' secrets looked like. */
  readonly pending: readonly string[];
  readonly updatedAt: readonly string[];
  /** Keys of the name that the look did not show, and that are not the new one: of a lost creation, or of somebody else. */
  readonly appeared: readonly string[];
  /** A creation was not answered, and whether its key is there could not be read. */
  readonly isCreateUnseen: boolean;
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
    lostKeyId: undefined,
    plan: undefined,
    stored: [],
    revoked: [],
    perhapsRevoked: [],
    pending: [],
    updatedAt: [],
    appeared: [],
    isCreateUnseen: false,
    valid: undefined,
    wrongKey: false,
    problems: [],
  };
  const keys = yield* look(order, end);
  if (keys === undefined || end.plan === undefined) return end;
  if (end.plan.fresh) return { ...end, result: 'fresh' };
  if (order.dryRun) return { ...end, result: 'dry-run' };

  const created = yield* create(order, keys, end);
  if (created === undefined) return end;
  const { id } = created;
  end.newKeyId = id;
  if (!(yield* prove(created, order, end))) return yield* undo(id, end);

  end.stored = yield* storeEverywhere(order.targets, end);
  const certain = end.stored.filter((stored) => stored === 'yes').length;
  if (order.targets > 0 && end.stored.every((stored) => stored === 'no'))
    return yield* undo(id, end);
  if (certain < order.targets) return yield* checkValid('caller', end);

  end.rotated = true;
  if (!(yield* prove(created, order, end))) return yield* checkValid('caller', end);
  const written = yield* readTargets(order.targets, end);
  if (written === undefined) return yield* checkValid('new', end);
  end.updatedAt = written;
  const due = end.plan.revoke.map((key) => key.id);
  if (order.revokeOld === 'after-job') return { ...end, result: 'rotated', pending: due };
  return yield* revoke(due, end);
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
    problem(end, `old-key-ids: the account does not list ${unknown.join(', ')}.`);
  }
  if (end.problems.length > 0) return undefined;
  end.plan = plan(listed.keys, targets, order);
  return listed.keys;
}

/** The new key, and what tells it from others of its name. */
interface Created {
  readonly id: string;
  /** Ids that were listed before it, or appeared since. */
  readonly known: Set<string>;
}

/**
 * Creates the key. A lost answer is not repeated blindly: what appeared in the list is named and left to the next rotation,
 * which clears it away as an earlier generation; then there is one more try.
 */
function* create(
  order: RotationOrder,
  before: readonly ListedKey[],
  end: Draft,
): Script<Created | undefined> {
  const known = new Set(before.map(({ id }) => id));
  for (let tries = 1; ; tries += 1) {
    const answer = yield* ask<'create'>({ do: 'create' });
    const fault = isFault(answer) ? answer : disbelieved(answer.id, known);
    if (fault === undefined && 'id' in answer) {
      return { id: answer.id, known: known.add(answer.id) };
    }
    if (fault?.fault !== 'lost') return fault && note(end, fault);
    const isLast = tries === 2;
    if (isLast) note(end, fault);
    const listed = yield* ask<'list'>({ do: 'list', as: 'caller' });
    if (isFault(listed)) {
      if (!isLast) note(end, fault);
      note(end, listed);
      end.isCreateUnseen = true;
      return undefined;
    }
    noteAppeared(listed.keys, known, order, end);
    if (isLast) return undefined;
  }
}

/** Revoking the key of this id would revoke another one: an answer that cannot be true is as good as none. */
function disbelieved(id: string, known: ReadonlySet<string>): Fault | undefined {
  if (!known.has(id)) return undefined;
  const message = `The service gave the new key the id ${id}, which an earlier key has.`;
  return { fault: 'lost', message };
}

/** Keys of the name that the look did not show: a creation without an answer, or called a failure, may have made them. */
function noteAppeared(
  keys: readonly ListedKey[],
  known: Set<string>,
  { keyName }: RotationOrder,
  end: Draft,
): void {
  for (const { id, name } of keys) {
    if (name !== keyName || known.has(id)) continue;
    known.add(id);
    end.appeared = [...end.appeared, id];
  }
}

/** The new key authenticates, and is listed under its name: by that the next rotation finds it. */
function* prove({ id, known }: Created, order: RotationOrder, end: Draft): Script<boolean> {
  const listed = yield* ask<'list'>({ do: 'list', as: 'new' });
  if (isFault(listed)) {
    note(end, listed);
    return false;
  }
  noteAppeared(listed.keys, known, order, end);
  const key = listed.keys.find((one) => one.id === id);
  if (key?.name === order.keyName) {
    if (end.plan !== undefined && order.oldKeyIds === undefined)
      end.plan = sparingYoung(end.plan, listed.keys, id);
    return true;
  }
  problem(
    end,
    key === undefined
      ? `The new key ${id} authenticates but is not listed.`
      : `The new key ${id} is listed under another name than key-name, so the next rotation would not find it.`,
  );
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
      if (answer.fault === 'gone') {
        end.stored = end.stored.map((one, index) => (index === target ? 'perhaps' : one));
        end.rotated = false;
      }
      return note(end, answer);
    }
    updatedAt.push(answer.updatedAt);
  }
  return updatedAt;
}

function* revoke(due: readonly string[], end: Draft): Script<RotationEnd> {
  const { revoked, perhaps, problems, valid } = yield* revokeAll(due, end.updatedAt);
  return {
    ...end,
    revoked,
    perhapsRevoked: perhaps,
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
    if (isFault(listed)) {
      end.valid = undefined;
      continue;
    }
    end.valid = listed.keys.map((key) => key.id);
    if (!end.valid.includes(id)) return { ...end, newKeyId: undefined };
  }
  return end;
}

/** After a fault a message calls a key valid only if a list shows it. */
function* checkValid(as: 'caller' | 'new', end: Draft): Script<RotationEnd> {
  const listed = yield* ask<'list'>({ do: 'list', as });
  if (isFault(listed)) return end;
  end.valid = listed.keys.map((key) => key.id);
  const { newKeyId } = end;
  if (newKeyId !== undefined && !end.valid.includes(newKeyId)) {
    end.newKeyId = undefined;
    end.lostKeyId = newKeyId;
  }
  return end;
}

function note(end: Draft, { message }: Fault): undefined {
  problem(end, message);
}

function problem(end: Draft, message: string): void {
  end.problems = [...end.problems, message];
}
