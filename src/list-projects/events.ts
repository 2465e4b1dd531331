import type { ControlApiError } from '../control-api/errors.ts';

/** What happens during a listing, as data; whoever is handed these decides how people see them. */
export type ListEvent =
  | { readonly type: 'begun'; readonly orgId: string | undefined }
  /** A request failed in a way that passes, and the pause before the next try is long. */
  | { readonly type: 'retry'; readonly error: ControlApiError; readonly pauseMs: number }
  /** The service could not read some projects; the page is asked for again. */
  | { readonly type: 'partial'; readonly missing: readonly string[]; readonly pauseMs: number }
  /** The sign of life. */
  | {
      readonly type: 'alive';
      readonly read: number;
      readonly requests: number;
      readonly elapsedMs: number;
    };
