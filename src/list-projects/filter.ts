import type { Project } from '../control-api/schemas.ts';
import { matchesGlob } from './glob.ts';
import type { Filter } from './settings.ts';

const FIELDS = [
  { input: 'region-id', list: 'regionIds', field: 'region_id' },
  { input: 'platform-id', list: 'platformIds', field: 'platform_id' },
  { input: 'pg-version', list: 'pgVersions', field: 'pg_version' },
] as const;

/** Tells filters by fields that the service never gives: they match nothing, and that looks like an account without projects. */
export class BlindFilters {
  #left: readonly (typeof FIELDS)[number][];

  constructor(filter: Filter) {
    this.#left = FIELDS.filter(({ list }) => (filter[list]?.length ?? 0) > 0);
  }

  /** Takes in a project of the listing, wanted or not. */
  saw(project: Project): void {
    if (this.#left.length > 0)
      this.#left = this.#left.filter(({ field }) => project[field] == null);
  }

  /** The inputs whose field no project had so far. */
  get inputs(): readonly string[] {
    return this.#left.map(({ input }) => input);
  }
}

/** Whether a project is wanted: by every list that is given. */
export function isWanted(filter: Filter, project: Project): boolean {
  return (
    hasWantedName(filter.names, project.name) &&
    isIn(filter.regionIds, project.region_id) &&
    isIn(filter.platformIds, project.platform_id) &&
    isIn(filter.pgVersions, project.pg_version)
  );
}

/**
 * Whether a project may belong to the organisation that was asked for. A service that does not list by organisation passes
 * over `org_id` without a word, and a job would then run for other people's projects.
 */
export function mayBelongTo(orgId: string | undefined, { org_id }: Project): boolean {
  return orgId === undefined || typeof org_id !== 'string' || org_id === orgId;
}

/** In whatever order they stand: one that excludes wins, and without one that includes, every name is included. */
function hasWantedName(globs: readonly string[] | undefined, name: string): boolean {
  if (globs === undefined) return true;
  const excluding = globs.filter((glob) => glob.startsWith('!'));
  const including = globs.filter((glob) => !glob.startsWith('!'));
  if (excluding.some((glob) => matchesGlob(glob.slice(1), name))) return false;
  if (including.length === 0) return excluding.length > 0;
  return including.some((glob) => matchesGlob(glob, name));
}

function isIn(
  list: readonly string[] | undefined,
  value: string | number | bigint | null | undefined,
): boolean {
  return list === undefined || (value != null && list.includes(String(value)));
}
