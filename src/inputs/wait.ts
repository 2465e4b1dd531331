import { parseDuration } from '../durations.ts';
import { parseMoment } from '../moments.ts';
import type {
  GivenOperation,
  SeenOperation,
  Selection,
  Since,
  WaitSettings,
} from '../wait-operations/settings.ts';
import type { InputName } from './catalog.ts';
import type { Form } from './form.ts';
import { type GivenJson, readOperations } from './operations.ts';

const PROJECT = { allowed: 'the id of a project', example: 'aged-salad-686906' };
const OPERATION_EXAMPLE = '8c5b1f60-3f5b-4d2a-9e4e-8f2f0a1b2c3d';
const ONLY_WITHOUT_IDS: readonly InputName[] = ['branch-id', 'actions', 'require-actions', 'since'];

/**
 * The inputs of `wait-operations`.
 * @param warn is told of inputs that have no effect
 */
export function readWait(
  form: Form,
  requestTimeoutMs: number,
  warn: (message: string) => void,
): WaitSettings {
  return {
    selection: readSelection(form, warn),
    pollIntervalMs: form.duration('poll-interval', { atLeastMs: 1000, example: '5s' }),
    timeoutMs: form.duration('timeout', { example: '10m' }),
    failFast: form.boolean('fail-fast'),
    failedGraceMs: form.duration('failed-grace'),
    requestTimeoutMs,
  };
}

function readSelection(form: Form, warn: (message: string) => void): Selection {
  const projectId = form.id('project-id');
  const ids = form.ids('operation-ids', OPERATION_EXAMPLE);
  const bodies = (['operations', 'operations-file'] as const).filter(
    (name) => form.text(name) !== '',
  );
  const seen = bodies.flatMap((name) => {
    const json = name === 'operations' ? form.text(name) : form.file(name);
    return readOperations(form, name, json) ?? [];
  });
  if (ids === undefined && bodies.length === 0) return readDiscovery(form, projectId);
  for (const name of ONLY_WITHOUT_IDS) {
    if (form.isGiven(name)) {
      warn(
        `${name} has no effect: the operations to wait for are given by ${listOf(ids, bodies)}.`,
      );
    }
  }
  if (bodies.length === 0 && projectId === undefined) {
    form.fault('project-id', 'is required with operation-ids', PROJECT);
    return { kind: 'given', operations: [] };
  }
  return { kind: 'given', operations: merge(form, projectId, ids ?? [], seen, warn) };
}

function readDiscovery(form: Form, projectId: string | undefined): Selection {
  if (projectId === undefined) {
    form.fault(
      'project-id',
      'is required, unless operations or operations-file names the projects',
      PROJECT,
    );
  }
  return {
    kind: 'discovery',
    projectId: projectId ?? '',
    branchId: form.id('branch-id'),
    actions: form.ids('actions', 'create_branch, start_compute') ?? [],
    requireActions: form.ids('require-actions', 'create_branch, start_compute') ?? [],
    since: readSince(form),
  };
}

/** Ids and bodies add up; an operation's own project counts, `project-id` fills in where there is none. */
function merge(
  form: Form,
  projectId: string | undefined,
  ids: readonly string[],
  seen: readonly GivenJson[],
  warn: (message: string) => void,
): readonly GivenOperation[] {
  const operations = new Map<string, GivenOperation>();
  for (const one of seen) {
    const project = one.project_id ?? projectId;
    if (project === undefined) {
      form.fault(
        'project-id',
        'is required, because an operation of the JSON names no project',
        PROJECT,
      );
      return [];
    }
    const key = `${project}/${one.id}`;
    const full: SeenOperation = { ...one, project_id: project };
    const known = operations.get(key)?.seen;
    if (known === undefined || isLater(full, known)) {
      operations.set(key, { projectId: project, id: one.id, seen: full });
    }
  }
  const projects = new Set([...operations.values()].map((one) => one.projectId));
  if (
    projectId !== undefined &&
    ids.length === 0 &&
    projects.size > 0 &&
    !projects.has(projectId)
  ) {
    warn(`project-id has no effect: every operation of the JSON names another project.`);
  }
  const named = new Set(seen.map(({ id }) => id));
  for (const id of ids.filter((one) => !named.has(one))) {
    if (projectId !== undefined) {
      operations.set(`${projectId}/${id}`, { projectId, id });
    } else {
      form.fault(
        'project-id',
        `is required, because only operation-ids names ${form.quoted(id)}`,
        PROJECT,
      );
      return [];
    }
  }
  return [...operations.values()];
}

/** Of two bodies that hold the same operation, the later one counts. */
function isLater(one: SeenOperation, other: SeenOperation): boolean {
  return !(parseMoment(one.updated_at) < parseMoment(other.updated_at));
}

function readSince(form: Form): Since | undefined {
  const text = form.text('since');
  if (text === '') return undefined;
  const agoMs = parseDuration(text);
  if (agoMs !== undefined) return { agoMs };
  const at = parseMoment(text);
  if (Number.isNaN(at)) {
    form.fault('since', `${form.quoted(text)} is neither a duration nor an ISO 8601 time`, {
      allowed:
        'a duration back from now, or an ISO 8601 date or time (UTC unless it says otherwise)',
      example: '15m or 2026-03-01T08:00:00Z',
    });
  }
  return { at };
}

function listOf(ids: readonly string[] | undefined, bodies: readonly string[]): string {
  return [...(ids === undefined ? [] : ['operation-ids']), ...bodies].join(' and ');
}
