import { formatDuration } from '../durations.ts';
import type { Listed, ListedProject, ListReport } from '../list-projects/report.ts';
import { parseMoment } from '../moments.ts';
import { grouped, plural } from '../text.ts';
import { outcome } from './list-log.ts';
import { code, plain, table } from './markdown.ts';

const MOST_ROWS = 100;
const MOST_MISSING = 50;

/** The job summary of a listing: how many, and a table of them. */
export function listSummary(report: ListReport): string {
  const parts =
    report.result === 'listed'
      ? [`### ${heading(report)}`, plain(sentence(report), 1000), projectsTable(report)]
      : [
          report.result === 'cancelled'
            ? '### 🛑 The listing was cancelled'
            : '### ❌ The projects could not be listed',
          plain(report.message, 2000),
          missingList(report.missing),
        ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}

function heading({ count, read }: Listed): string {
  if (read === 0) return '🗂️ The account has no projects';
  if (count === 0) return '🗂️ No project matches';
  return `🗂️ ${plural(count, 'project')}`;
}

function sentence(report: Listed): string {
  const { count, regions, cpuUsedSec } = report;
  const parts = [outcome(report)];
  if (regions > 1) parts.push(`They lie in ${plural(regions, 'region')}.`);
  if (count > 1 && cpuUsedSec !== undefined)
    parts.push(`Together they used ${hours(cpuUsedSec)} of CPU time.`);
  return parts.join(' ');
}

function projectsTable({ count, shown, endedAt }: Listed): string {
  if (count === 0) return '';
  const inTable = shown.slice(0, MOST_ROWS);
  const rows = inTable.map((project) => [
    plain(project.name, 60),
    code(project.id),
    project.regionId === null ? '–' : plain(project.regionId, 60),
    project.pgVersion === null ? '–' : String(project.pgVersion),
    project.cpuUsedSec === undefined ? '–' : hours(Number(project.cpuUsedSec)),
    sizeLimit(project),
    age(project, endedAt),
  ]);
  const head = ['Project', 'Id', 'Region', 'Postgres', 'CPU time', 'Size limit', 'Age'];
  const parts = [table(head, rows, [3, 4, 5, 6])];
  const rest = count - inTable.length;
  if (rest > 0) parts.push(`… and ${plural(rest, 'project')} more.`);
  if (inTable.some((project) => hasBareLimit(project)))
    parts.push('<sub>A size limit without a unit is as the service gives it.</sub>');
  return parts.join('\n\n');
}

/** Service time in the unit in which people pay for it. */
function hours(seconds: number): string {
  const time = seconds / 3600;
  if (time > 0 && time < 0.05) return 'under 0.1 h';
  return `${time < 100 ? String(Math.round(time * 10) / 10) : grouped(Math.round(time))} h`;
}

function hasBareLimit({ sizeLimitBytes, sizeLimit: limit }: ListedProject): boolean {
  return sizeLimitBytes === undefined && limit !== undefined;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

function sizeLimit({ sizeLimitBytes, sizeLimit: limit }: ListedProject): string {
  if (sizeLimitBytes === undefined) return limit === undefined ? '–' : String(limit);
  let size = Number(sizeLimitBytes);
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${Math.round(size * 10) / 10} ${UNITS[unit]}`;
}

function age({ createdAt }: ListedProject, now: number): string {
  const ageMs = now - parseMoment(createdAt);
  return Number.isNaN(ageMs) ? '–' : formatDuration(Math.max(0, ageMs));
}

function missingList(missing: readonly string[]): string {
  if (missing.length === 0) return '';
  const lines = missing.slice(0, MOST_MISSING).map((id) => `- ${code(id)}`);
  const rest = missing.length - lines.length;
  if (rest > 0) lines.push(`- … and ${plural(rest, 'project')} more`);
  return `Not listed:\n\n${lines.join('\n')}`;
}
