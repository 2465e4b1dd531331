import type { CallOptions } from '../control-api/client.ts';

/** What one complete look says about the end of the wait. */
export interface Look {
  /** Nothing more to wait for, and that is certain. */
  readonly done: boolean;
  /** Nothing is pending, but only a fresh look can tell that nothing more has begun. */
  readonly fresh?: boolean;
  /** Required actions that have not appeared and finished. */
  readonly missing?: readonly string[];
}

/** A way of looking: at operations that are known, or around for those to be found. */
export interface Looker {
  /**
   * Looks once and writes down what it saw.
   * @param last the look at the deadline, which cannot be followed by another
   * @throws the gravest fault, with everything that could be read written down
   */
  look(call: CallOptions, last: boolean): Promise<Look>;
}
