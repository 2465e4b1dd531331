import type { Project } from '../control-api/schemas.ts';

/** What a person is shown of a project. */
export interface ListedProject {
  readonly id: string;
  readonly name: string;
  readonly regionId: string | null;
  readonly pgVersion: number | bigint | null;
  readonly cpuUsedSec: number | bigint | undefined;
  /** In bytes, where the service says so. */
  readonly sizeLimitBytes: number | bigint | undefined;
  /** The contract does not say in which unit. */
  readonly sizeLimit: number | bigint | undefined;
  /** ISO 8601, as the service says it. */
  readonly createdAt: string | undefined;
}

/** Takes out of a project what a person is shown. */
export function listedProject(project: Project): ListedProject {
  const bytes = project.branch_logical_size_limit_bytes;
  return {
    id: project.id,
    name: project.name,
    regionId: project.region_id ?? null,
    pgVersion: project.pg_version ?? null,
    cpuUsedSec: project.cpu_used_sec ?? undefined,
    sizeLimitBytes: typeof bytes === 'number' || typeof bytes === 'bigint' ? bytes : undefined,
    sizeLimit: project.branch_logical_size_limit ?? undefined,
    createdAt: project.created_at ?? undefined,
  };
}

/** Nobody reads on. */
export const MOST_SHOWN = 200;

/** How a listing ended: data, of which the log, the outputs, the file and the summary are views. */
export type ListReport = Listed | NotListed;

export interface Listed {
  readonly result: 'listed';
  /** How many projects are wanted. */
  readonly count: number;
  /** The first {@link MOST_SHOWN} of them, in the order of the service: an account may have a hundred thousand. */
  readonly shown: readonly ListedProject[];
  /** CPU seconds of all that are wanted and say so; undefined where none does. */
  readonly cpuUsedSec: number | undefined;
  /** How many regions the wanted ones lie in. */
  readonly regions: number;
  /** Inputs that filter by a field which no listed project has: nothing can match them. */
  readonly blind: readonly string[];
  /** How many projects the service listed, wanted or not. */
  readonly read: number;
  readonly requests: number;
  readonly elapsedMs: number;
  /** When it ended, by the service's clock, in milliseconds since 1970. */
  readonly endedAt: number;
}

export interface NotListed {
  readonly result: 'failed' | 'cancelled';
  /** A short name of the ending, for an annotation. */
  readonly title: string;
  /** What happened and what to do. */
  readonly message: string;
  /** Projects that the service named and did not list. */
  readonly missing: readonly string[];
  readonly read: number;
  readonly requests: number;
  readonly elapsedMs: number;
}
