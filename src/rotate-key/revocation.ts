import { ask, isFault, type Script } from './steps.ts';

const MOST_TRIES = 3;

/** What became of the keys that were to go. */
export interface Revocation {
  readonly revoked: readonly string[];
  /** Asked for without an answer, and no list could be read since. */
  readonly perhaps: readonly string[];
  /** Ids that the last list read after a fault showed; undefined: none was read, or the last one could not be. */
  readonly valid: readonly string[] | undefined;
  /** Empty when every key is gone. */
  readonly problems: readonly string[];
}

/**
 * Revokes keys with the new one, once each target is seen to hold what was stored: where somebody else wrote a secret in the
 * meantime, or that cannot be read, nothing is revoked.
 * @param updatedAt what each target said right after the store
 */
export function* revokeAll(
  ids: readonly string[],
  updatedAt: readonly string[],
): Script<Revocation> {
  for (const [target, before] of updatedAt.entries()) {
    const now = yield* ask<'read'>({ do: 'read', target });
    if (isFault(now)) return yield* nothing(`${now.message} Nothing was revoked.`);
    if (now.updatedAt !== before) {
      return yield* nothing(
        `Somebody else wrote the secret in ${now.place} after this rotation did. Nothing was revoked.`,
      );
    }
  }
  const revoked: string[] = [];
  const perhaps: string[] = [];
  const problems: string[] = [];
  let valid: readonly string[] | undefined;
  for (const id of ids) {
    const { problem, listed, isPerhaps } = yield* revokeOne(id);
    // A list from before a later fault says nothing of what is valid now.
    if (listed !== undefined || problem !== undefined) valid = listed;
    valid = valid?.filter((one) => problem !== undefined || one !== id);
    if (problem === undefined) revoked.push(id);
    else problems.push(problem);
    if (isPerhaps) perhaps.push(id);
  }
  return { revoked, perhaps, valid, problems };
}

function* nothing(problem: string): Script<Revocation> {
  const listed = yield* ask<'list'>({ do: 'list', as: 'new' });
  const valid = isFault(listed) ? undefined : listed.keys.map((key) => key.id);
  return { revoked: [], perhaps: [], valid, problems: [problem] };
}

/** Revoking twice does no harm, so a lost answer is tried again where the list still shows the key. */
function* revokeOne(
  id: string,
): Script<{ problem?: string; listed?: readonly string[]; isPerhaps?: boolean }> {
  let isPerhaps = false;
  for (let tries = 1; ; tries += 1) {
    const answer = yield* ask<'revoke'>({ do: 'revoke', id, as: 'new' });
    if (isFault(answer) ? answer.fault === 'gone' : answer.revoked) return {};
    // A lost answer, or one that does not say "revoked": only the list tells.
    const keys = yield* ask<'list'>({ do: 'list', as: 'new' });
    const problem = isFault(answer) ? answer.message : `The service did not revoke key ${id}.`;
    isPerhaps ||= !isFault(answer) || answer.fault === 'lost';
    if (isFault(keys)) return { problem, isPerhaps };
    const listed = keys.keys.map((key) => key.id);
    if (!listed.includes(id)) return { listed };
    const again = isFault(answer) && answer.fault === 'lost' && tries < MOST_TRIES;
    if (!again) return { problem, listed };
  }
}
