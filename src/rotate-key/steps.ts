import type { ListedKey, TargetLook } from './generations.ts';

/**
 * What a rotation asks of the outside, one request or short exchange at a time. The script (`rotation.ts`) decides what comes
 * next from the answers alone; a shell performs it, or a model does.
 */
export type Step =
  /** List the account's keys, with the caller's key or with the new one. */
  | { readonly do: 'list'; readonly as: 'caller' | 'new' }
  /** Read a target's public key and what is known of its secret: the token works, and the name is legal. */
  | { readonly do: 'look-at'; readonly target: number }
  /** Create the new key; its value is masked before anything else happens. */
  | { readonly do: 'create' }
  /** Seal the new key and write it to a target. */
  | { readonly do: 'store'; readonly target: number }
  /** Read when a target's secret was last written. */
  | { readonly do: 'read'; readonly target: number }
  /** Revoke a key. */
  | { readonly do: 'revoke'; readonly id: string; readonly as: 'caller' | 'new' };

/**
 * Why a step did not succeed:
 *
 * - `refused`: certainly not done, and asking again will not help;
 * - `unauthorized`: the key that asked is not valid (a new one: not after 30 s either); certainly not done;
 * - `gone`: there is no such key any more, or a secret does not show what was stored in it;
 * - `lost`: it may have been done; the answer was lost;
 * - `cancelled`: not begun, because the runner asked the step to stop.
 */
export interface Fault {
  readonly fault: 'refused' | 'unauthorized' | 'gone' | 'lost' | 'cancelled';
  /** A sentence for people; no secret is in it. */
  readonly message: string;
}

export interface Answers {
  readonly list: { readonly keys: readonly ListedKey[] };
  readonly 'look-at': TargetLook;
  readonly create: { readonly id: string };
  readonly store: Record<never, never>;
  /** An opaque moment: two are compared, never measured; and the target's name, for people. */
  readonly read: { readonly updatedAt: string; readonly place: string };
  readonly revoke: { readonly revoked: boolean };
}

export type Answer<Do extends Step['do']> = Answers[Do] | Fault;
export type AnyAnswer = Answer<Step['do']>;

export function isFault(answer: AnyAnswer): answer is Fault {
  return 'fault' in answer;
}

/** A part of a script: yields steps, is given their answers, and comes to a result. */
export type Script<Result> = Generator<Step, Result, AnyAnswer>;

/** Yields one step and hands on its answer with the type that belongs to it. */
export function* ask<Do extends Step['do']>(step: Extract<Step, { do: Do }>): Script<Answer<Do>> {
  return (yield step) as Answer<Do>;
}
