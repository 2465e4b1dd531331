import type { Clock } from '../clock.ts';
import { formatDuration } from '../durations.ts';
import { listed, oneLine, plural } from '../text.ts';
import { failedEnding, named, nothingFound, scope, shortName } from '../wait-operations/endings.ts';
import type { WaitEvent } from '../wait-operations/events.ts';
import type { Change, Watched } from '../wait-operations/ledger.ts';
import type { WaitReport } from '../wait-operations/report.ts';
import type { WaitSettings } from '../wait-operations/settings.ts';
import type { Log, Runner } from './runner.ts';

/** Lines for one look at the most; the rest open with a click. */
const MOST_LINES = 10;
const MOST_GROUPED = 200;

/** The wait as a person reads it: one line when something changes, a sign of life, nothing else. */
export function waitLog(
  log: Log,
  clock: Clock,
  settings: WaitSettings,
): (event: WaitEvent) => void {
  const beganAt = clock.monotonic();
  const line = (text: string): void => {
    log.info(`${stamp(clock.monotonic() - beganAt).padStart(7)}  ${text}`);
  };
  const lines = <Item>(
    items: readonly Item[],
    text: (item: Item) => string,
    noun: string,
  ): void => {
    for (const item of items.slice(0, MOST_LINES)) line(text(item));
    const rest = items.slice(MOST_LINES);
    if (rest.length === 0) return;
    const grouped = rest.slice(0, MOST_GROUPED).map(text);
    const over = rest.length - grouped.length;
    if (over > 0) grouped.push(`… and ${plural(over, noun)} more`);
    log.group(`… and ${plural(rest.length, noun)} more`, grouped);
  };

  return (event) => {
    switch (event.type) {
      case 'begun':
        log.info(beginning(event, settings));
        if (
          event.discovery &&
          event.discovery.requireActions.length > 0 &&
          event.discovery.branchId === undefined
        ) {
          log.warning(
            'require-actions without branch-id: an operation of another branch may satisfy it. Name the branch with branch-id.',
            { title: 'Any branch counts' },
          );
        }
        return;
      case 'changed':
        lines(event.changes, change, 'change');
        return;
      case 'unknown-status':
        log.warning(
          `The status "${oneLine(event.status, 80)}" of ${named(event.operation)} is not known; it counts as in progress.`,
          { title: 'Unknown status' },
        );
        return;
      case 'stuck':
        log.warning(
          `Not waited for, because unfinished since before the look-back: ${plural(event.ids.length, 'operation')} (${listed(event.ids.map((id) => oneLine(id, 80)))}). Use operation-ids to wait for such an operation.`,
          { title: 'Stuck operations' },
        );
        return;
      case 'outage':
        line(`${event.error.message}. Still looking.`);
        return;
      case 'recovered':
        line(`The service answers again, after ${formatDuration(event.afterMs)}.`);
        return;
      case 'alive':
        line(alive(event));
        return;
    }
  };
}

/** Tenths of a second in a column; whole units where they no longer matter. */
function stamp(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)}s` : formatDuration(ms);
}

function beginning(event: WaitEvent & { type: 'begun' }, { timeoutMs }: WaitSettings): string {
  const longest = timeoutMs === 0 ? 'with one look' : `at most ${formatDuration(timeoutMs)}`;
  if (event.discovery === undefined)
    return `Waiting for ${plural(event.given ?? 0, 'operation')}, ${longest}.`;
  const { requireActions } = event.discovery;
  const required =
    requireActions.length === 0 ? '' : `, and until ${listed(requireActions)} finished`;
  return `Waiting until ${scope(event.discovery)} is idle${required}, ${longest}.`;
}

function status({ seen }: Watched): string {
  return oneLine(seen?.status ?? 'not seen yet', 80);
}

function change({ operation, from, to, ended, inGrace }: Change): string {
  const reason = operation.seen?.error ? ` (${oneLine(operation.seen.error)})` : '';
  const note = inGrace
    ? `${reason}; counts only if it stays so (failed-grace)`
    : to === 'skipped' && ended
      ? ' (counts as finished)'
      : reason;
  if (from === undefined) return `${named(operation)}: ${oneLine(to ?? '', 80)}${note}`;
  if (from === to) return `${shortName(operation)}: stayed ${oneLine(to ?? '', 80)}${note}`;
  return `${shortName(operation)}: ${oneLine(from ?? '', 80)} → ${oneLine(to ?? '', 80)}${note}`;
}

function alive({ pending, missing, restMs }: WaitEvent & { type: 'alive' }): string {
  const rest = `${formatDuration(restMs)} left`;
  if (pending.length > 0) {
    const names = listed(
      pending.map((watched) => `${shortName(watched)} (${status(watched)})`),
      2,
    );
    return `Still waiting for ${plural(pending.length, 'operation')}: ${names}; ${rest}.`;
  }
  if (missing.length > 0)
    return `Still waiting for ${listed(missing)} to appear and finish; ${rest}.`;
  return `Still looking; ${rest}.`;
}

/** The annotations and the closing line of a wait. */
export function showWaitEnd(runner: Runner, report: WaitReport, operationsLeftOut: boolean): void {
  const { log } = runner;
  const { result, title, message, operations, selection } = report;
  if (operationsLeftOut) {
    log.warning(
      'The output operations is left out: with the other outputs it would be larger than the 1 MiB that GitHub takes, or cannot be written.',
      { title: 'Output left out' },
    );
  }
  const failed = operations.filter(({ outcome }) => outcome === 'failed');
  // A single one is in the closing error already.
  if (failed.length > 1) {
    for (const watched of failed)
      log.error(failedEnding([watched], []).message, { title: 'Operation failed' });
  }
  if (result !== 'finished') {
    runner.fail(message, { title });
    return;
  }
  if (operations.length === 0 && selection !== undefined) {
    log.warning(nothingFound(selection), { title: 'Nothing to wait for' });
  }
  log.info(message);
}
