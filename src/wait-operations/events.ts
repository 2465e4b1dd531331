import type { ControlApiError } from '../control-api/errors.ts';
import type { Change, Watched } from './ledger.ts';
import type { Discovery } from './settings.ts';

/** What happens during a wait, as data; whoever is handed these decides how people see them. */
export type WaitEvent =
  /** The wait begins. */
  | { readonly type: 'begun'; readonly given: number | undefined; readonly discovery?: Discovery }
  /** One look showed this for the first time, or changed. */
  | { readonly type: 'changed'; readonly changes: readonly Change[] }
  | { readonly type: 'unknown-status'; readonly status: string; readonly operation: Watched }
  /** Unfinished operations that are too old to wait for. */
  | { readonly type: 'stuck'; readonly ids: readonly string[] }
  /** A look failed in a way that passes; the wait goes on. Told once for an outage. */
  | { readonly type: 'outage'; readonly error: ControlApiError }
  | { readonly type: 'recovered'; readonly afterMs: number }
  /** The sign of life. */
  | {
      readonly type: 'alive';
      readonly pending: readonly Watched[];
      readonly missing: readonly string[];
      readonly elapsedMs: number;
      readonly restMs: number;
    };

export type Observe = (event: WaitEvent) => void;
