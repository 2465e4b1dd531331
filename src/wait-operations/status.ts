/** What a status means for the wait (section 3.2 of the contract and what services are known to use beyond it). */
export type Meaning = 'in-progress' | 'finished' | 'failed';

const MEANINGS: Readonly<Record<string, Meaning>> = {
  scheduling: 'in-progress',
  running: 'in-progress',
  cancelling: 'in-progress',
  finished: 'finished',
  // The service found nothing to do: ended well.
  skipped: 'finished',
  failed: 'failed',
  error: 'failed',
  cancelled: 'failed',
};

/** Unknown is not finished: a status that nobody has named is still in progress. */
export function meaningOf(status: string | undefined): Meaning {
  return (
    (status !== undefined && Object.hasOwn(MEANINGS, status) && MEANINGS[status]) || 'in-progress'
  );
}

/** Whether the status is one that the contract or the field names. */
export function isKnownStatus(status: string): boolean {
  return Object.hasOwn(MEANINGS, status);
}

/** Some services try a failed operation again by themselves; a cancelled one stays so. */
export function mayRecover(status: string | undefined): boolean {
  return status === 'failed' || status === 'error';
}
