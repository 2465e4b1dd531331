import { type Clock, sleep } from '../clock.ts';
import type { CallOptions, ControlApi } from '../control-api/client.ts';
import { ControlApiError } from '../control-api/errors.ts';
import { readPages } from '../control-api/pages.ts';
import { pauseMs } from '../control-api/retry.ts';
import type { Project } from '../control-api/schemas.ts';
import { parseMoment } from '../moments.ts';
import { listed, oneLine, plural } from '../text.ts';

/** The page sizes that are asked for, each after the one before was refused; at last as the bare contract has it. */
const LIMITS = [400, 100, undefined] as const;
const ATTEMPT = 'list the projects';
/** So much smaller are the pages of a further reading. */
const LESS = 29;
/** After so many readings that each had more than those before, the listing is not whole in any. */
const MOST_READINGS = 5;

export interface ListingParts {
  readonly api: ControlApi;
  readonly clock: Clock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly orgId: string | undefined;
  /** How often a partial page is asked for again. */
  readonly maxRetries: number;
  readonly call: CallOptions;
  /** Told that a page was partial and is asked for again. */
  readonly onPartial: (missing: readonly string[], pauseMs: number) => void;
}

/** The service named projects that it could not list, and still did after every repetition. */
export class PartialListingError extends Error {
  readonly missing: readonly string[];

  constructor(missing: readonly string[], tries: number) {
    const names = listed(
      missing.map((id) => oneLine(id, 80)),
      10,
    );
    const asked = tries === 1 ? 'after being asked once' : `after being asked ${tries} times`;
    super(
      `The listing is not whole: ${asked}, the service still could not read ${plural(missing.length, 'project')} (${names}). Run this again later, or raise max-retries.`,
    );
    this.name = 'PartialListingError';
    this.missing = missing;
  }
}

/**
 * Reads every project of the account, page by page, whether or not the service announces pages.
 * @throws ControlApiError
 * @throws PartialListingError when projects stay unavailable
 */
export async function* readProjects(
  parts: ListingParts,
): AsyncGenerator<readonly Project[], void, void> {
  for (const limit of LIMITS) {
    const reader = new PageReader(parts, limit);
    try {
      yield* readPages((cursor) => reader.read(cursor), idOf, ATTEMPT);
    } catch (error) {
      if (limit === undefined || reader.pages > 0 || !isAboutLimit(error, parts.orgId)) throw error;
      continue;
    }
    await reader.provenWhole();
    yield* reader.behindEdges();
    return;
  }
}

function idOf({ id }: Project): string {
  return id;
}

/** A 400 may be about the page size, unless the service says that it wants the organisation, which was not named. */
function isAboutLimit(error: unknown, orgId: string | undefined): boolean {
  if (!(error instanceof ControlApiError)) return false;
  const wantsOrganisation = orgId === undefined && isAboutOrganisation(error);
  return (error.status === 400 || error.status === 422) && !wantsOrganisation;
}

/** What the best known service answers to a personal key of an organisation's account. */
export function isAboutOrganisation({ status, finding }: ControlApiError): boolean {
  return status === 400 && /org_id/.test(finding);
}

class PageReader {
  readonly #parts: ListingParts;
  readonly #limit: number | undefined;
  #announced = false;
  /** Of every project so far, where cursors are timestamps. */
  #ids: Set<string> | undefined;
  #largest = 0;
  /** Pages read so far. */
  pages = 0;

  constructor(parts: ListingParts, limit: number | undefined) {
    this.#parts = parts;
    this.#limit = limit;
  }

  /** One page; what a first answer could not read may be in a later one. */
  async read(cursor: string | undefined) {
    const found = new Map<string, Project>();
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#ask(this.#limit, cursor);
      this.#announced ||= answer.pagination != null;
      const unavailable = answer.unavailable_project_ids ?? [];
      if (unavailable.length === 0 && found.size === 0) return this.#page(answer.projects, answer);
      for (const project of answer.projects) found.set(project.id, project);
      const missing = unavailable.filter((id) => !found.has(id));
      if (missing.length === 0) {
        // Of an earlier answer only what this one could not read: the rest may be gone by now.
        const late = unavailable.flatMap((id) => found.get(id) ?? []);
        return this.#page([...answer.projects, ...late], answer);
      }
      await this.#pause(missing, tries);
    }
  }

  #page(
    items: readonly Project[],
    { pagination }: Awaited<ReturnType<ControlApi['listProjects']>>,
  ) {
    this.pages += 1;
    this.#largest = Math.max(this.#largest, items.length);
    if (!Number.isNaN(parseMoment(pagination?.cursor))) this.#ids ??= new Set();
    for (const { id } of items) this.#ids?.add(id);
    return { items, cursor: pagination?.cursor };
  }

  #ask(limit: number | undefined, cursor: string | undefined) {
    const { api, orgId, call } = this.#parts;
    return api.listProjects({ limit, cursor, orgId }, call);
  }

  async #pause(missing: readonly string[], tries: number): Promise<void> {
    const { clock, random, maxRetries, call, onPartial } = this.#parts;
    if (tries > maxRetries) throw new PartialListingError(missing, tries);
    const pause = pauseMs(tries, undefined, random());
    onPartial(missing, pause);
    await sleep(clock, pause, call.signal);
  }

  /**
   * A service that lists everything at once and one that cuts off without a word look alike where a page is exactly as large
   * as was asked for. Another size tells them apart.
   * @throws ControlApiError when the listing was cut off
   */
  async provenWhole(): Promise<void> {
    const limit = this.#limit;
    if (this.#announced || limit === undefined || this.#largest !== limit) return;
    const other = await this.#ask(limit - 1, undefined);
    // One that it could not read now is one that it has.
    const has = other.projects.length + (other.unavailable_project_ids?.length ?? 0);
    if (has >= limit || other.pagination != null) return;
    throw new ControlApiError('endless', {
      attempt: ATTEMPT,
      finding: `the service lists ${limit} projects at most and does not say how to get the rest. Report it to its operator`,
    });
  }

  /**
   * What other page sizes show beside. Where cursors are timestamps (section 2.4 of the contract), two projects can share
   * one, and the second may lie behind the edge of a page; pages of another size have their edges elsewhere.
   * @throws ControlApiError when every reading shows more than those before
   */
  async *behindEdges(): AsyncGenerator<readonly Project[], void, void> {
    const ids = this.#ids;
    if (this.#limit === undefined || ids === undefined || this.pages < 2) return;
    for (let readings = 2; readings <= MOST_READINGS; readings += 1) {
      const before = ids.size;
      const other = new PageReader(this.#parts, this.#limit - LESS * (readings - 1));
      for await (const page of readPages((cursor) => other.read(cursor), idOf, ATTEMPT)) {
        const late = page.filter(({ id }) => !ids.has(id));
        for (const { id } of late) ids.add(id);
        if (late.length > 0) yield late;
      }
      if (ids.size === before) return;
    }
    throw new ControlApiError('endless', {
      attempt: ATTEMPT,
      finding: `each of ${MOST_READINGS} readings showed more projects than those before. Run this again later`,
    });
  }
}
