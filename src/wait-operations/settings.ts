/** What the wait is asked to do: typed, checked, in milliseconds. */
export interface WaitSettings {
  readonly selection: Selection;
  /** The steady interval between two looks, at least 1,000 ms. */
  readonly pollIntervalMs: number;
  /** The whole wait; 0 means one look. */
  readonly timeoutMs: number;
  readonly failFast: boolean;
  /** A failed operation counts only if it is still failed after this long. */
  readonly failedGraceMs: number;
  /** Bounds the last look. */
  readonly requestTimeoutMs: number;
}

export type Selection = GivenOperations | Discovery;

/** The operations are known: from ids, from a response body, or both. */
export interface GivenOperations {
  readonly kind: 'given';
  readonly operations: readonly GivenOperation[];
}

/** An operation as the workflow names it; `seen` is what the API had returned of it. */
export interface GivenOperation {
  readonly projectId: string;
  readonly id: string;
  readonly seen?: SeenOperation;
}

/** The operations are to be found: all that is unfinished in a project, or on one of its branches. */
export interface Discovery {
  readonly kind: 'discovery';
  readonly projectId: string;
  readonly branchId: string | undefined;
  /** Empty: every action. */
  readonly actions: readonly string[];
  readonly requireActions: readonly string[];
  readonly since: Since | undefined;
}

/** A duration back from the step's begin, or a moment in milliseconds since 1970. */
export type Since = { readonly agoMs: number } | { readonly at: number };

/** An operation as last seen: from the service, or from a response body, where only the ids are certain. */
export interface SeenOperation {
  readonly id: string;
  readonly project_id: string;
  readonly branch_id?: string | null | undefined;
  readonly endpoint_id?: string | null | undefined;
  readonly action?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly error?: string | null | undefined;
}
