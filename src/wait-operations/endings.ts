import type { ControlApiError } from '../control-api/errors.ts';
import { formatDuration } from '../durations.ts';
import { listed, oneLine, plural } from '../text.ts';
import type { Watched } from './ledger.ts';
import type { Look } from './look.ts';
import type { Discovery, Selection } from './settings.ts';

/** How a wait ended, in words: the last sentence of its log. */
export interface Ending {
  readonly title: string;
  readonly message: string;
}

/** `start_compute o1`: enough where the rest has been said. */
export function shortName({ id, seen }: Watched): string {
  return `${oneLine(seen?.action ?? 'operation', 80)} ${oneLine(id, 80)}`;
}

/** `start_compute (operation o1, branch br-1, project p1)`. */
export function named({ id, projectId, seen }: Watched): string {
  const branch = seen?.branch_id ? `, branch ${oneLine(seen.branch_id, 80)}` : '';
  const place = `operation ${oneLine(id, 80)}${branch}, project ${oneLine(projectId, 80)}`;
  return seen?.action ? `${oneLine(seen.action, 80)} (${place})` : place;
}

/** `start_compute (operation o1, …) is running`. */
function standing(watched: Watched): string {
  const status = watched.seen?.status;
  if (status == null) return `${named(watched)} was not seen yet`;
  const grace = watched.failedAt === undefined ? '' : ', and failed-grace is not over';
  return `${named(watched)} is ${oneLine(status, 80)}${grace}`;
}

function standings(operations: readonly Watched[]): string {
  return listed(operations.map(standing), 3);
}

export function finishedEnding(operations: readonly Watched[], elapsedMs: number): Ending {
  const took = formatDuration(elapsedMs);
  const message =
    operations.length === 0
      ? 'There was nothing to wait for.'
      : `${plural(operations.length, 'operation')} finished; the wait took ${took}.`;
  return { title: 'Finished', message };
}

export function failedEnding(failed: readonly Watched[], pending: readonly Watched[]): Ending {
  const what = failed.map((watched) => {
    const reason = watched.seen?.error ? `: ${oneLine(watched.seen.error)}` : '';
    return `${named(watched)} ended as ${oneLine(watched.seen?.status ?? 'failed', 80)}${reason}`;
  });
  const rest =
    pending.length > 0 ? ` ${plural(pending.length, 'operation')} had not ended yet.` : '';
  const title =
    failed.length === 1 ? 'Operation failed' : `${plural(failed.length, 'operation')} failed`;
  return {
    title,
    message: `${listed(what, 3)}.${rest} Look at it in the service's console before you run this again.`,
  };
}

export interface TimedOut {
  readonly pending: readonly Watched[];
  /** The last look; undefined when it failed. */
  readonly look: Look | undefined;
  /** Why it failed. */
  readonly fault: ControlApiError | undefined;
  readonly timeoutMs: number;
  readonly selection: Selection;
}

export function timedOutEnding({ pending, look, fault, timeoutMs, selection }: TimedOut): Ending {
  const after = timeoutMs === 0 ? 'After one look' : `Timed out after ${formatDuration(timeoutMs)}`;
  const parts: string[] = [];
  const missing = look?.missing ?? [];
  if (pending.length > 0) {
    parts.push(`${after}: ${standings(pending)}.`);
  } else if (missing.length > 0) {
    const actions = missing.length === 1 ? 'action' : 'actions';
    parts.push(
      `${after}: the required ${actions} ${listed(missing)} did not appear and finish. Check project-id, branch-id and require-actions.`,
    );
    if (selection.kind === 'discovery' && selection.since === undefined) {
      parts.push(
        'One that had ended more than 10 minutes before the step began does not count; since widens this.',
      );
    }
  } else if (look !== undefined) {
    parts.push(
      `${after}: nothing is pending, but a fresh look, which would show that nothing new has begun, is missing.`,
    );
  } else {
    parts.push(`${after}: the last look failed, so nothing is proven.`);
  }
  if (fault !== undefined)
    parts.push(
      `The service could not be asked at the end: ${fault.finding}. Run this again when it answers.`,
    );
  else if (look === undefined)
    parts.push('The service did not answer in time at the end. Run this again later.');
  else parts.push('Raise timeout if this is how long it takes.');
  return { title: 'Timed out', message: parts.join(' ') };
}

/** At the deadline: operations that the service never showed are a mistake in the ids, not slowness. */
export function neverFoundEnding(operations: readonly Watched[]): Ending {
  const names = listed(operations.map(named), 3);
  return {
    title: 'Operation not found',
    message: `The service does not know ${names}. Check the operation ids, the project id and base-url, and that the API key belongs to the project's account.`,
  };
}

/** The same for projects. */
export function projectNotFoundEnding(projectIds: readonly string[]): Ending {
  return {
    title: 'Project not found',
    message: `The service does not know project ${listed(projectIds)}. Check project-id and base-url, and that the API key belongs to the project's account.`,
  };
}

export function cancelledEnding(pending: readonly Watched[], elapsedMs: number): Ending {
  const rest = pending.length === 0 ? '' : `: ${standings(pending)}`;
  return { title: 'Cancelled', message: `Cancelled after ${formatDuration(elapsedMs)}${rest}.` };
}

/** What was looked for, for a wait that found nothing: a mistyped id looks like an idle branch. */
export function nothingFound(selection: Selection): string {
  if (selection.kind === 'given') return 'The list of operations to wait for is empty.';
  return `No operation of ${scope(selection)} was unfinished, so nothing was waited for. Where one was expected, check the ids, or name its action in require-actions to wait until it has appeared and finished.`;
}

/** `branch br-1 of project p1 (only create_branch)`. */
export function scope({ projectId, branchId, actions }: Discovery): string {
  const where =
    branchId === undefined ? `project ${projectId}` : `branch ${branchId} of project ${projectId}`;
  return actions.length === 0 ? where : `${where} (only ${listed(actions)})`;
}
