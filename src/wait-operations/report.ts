import type { Watched } from './ledger.ts';
import type { Selection } from './settings.ts';

export type WaitResult = 'finished' | 'failed' | 'timed-out' | 'cancelled';

/** How a wait ended: data, of which the log, the outputs and the summary are views. */
export interface WaitReport {
  readonly result: WaitResult;
  readonly selection: Selection | undefined;
  /** Everything that was watched, in the order in which it was found. */
  readonly operations: readonly Watched[];
  readonly elapsedMs: number;
  readonly requests: number;
  /** When the step began, by the service's clock, in milliseconds since 1970. */
  readonly beganAt: number;
  /** One sentence: what happened, to which id, what to do. */
  readonly message: string;
  /** A short name of the ending, for an annotation. */
  readonly title: string;
}
