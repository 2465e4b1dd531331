export const apiPrefix = '/api/v2';

/** One request as it came in, and what became of it. */
export interface RecordedRequest {
  /** The simulator's clock, in milliseconds. */
  readonly time: number;
  /** The machine's clock, in milliseconds with fractions: for the pauses between requests. */
  readonly realTime: number;
  readonly method: string;
  /** As sent, still encoded, without `/api/v2` and query: `/projects/x/operations`. */
  readonly path: string;
  /** `?limit=1000`, or empty. */
  readonly search: string;
  readonly query: Record<string, string>;
  /** Lower-case names; `authorization` included. */
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Which connection, counted from 1: the same number means that it was reused. */
  readonly connection: number;
  /** The key it carries, if that is valid at this moment. */
  readonly keyId?: string;
  /** What was answered; absent if no status was sent. */
  status?: number;
  /** The kind of the fault that was applied. */
  fault?: string;
}
