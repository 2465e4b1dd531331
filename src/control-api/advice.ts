import { formatDuration } from '../durations.ts';
import { type ControlApiError, isPassing } from './errors.ts';
import { LONGEST_RETRY_AFTER_MS } from './retry.ts';

/** A short name of an error, for an annotation. */
export function errorTitle({ kind }: ControlApiError): string {
  switch (kind) {
    case 'unauthorized':
      return 'Wrong API key';
    case 'untrusted':
      return 'Certificate not trusted';
    case 'redirected':
      return 'Redirected';
    case 'not-found':
      return 'Not found';
    case 'rate-limited':
      return 'Rate limited';
    case 'busy':
    case 'unavailable':
    case 'timed-out':
      return 'The service did not answer';
    case 'unreadable':
      return 'The answer is unreadable';
    case 'endless':
      return 'The answer does not end';
    default:
      return 'The service refused';
  }
}

/** What to do next, as a sentence behind the error's own; empty where the error says it itself. */
export function nextStep(error: ControlApiError): string {
  if (error.kind === 'not-found') return ' Check that base-url ends in the version prefix.';
  if (error.kind === 'refused') return ' Check base-url, and what the key may do.';
  if (!isPassing(error)) return '';
  return tooLongToWait(error) || ' Run this again later, or raise max-retries.';
}

/** A sentence for an error whose `Retry-After` was too long to wait for; else empty. */
export function tooLongToWait({ retryAfterMs = 0 }: ControlApiError): string {
  if (retryAfterMs <= LONGEST_RETRY_AFTER_MS) return '';
  return ` That is longer than the ${formatDuration(LONGEST_RETRY_AFTER_MS)} that are waited for: run this again later.`;
}
