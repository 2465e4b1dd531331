import { formatDuration } from '../durations.ts';
import type { ListEvent } from '../list-projects/events.ts';
import type { Listed, ListedProject, ListReport } from '../list-projects/report.ts';
import { grouped, listed, oneLine, plural } from '../text.ts';
import type { Log, Runner } from './runner.ts';

/** GitHub makes no more jobs of one matrix. */
const LARGEST_MATRIX = 256;

/** The listing as a person reads it. */
export function listLog(log: Log): (event: ListEvent) => void {
  let missing = '';
  return (event) => {
    switch (event.type) {
      case 'begun': {
        const whose = event.orgId === undefined ? 'the account' : `organisation ${event.orgId}`;
        log.info(`Listing the projects of ${whose}.`);
        return;
      }
      case 'retry':
        log.info(`${event.error.message}. Trying again in ${formatDuration(event.pauseMs)}.`);
        return;
      case 'partial': {
        const names = listed(event.missing.map((id) => oneLine(id, 80)));
        // What goes on unchanged is no news; the sign of life goes on.
        if (names === missing) return;
        missing = names;
        log.info(
          `The service could not read ${plural(event.missing.length, 'project')} (${names}). Asking again in ${formatDuration(event.pauseMs)}.`,
        );
        return;
      }
      case 'alive':
        log.info(
          `Still listing: ${plural(event.read, 'project')} and ${plural(event.requests, 'request')} in ${formatDuration(event.elapsedMs)}.`,
        );
        return;
    }
  };
}

/**
 * The annotations and the closing lines of a listing.
 * @param file the path of the full JSON
 * @param leftOut names of outputs
 */
export function showListEnd(
  runner: Runner,
  report: ListReport,
  file: string,
  leftOut: readonly string[],
): void {
  const { log } = runner;
  if (report.result !== 'listed') {
    runner.fail(report.message, { title: report.title });
    return;
  }
  const { count, shown } = report;
  if (count > 0) {
    const lines = shown.map(described);
    const rest = count - shown.length;
    if (rest > 0) lines.push(`… and ${plural(rest, 'project')} more`);
    log.group(plural(count, 'project'), lines);
  }
  if (leftOut.length > 0) {
    const [what, it] =
      leftOut.length === 1
        ? [`output ${listed(leftOut)} is`, 'it']
        : [`outputs ${listed(leftOut)} are`, 'they'];
    log.warning(
      `The ${what} left out: with the others ${it} would be larger than the 1 MiB that GitHub takes. The file ${oneLine(file)} has every project in full.`,
      { title: 'Output left out' },
    );
  }
  if (count > LARGEST_MATRIX) {
    log.warning(
      `The matrix has ${grouped(count)} entries, and GitHub makes at most ${LARGEST_MATRIX} jobs of one. Narrow the listing with project-name, region-id, platform-id or pg-version.`,
      { title: 'Matrix too large' },
    );
  }
  for (const input of report.blind) {
    log.warning(
      `No project matches ${input}, because the service gives none of its ${plural(report.read, 'project')} such a field. Filter by project-name instead.`,
      { title: 'Filter without a field' },
    );
  }
  log.info(outcome(report));
  log.info(`In full: ${oneLine(file)}`);
}

/** `shop (aged-salad-686906), aws-us-east-2, Postgres 17` */
function described({ name, id, regionId, pgVersion }: ListedProject): string {
  const parts = [`${oneLine(name, 80)} (${oneLine(id, 120)})`];
  if (regionId !== null) parts.push(oneLine(regionId, 80));
  if (pgVersion !== null) parts.push(`Postgres ${pgVersion}`);
  return parts.join(', ');
}

/** One sentence: how many there are, how many are wanted, and what it took. */
export function outcome({ count, read, elapsedMs, requests }: Listed): string {
  const took = `${plural(requests, 'request')}, ${formatDuration(elapsedMs)}`;
  if (read === 0) return `The account has no projects (${took}).`;
  const matching =
    count === read ? '' : `, of which ${grouped(count)} ${count === 1 ? 'matches' : 'match'}`;
  return `Listed ${plural(read, 'project')}${matching} (${took}).`;
}

/** The ending of a listing whose file cannot be written: nobody could rely on it. */
export function fileFault(path: string | undefined, fault: unknown) {
  const { code = 'unknown error' } = fault as NodeJS.ErrnoException;
  const where =
    path === undefined ? 'A file in RUNNER_TEMP' : `output-file: "${oneLine(path, 200)}"`;
  return {
    title: 'File not written',
    message: `${where} cannot be written (${code}). Name a file, not a folder, at a place where the job may write and has room.`,
  } as const;
}
