/** How the simulated service behaves. May be changed at any time: the next request obeys. */
export interface Settings {
  /** How long operations take, in milliseconds, where the operation itself does not say. */
  durations: {
    schedulingMs: number;
    runningMs: number;
    /** `start_compute` begins this long after `create_branch` has ended. */
    computeDelayMs: number;
    /** The `start_compute` of a new branch is listed this long after the branch was asked for. */
    listDelayMs: number;
  };
  /** How operations end that the service starts itself, by action: `{create_branch: {outcome: 'failed'}}`. */
  outcomes: Record<string, { outcome: Outcome; error?: string }>;
  /** The operations listing. A `limit` over `max` is answered 400, or counts as `max`. */
  pageSize: { default: number; max: number; over: 'reject' | 'cap' };
  order: 'newest-first' | 'oldest-first';
  /**
   * What the last page says: no `pagination` at all, an empty cursor, the cursor that was asked with, or one
   * that leads to an empty page (what the best known service does, and the contract's wording promises).
   */
  lastPageCursor: 'none' | 'empty' | 'repeat' | 'past-end';
  projects: {
    /** `false`: all projects at once and no `pagination`, as the bare contract says. */
    paged: boolean;
    pageSize: number;
    /** What a cursor is: a project's id, or, as section 2.4 of the contract has it, the moment of its creation. */
    cursor: 'id' | 'created_at';
    /** Answer 400 to a listing without `org_id`, as for the personal keys of organisation accounts. */
    orgIdRequired: boolean;
    /** These are left out of the listing and named in `unavailable_project_ids`. */
    unavailableIds: string[];
  };
  keys: {
    /** A key made by POST is unknown (401) for this long. */
    propagationMs: number;
    /** What `last_used_at` of a key never used is. */
    neverUsed: 'null' | 'absent';
  };
  /** Beyond this: 429. `perMinute` counts an account's requests, `perSecond` those of one route. */
  rateLimit: { perMinute?: number; perSecond?: number; retryAfter: boolean };
}

export type Outcome = 'finished' | 'failed' | 'error' | 'cancelled' | 'skipped';

/** A few settings; the rest keep their values. */
export type SettingsChange = { [Group in keyof Settings]?: Change<Settings[Group]> };
type Change<T> = T extends string ? T : Partial<T>;

export function defaultSettings(): Settings {
  return {
    durations: { schedulingMs: 200, runningMs: 800, computeDelayMs: 0, listDelayMs: 0 },
    outcomes: {},
    pageSize: { default: 100, max: 1000, over: 'reject' },
    order: 'newest-first',
    lastPageCursor: 'past-end',
    projects: {
      paged: true,
      pageSize: 10,
      cursor: 'id',
      orgIdRequired: false,
      unavailableIds: [],
    },
    keys: { propagationMs: 0, neverUsed: 'null' },
    rateLimit: { retryAfter: true },
  };
}

/** Changes `settings` in place. Groups are merged one level deep; names that are no setting are an error. */
export function changeSettings(settings: Settings, change: SettingsChange): void {
  const target = settings as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(settings, name)) throw new Error(`"${name}" is not a setting`);
    const isGroup = typeof target[name] === 'object';
    if (isGroup !== (typeof value === 'object' && value !== null)) {
      throw new Error(`setting "${name}" must be ${isGroup ? 'an object' : 'a string'}`);
    }
    target[name] = isGroup ? { ...(target[name] as object), ...(value as object) } : value;
  }
}
