import { type Clock, every, SIGN_OF_LIFE_MS } from '../clock.ts';
import { errorTitle, nextStep } from '../control-api/advice.ts';
import type { ControlApi } from '../control-api/client.ts';
import { ControlApiError } from '../control-api/errors.ts';
import { stringifyJson } from '../control-api/json.ts';
import { LONG_PAUSE_MS } from '../control-api/retry.ts';
import type { Project } from '../control-api/schemas.ts';
import type { ServiceClock } from '../control-api/service-clock.ts';
import { formatDuration } from '../durations.ts';
import { oneLine, sentence } from '../text.ts';
import type { ListEvent } from './events.ts';
import { BlindFilters, isWanted, mayBelongTo } from './filter.ts';
import { isAboutOrganisation, PartialListingError, readProjects } from './listing.ts';
import {
  type ListedProject,
  type ListReport,
  listedProject,
  MOST_SHOWN,
  type NotListed,
} from './report.ts';
import type { ListSettings } from './settings.ts';

export interface ListParts {
  readonly api: ControlApi;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly maxRetries: number;
  readonly observe: (event: ListEvent) => void;
}

/** A project that is wanted, and its JSON, every field as the API gave it. */
export interface WantedProject {
  readonly project: Project;
  readonly json: string;
}

/**
 * Lists the account's projects and picks the wanted ones; what is wrong with the service or the key is part of the report.
 * @param cancelled ends the listing within moments, as `cancelled`
 * @param keep is handed the wanted projects of each page that has any; none is kept here, because there may be very many
 * @throws only what nobody foresaw
 */
export async function listProjects(
  settings: ListSettings,
  parts: ListParts,
  cancelled: AbortSignal,
  keep: (projects: readonly WantedProject[]) => void,
): Promise<ListReport> {
  const { api, clock, serviceClock, random, maxRetries, observe } = parts;
  const beganAt = clock.monotonic();
  const shown: ListedProject[] = [];
  const regions = new Set<string>();
  let count = 0;
  let cpuUsedSec: number | undefined;
  let read = 0;
  const blind = new BlindFilters(settings.filter);
  const soFar = () => ({
    read,
    requests: api.requests,
    elapsedMs: clock.monotonic() - beganAt,
  });
  observe({ type: 'begun', orgId: settings.orgId });
  const stopSigns = every(clock, SIGN_OF_LIFE_MS, () => observe({ type: 'alive', ...soFar() }));
  try {
    const pages = readProjects({
      api,
      clock,
      random,
      maxRetries,
      orgId: settings.orgId,
      call: {
        signal: cancelled,
        onRetry: (error, pauseMs) => {
          if (pauseMs >= LONG_PAUSE_MS) observe({ type: 'retry', error, pauseMs });
        },
      },
      onPartial: (missing, pauseMs) => observe({ type: 'partial', missing, pauseMs }),
    });
    for await (const page of pages) {
      read += page.length;
      for (const project of page) blind.saw(project);
      const wanted = page.filter(
        (project) => mayBelongTo(settings.orgId, project) && isWanted(settings.filter, project),
      );
      count += wanted.length;
      for (const project of wanted) {
        if (shown.length < MOST_SHOWN) shown.push(listedProject(project));
        if (project.region_id != null) regions.add(project.region_id);
        if (project.cpu_used_sec != null)
          cpuUsedSec = (cpuUsedSec ?? 0) + Number(project.cpu_used_sec);
      }
      if (wanted.length > 0) keep(wanted.map((project) => ({ project, json: toJson(project) })));
    }
  } catch (error) {
    return { ...endingOf(error, settings.orgId, cancelled, soFar().elapsedMs), ...soFar() };
  } finally {
    stopSigns();
  }
  const endedAt = serviceClock.now();
  return {
    result: 'listed',
    count,
    shown,
    cpuUsedSec,
    regions: regions.size,
    blind: read === 0 ? [] : blind.inputs,
    ...soFar(),
    endedAt,
  };
}

/** @throws ControlApiError where a service nests its fields deeper than JSON can be written */
function toJson(project: Project): string {
  try {
    return stringifyJson(project);
  } catch {
    throw new ControlApiError('unreadable', {
      attempt: 'list the projects',
      finding: `project ${oneLine(project.id, 80)} is nested deeper than JSON can be written. Report it to the service's operator`,
    });
  }
}

function endingOf(
  error: unknown,
  orgId: string | undefined,
  cancelled: AbortSignal,
  elapsedMs: number,
): Pick<NotListed, 'result' | 'title' | 'message' | 'missing'> {
  if (cancelled.aborted) {
    const message = `Cancelled after ${formatDuration(elapsedMs)}; the listing is not whole.`;
    return { result: 'cancelled', title: 'Cancelled', message, missing: [] };
  }
  if (error instanceof PartialListingError) {
    const { message, missing } = error;
    return { result: 'failed', title: 'Projects are missing', message, missing };
  }
  if (!(error instanceof ControlApiError)) throw error;
  const finding = sentence(error.message);
  const result = { result: 'failed', missing: [] } as const;
  if (orgId === undefined && isAboutOrganisation(error)) {
    const message = `${finding} The key belongs to an organisation's account: name the organisation in org-id.`;
    return { ...result, title: 'Organisation needed', message };
  }
  const isUnknown = error.kind === 'refused' || error.kind === 'not-found';
  const organisation = orgId !== undefined && isUnknown ? ' Check org-id, too.' : '';
  const message = `${finding}${nextStep(error)}${organisation}`;
  return { ...result, title: errorTitle(error), message };
}
