"use strict";
exports.id = 580;
exports.ids = [580];
exports.modules = {

/***/ 612:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  program: () => (/* binding */ program)
});

// EXTERNAL MODULE: external "node:v8"
var external_node_v8_ = __webpack_require__(877);
;// CONCATENATED MODULE: ./lib/clock.js
const LONGEST_TIMER = 2 ** 31 - 1;
const systemClock = {
    monotonic: () => performance.now(),
    wall: () => Date.now(),
    timer(ms, callback) {
        const end = performance.now() + ms;
        let handle;
        const arm = () => {
            const rest = end - performance.now();
            handle = setTimeout(() => {
                if (performance.now() < end)
                    arm();
                else
                    callback();
            }, Math.min(Math.max(0, rest), LONGEST_TIMER));
        };
        arm();
        return () => clearTimeout(handle);
    },
};
function sleep(clock, ms, signal) {
    return new Promise((resolve, reject) => {
        if (signal.aborted) {
            reject(signal.reason);
            return;
        }
        const onAbort = () => {
            stop();
            reject(signal.reason);
        };
        const stop = clock.timer(ms, () => {
            signal.removeEventListener('abort', onAbort);
            resolve();
        });
        signal.addEventListener('abort', onAbort, { once: true });
    });
}
const SIGN_OF_LIFE_MS = 30_000;
function every(clock, ms, callback) {
    let stop = () => { };
    const arm = () => {
        stop = clock.timer(ms, () => {
            arm();
            callback();
        });
    };
    arm();
    return () => stop();
}

// EXTERNAL MODULE: ./node_modules/pretty-ms/index.js + 1 modules
var pretty_ms = __webpack_require__(692);
;// CONCATENATED MODULE: ./lib/durations.js

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 3650 * UNITS_MS.d;
function parseDuration(text) {
    const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text);
    if (match === null)
        return undefined;
    const unit = (match[2] || 's');
    const ms = Math.round(Number(match[1]) * UNITS_MS[unit]);
    return ms <= LONGEST_MS ? ms : undefined;
}
function formatDuration(ms) {
    if (ms < 950)
        return `${Math.round(ms)}ms`;
    if (ms < 10_000)
        return `${(Math.round(ms / 100) / 10).toString()}s`;
    return (0,pretty_ms/* default */.A)(Math.round(ms / 1000) * 1000, { unitCount: 2 });
}

;// CONCATENATED MODULE: ./lib/control-api/errors.js
class ControlApiError extends Error {
    kind;
    attempt;
    finding;
    status;
    retryAfterMs;
    constructor(kind, facts) {
        super(`Failed to ${facts.attempt}: ${facts.finding}`, { cause: facts.cause });
        this.name = 'ControlApiError';
        this.kind = kind;
        this.attempt = facts.attempt;
        this.finding = facts.finding;
        this.status = facts.status;
        this.retryAfterMs = facts.retryAfterMs;
    }
}
const PASSING = new Set([
    'busy',
    'rate-limited',
    'unavailable',
    'unreadable',
    'timed-out',
]);
function isPassing(error) {
    return error instanceof ControlApiError && PASSING.has(error.kind);
}

;// CONCATENATED MODULE: ./lib/control-api/service-clock.js
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, \d\d[ -]\w{3}[ -](\d\d){1,2} \d\d:\d\d:\d\d GMT$/;
const EARLIEST = Date.UTC(2024, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000;
function parseHttpDate(text) {
    return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
}
class ServiceClock {
    #clock;
    #header;
    #newest;
    constructor(clock) {
        this.#clock = clock;
    }
    learn(header) {
        const date = parseHttpDate(header ?? '');
        if (date >= EARLIEST && date < LATEST)
            this.#header = this.#readingOf(date);
    }
    saw(moment) {
        if (moment < LATEST && moment > this.now() && this.#believes(moment))
            this.#newest = this.#readingOf(moment);
    }
    now() {
        const told = this.#told();
        if (this.#newest === undefined)
            return told;
        const least = this.#carriedOn(this.#newest);
        return this.#believes(least) ? Math.max(told, least) : told;
    }
    #told() {
        return this.#header === undefined ? this.#clock.wall() : this.#carriedOn(this.#header);
    }
    #believes(moment) {
        return this.#header === undefined || moment - this.#told() <= MOST_AHEAD_MS;
    }
    #readingOf(date) {
        return { date, at: this.#clock.monotonic() };
    }
    #carriedOn({ date, at }) {
        return date + (this.#clock.monotonic() - at);
    }
}

;// CONCATENATED MODULE: ./lib/control-api/retry.js



const LONGEST_RETRY_AFTER_MS = 120_000;
const LONG_PAUSE_MS = 5000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;
function pauseMs(tries, retryAfterMs, random) {
    const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)) * random;
    if (retryAfterMs === undefined)
        return backoff;
    return Math.max(backoff, retryAfterMs + Math.min(1000, retryAfterMs * 0.1) * random);
}
async function withRetries(attempt, policy, { clock, random }, signal, onRetry) {
    for (let tries = 1;; tries += 1) {
        try {
            return await attempt();
        }
        catch (error) {
            if (!isPassing(error) || tries > policy.retries)
                throw error;
            if ((error.retryAfterMs ?? 0) > policy.longestRetryAfterMs)
                throw error;
            const pause = pauseMs(tries, error.retryAfterMs, random());
            onRetry(error, pause);
            await sleep(clock, pause, signal);
        }
    }
}
function retryAfterMs(header, now) {
    if (header === undefined)
        return undefined;
    const text = header.trim();
    if (/^\d{1,12}(\.\d+)?$/.test(text))
        return Number(text) * 1000;
    const ms = parseHttpDate(text) - now;
    return ms > 0 ? ms : undefined;
}

;// CONCATENATED MODULE: ./lib/control-api/advice.js



function errorTitle({ kind }) {
    switch (kind) {
        case 'unauthorized':
            return 'Wrong API key';
        case 'untrusted':
            return 'Certificate not trusted';
        case 'redirected':
            return 'Redirected';
        case 'not-found':
            return 'Not found';
        case 'rate-limited':
            return 'Rate limited';
        case 'busy':
        case 'unavailable':
        case 'timed-out':
            return 'The service did not answer';
        case 'unreadable':
            return 'The answer is unreadable';
        case 'endless':
            return 'The answer does not end';
        default:
            return 'The service refused';
    }
}
function nextStep(error) {
    if (error.kind === 'not-found')
        return ' Check that base-url ends in the version prefix.';
    if (error.kind === 'refused')
        return ' Check base-url, and what the key may do.';
    if (!isPassing(error))
        return '';
    return tooLongToWait(error) || ' Run this again later, or raise max-retries.';
}
function tooLongToWait({ retryAfterMs = 0 }) {
    if (retryAfterMs <= LONGEST_RETRY_AFTER_MS)
        return '';
    return ` That is longer than the ${formatDuration(LONGEST_RETRY_AFTER_MS)} that are waited for: run this again later.`;
}

;// CONCATENATED MODULE: ./lib/control-api/json.js
const MAY_ROUND = /\d{16}/;
function parseJson(text) {
    if (!MAY_ROUND.test(text))
        return JSON.parse(text);
    return JSON.parse(text, (_key, value, context) => {
        if (typeof value !== 'number' || Number.isSafeInteger(value))
            return value;
        const source = context?.source ?? '';
        return /^-?\d+$/.test(source) ? BigInt(source) : value;
    });
}
const { rawJSON } = JSON;
function stringifyJson(value, indent) {
    return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? rawJSON(part.toString()) : part), indent);
}

;// CONCATENATED MODULE: ./lib/text.js
const INVISIBLE = /\udb40[\udc00-\udc7f]|[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const LONGEST_READ = 65_536;
function oneLine(text, longest = 300) {
    const line = text.slice(0, LONGEST_READ).replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();
    const characters = [...line.slice(0, longest * 2 + 2)];
    const isCut = characters.length > longest || text.length > LONGEST_READ;
    return isCut ? `${characters.slice(0, longest - 1).join('')}…` : line;
}
function notACommand(line) {
    return line.replaceAll('##[', '## [').replace(/^([\s\u0085]*)::/, '$1: :');
}
function sentence(text) {
    return text.endsWith('.') ? text : `${text}.`;
}
function grouped(count) {
    return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
function plural(count, noun) {
    return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
function listed(items, most = 5) {
    const shown = items.slice(0, most);
    const rest = items.length - shown.length;
    if (rest > 0)
        shown.push(`${grouped(rest)} more`);
    const last = shown.pop() ?? '';
    return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

;// CONCATENATED MODULE: ./lib/list-projects/glob.js
function matchesGlob(glob, text) {
    const wanted = [...glob];
    const given = [...text];
    let at = 0;
    let star = -1;
    let resume = 0;
    for (let next = 0; next < given.length;) {
        if (wanted[at] === '*') {
            star = at;
            resume = next;
            at += 1;
        }
        else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === given[next])) {
            at += 1;
            next += 1;
        }
        else if (star >= 0) {
            at = star + 1;
            resume += 1;
            next = resume;
        }
        else {
            return false;
        }
    }
    return wanted.slice(at).every((rest) => rest === '*');
}

;// CONCATENATED MODULE: ./lib/list-projects/filter.js

const FIELDS = [
    { input: 'region-id', list: 'regionIds', field: 'region_id' },
    { input: 'platform-id', list: 'platformIds', field: 'platform_id' },
    { input: 'pg-version', list: 'pgVersions', field: 'pg_version' },
];
class BlindFilters {
    #left;
    constructor(filter) {
        this.#left = FIELDS.filter(({ list }) => (filter[list]?.length ?? 0) > 0);
    }
    saw(project) {
        if (this.#left.length > 0)
            this.#left = this.#left.filter(({ field }) => project[field] == null);
    }
    get inputs() {
        return this.#left.map(({ input }) => input);
    }
}
function isWanted(filter, project) {
    return (hasWantedName(filter.names, project.name) &&
        isIn(filter.regionIds, project.region_id) &&
        isIn(filter.platformIds, project.platform_id) &&
        isIn(filter.pgVersions, project.pg_version));
}
function mayBelongTo(orgId, { org_id }) {
    return orgId === undefined || typeof org_id !== 'string' || org_id === orgId;
}
function hasWantedName(globs, name) {
    if (globs === undefined)
        return true;
    const excluding = globs.filter((glob) => glob.startsWith('!'));
    const including = globs.filter((glob) => !glob.startsWith('!'));
    if (excluding.some((glob) => matchesGlob(glob.slice(1), name)))
        return false;
    if (including.length === 0)
        return excluding.length > 0;
    return including.some((glob) => matchesGlob(glob, name));
}
function isIn(list, value) {
    return list === undefined || (value != null && list.includes(String(value)));
}

;// CONCATENATED MODULE: ./lib/control-api/pages.js


const MOST_PAGES = 1000;
async function* readPages(read, idOf, attempt) {
    const seenIds = new Set();
    const seenCursors = new Set();
    let cursor;
    for (let pages = 1;; pages += 1) {
        const page = await read(cursor);
        const fresh = page.items.filter((item) => {
            const id = idOf(item);
            if (seenIds.has(id))
                return false;
            seenIds.add(id);
            return true;
        });
        if (fresh.length === 0)
            return;
        if (pages > MOST_PAGES) {
            throw new ControlApiError('endless', {
                attempt,
                finding: `the listing did not end after ${grouped(MOST_PAGES)} pages. The service hands out new cursors without an end; report it to its operator`,
            });
        }
        yield fresh;
        if (page.cursor == null || page.cursor === '' || seenCursors.has(page.cursor))
            return;
        seenCursors.add(page.cursor);
        cursor = page.cursor;
    }
}

;// CONCATENATED MODULE: ./lib/moments.js
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|z|[+-]\d{2}:?\d{2})?)?$/;
const COMMON = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
function parseMoment(text) {
    if (text != null && COMMON.test(text))
        return Date.parse(text);
    const match = MOMENT.exec(text ?? '');
    if (match === null || text == null)
        return Number.NaN;
    const [, year, month, day, hours, , , zone] = match;
    const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
    if (Number(day) > lastDay)
        return Number.NaN;
    const iso = text.replace(' ', 'T').toUpperCase();
    return Date.parse(hours === undefined || zone !== undefined ? iso : `${iso}Z`);
}

;// CONCATENATED MODULE: ./lib/list-projects/listing.js






const LIMITS = [400, 100, undefined];
const ATTEMPT = 'list the projects';
const LESS = 29;
const MOST_READINGS = 5;
class PartialListingError extends Error {
    missing;
    constructor(missing, tries) {
        const names = listed(missing.map((id) => oneLine(id, 80)), 10);
        const asked = tries === 1 ? 'after being asked once' : `after being asked ${tries} times`;
        super(`The listing is not whole: ${asked}, the service still could not read ${plural(missing.length, 'project')} (${names}). Run this again later, or raise max-retries.`);
        this.name = 'PartialListingError';
        this.missing = missing;
    }
}
async function* readProjects(parts) {
    for (const limit of LIMITS) {
        const reader = new PageReader(parts, limit);
        try {
            yield* readPages((cursor) => reader.read(cursor), idOf, ATTEMPT);
        }
        catch (error) {
            if (limit === undefined || reader.pages > 0 || !isAboutLimit(error, parts.orgId))
                throw error;
            continue;
        }
        await reader.provenWhole();
        yield* reader.behindEdges();
        return;
    }
}
function idOf({ id }) {
    return id;
}
function isAboutLimit(error, orgId) {
    if (!(error instanceof ControlApiError))
        return false;
    const wantsOrganisation = orgId === undefined && isAboutOrganisation(error);
    return (error.status === 400 || error.status === 422) && !wantsOrganisation;
}
function isAboutOrganisation({ status, finding }) {
    return status === 400 && /org_id/.test(finding);
}
class PageReader {
    #parts;
    #limit;
    #announced = false;
    #ids;
    #largest = 0;
    pages = 0;
    constructor(parts, limit) {
        this.#parts = parts;
        this.#limit = limit;
    }
    async read(cursor) {
        const found = new Map();
        for (let tries = 1;; tries += 1) {
            const answer = await this.#ask(this.#limit, cursor);
            this.#announced ||= answer.pagination != null;
            const unavailable = answer.unavailable_project_ids ?? [];
            if (unavailable.length === 0 && found.size === 0)
                return this.#page(answer.projects, answer);
            for (const project of answer.projects)
                found.set(project.id, project);
            const missing = unavailable.filter((id) => !found.has(id));
            if (missing.length === 0) {
                const late = unavailable.flatMap((id) => found.get(id) ?? []);
                return this.#page([...answer.projects, ...late], answer);
            }
            await this.#pause(missing, tries);
        }
    }
    #page(items, { pagination }) {
        this.pages += 1;
        this.#largest = Math.max(this.#largest, items.length);
        if (!Number.isNaN(parseMoment(pagination?.cursor)))
            this.#ids ??= new Set();
        for (const { id } of items)
            this.#ids?.add(id);
        return { items, cursor: pagination?.cursor };
    }
    #ask(limit, cursor) {
        const { api, orgId, call } = this.#parts;
        return api.listProjects({ limit, cursor, orgId }, call);
    }
    async #pause(missing, tries) {
        const { clock, random, maxRetries, call, onPartial } = this.#parts;
        if (tries > maxRetries)
            throw new PartialListingError(missing, tries);
        const pause = pauseMs(tries, undefined, random());
        onPartial(missing, pause);
        await sleep(clock, pause, call.signal);
    }
    async provenWhole() {
        const limit = this.#limit;
        if (this.#announced || limit === undefined || this.#largest !== limit)
            return;
        const other = await this.#ask(limit - 1, undefined);
        const has = other.projects.length + (other.unavailable_project_ids?.length ?? 0);
        if (has >= limit || other.pagination != null)
            return;
        throw new ControlApiError('endless', {
            attempt: ATTEMPT,
            finding: `the service lists ${limit} projects at most and does not say how to get the rest. Report it to its operator`,
        });
    }
    async *behindEdges() {
        const ids = this.#ids;
        if (this.#limit === undefined || ids === undefined || this.pages < 2)
            return;
        for (let readings = 2; readings <= MOST_READINGS; readings += 1) {
            const before = ids.size;
            const other = new PageReader(this.#parts, this.#limit - LESS * (readings - 1));
            for await (const page of readPages((cursor) => other.read(cursor), idOf, ATTEMPT)) {
                const late = page.filter(({ id }) => !ids.has(id));
                for (const { id } of late)
                    ids.add(id);
                if (late.length > 0)
                    yield late;
            }
            if (ids.size === before)
                return;
        }
        throw new ControlApiError('endless', {
            attempt: ATTEMPT,
            finding: `each of ${MOST_READINGS} readings showed more projects than those before. Run this again later`,
        });
    }
}

;// CONCATENATED MODULE: ./lib/list-projects/report.js
function listedProject(project) {
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
const MOST_SHOWN = 200;

;// CONCATENATED MODULE: ./lib/list-projects/list.js










async function listProjects(settings, parts, cancelled, keep) {
    const { api, clock, serviceClock, random, maxRetries, observe } = parts;
    const beganAt = clock.monotonic();
    const shown = [];
    const regions = new Set();
    let count = 0;
    let cpuUsedSec;
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
                    if (pauseMs >= LONG_PAUSE_MS)
                        observe({ type: 'retry', error, pauseMs });
                },
            },
            onPartial: (missing, pauseMs) => observe({ type: 'partial', missing, pauseMs }),
        });
        for await (const page of pages) {
            read += page.length;
            for (const project of page)
                blind.saw(project);
            const wanted = page.filter((project) => mayBelongTo(settings.orgId, project) && isWanted(settings.filter, project));
            count += wanted.length;
            for (const project of wanted) {
                if (shown.length < MOST_SHOWN)
                    shown.push(listedProject(project));
                if (project.region_id != null)
                    regions.add(project.region_id);
                if (project.cpu_used_sec != null)
                    cpuUsedSec = (cpuUsedSec ?? 0) + Number(project.cpu_used_sec);
            }
            if (wanted.length > 0)
                keep(wanted.map((project) => ({ project, json: toJson(project) })));
        }
    }
    catch (error) {
        return { ...endingOf(error, settings.orgId, cancelled, soFar().elapsedMs), ...soFar() };
    }
    finally {
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
function toJson(project) {
    try {
        return stringifyJson(project);
    }
    catch {
        throw new ControlApiError('unreadable', {
            attempt: 'list the projects',
            finding: `project ${oneLine(project.id, 80)} is nested deeper than JSON can be written. Report it to the service's operator`,
        });
    }
}
function endingOf(error, orgId, cancelled, elapsedMs) {
    if (cancelled.aborted) {
        const message = `Cancelled after ${formatDuration(elapsedMs)}; the listing is not whole.`;
        return { result: 'cancelled', title: 'Cancelled', message, missing: [] };
    }
    if (error instanceof PartialListingError) {
        const { message, missing } = error;
        return { result: 'failed', title: 'Projects are missing', message, missing };
    }
    if (!(error instanceof ControlApiError))
        throw error;
    const finding = sentence(error.message);
    const result = { result: 'failed', missing: [] };
    if (orgId === undefined && isAboutOrganisation(error)) {
        const message = `${finding} The key belongs to an organisation's account: name the organisation in org-id.`;
        return { ...result, title: 'Organisation needed', message };
    }
    const isUnknown = error.kind === 'refused' || error.kind === 'not-found';
    const organisation = orgId !== undefined && isUnknown ? ' Check org-id, too.' : '';
    const message = `${finding}${nextStep(error)}${organisation}`;
    return { ...result, title: errorTitle(error), message };
}

;// CONCATENATED MODULE: ./lib/runner/list-log.js


const LARGEST_MATRIX = 256;
function listLog(log) {
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
                if (names === missing)
                    return;
                missing = names;
                log.info(`The service could not read ${plural(event.missing.length, 'project')} (${names}). Asking again in ${formatDuration(event.pauseMs)}.`);
                return;
            }
            case 'alive':
                log.info(`Still listing: ${plural(event.read, 'project')} and ${plural(event.requests, 'request')} in ${formatDuration(event.elapsedMs)}.`);
                return;
        }
    };
}
function showListEnd(runner, report, file, leftOut) {
    const { log } = runner;
    if (report.result !== 'listed') {
        runner.fail(report.message, { title: report.title });
        return;
    }
    const { count, shown } = report;
    if (count > 0) {
        const lines = shown.map(described);
        const rest = count - shown.length;
        if (rest > 0)
            lines.push(`… and ${plural(rest, 'project')} more`);
        log.group(plural(count, 'project'), lines);
    }
    if (leftOut.length > 0) {
        const [what, it] = leftOut.length === 1
            ? [`output ${listed(leftOut)} is`, 'it']
            : [`outputs ${listed(leftOut)} are`, 'they'];
        log.warning(`The ${what} left out: with the others ${it} would be larger than the 1 MiB that GitHub takes. The file ${oneLine(file)} has every project in full.`, { title: 'Output left out' });
    }
    if (count > LARGEST_MATRIX) {
        log.warning(`The matrix has ${grouped(count)} entries, and GitHub makes at most ${LARGEST_MATRIX} jobs of one. Narrow the listing with project-name, region-id, platform-id or pg-version.`, { title: 'Matrix too large' });
    }
    for (const input of report.blind) {
        log.warning(`No project matches ${input}, because the service gives none of its ${plural(report.read, 'project')} such a field. Filter by project-name instead.`, { title: 'Filter without a field' });
    }
    log.info(outcome(report));
    log.info(`In full: ${oneLine(file)}`);
}
function described({ name, id, regionId, pgVersion }) {
    const parts = [`${oneLine(name, 80)} (${oneLine(id, 120)})`];
    if (regionId !== null)
        parts.push(oneLine(regionId, 80));
    if (pgVersion !== null)
        parts.push(`Postgres ${pgVersion}`);
    return parts.join(', ');
}
function outcome({ count, read, elapsedMs, requests }) {
    const took = `${plural(requests, 'request')}, ${formatDuration(elapsedMs)}`;
    if (read === 0)
        return `The account has no projects (${took}).`;
    const matching = count === read ? '' : `, of which ${grouped(count)} ${count === 1 ? 'matches' : 'match'}`;
    return `Listed ${plural(read, 'project')}${matching} (${took}).`;
}
function fileFault(path, fault) {
    const { code = 'unknown error' } = fault;
    const where = path === undefined ? 'A file in RUNNER_TEMP' : `output-file: "${oneLine(path, 200)}"`;
    return {
        title: 'File not written',
        message: `${where} cannot be written (${code}). Name a file, not a folder, at a place where the job may write and has room.`,
    };
}

;// CONCATENATED MODULE: ./lib/runner/runner.js
const LARGEST_OUTPUTS = 1024 * 1024;

;// CONCATENATED MODULE: ./lib/runner/list-outputs.js


class BoundedText {
    #pieces = [];
    size;
    #begin;
    #end;
    constructor(begin, end) {
        this.#begin = begin;
        this.#end = end;
        this.size = begin.length + end.length;
    }
    get fits() {
        return this.size <= LARGEST_OUTPUTS;
    }
    add(item) {
        if (!this.fits)
            return;
        const piece = item();
        this.size += Buffer.byteLength(piece) + (this.#pieces.length === 0 ? 0 : 1);
        this.#pieces.push(piece);
        if (!this.fits)
            this.#pieces = [];
    }
    text() {
        return this.#begin + this.#pieces.join(',') + this.#end;
    }
}
class ListTexts {
    #texts = {
        projects: new BoundedText('[', ']'),
        matrix: new BoundedText('{"include":[', ']}'),
        'project-ids': new BoundedText('[', ']'),
    };
    add({ project, json }) {
        this.#texts.projects.add(() => json);
        this.#texts.matrix.add(() => stringifyJson(matrixEntry(project)));
        this.#texts['project-ids'].add(() => JSON.stringify(project.id));
    }
    outputs(report, file) {
        if (report.result !== 'listed')
            return { outputs: noListOutputs(), leftOut: [] };
        const small = { count: String(report.count), 'projects-file': file };
        const large = Object.entries(this.#texts).sort(([, a], [, b]) => a.size - b.size);
        const leftOut = [];
        const smallSize = Buffer.byteLength(Object.values(small).join(''));
        while (large.reduce((sum, [, { size }]) => sum + size, smallSize) > LARGEST_OUTPUTS)
            leftOut.push(large.pop()?.[0] ?? '');
        const kept = Object.fromEntries(large.map(([name, bounded]) => [name, bounded.text()]));
        return { outputs: { ...small, ...kept }, leftOut };
    }
}
function matrixEntry({ id, name, region_id, pg_version }) {
    return { id, name, region_id: region_id ?? null, pg_version: pg_version ?? null };
}
function noListOutputs() {
    return { projects: '', 'project-ids': '', matrix: '', count: '', 'projects-file': '' };
}

;// CONCATENATED MODULE: ./lib/runner/markdown.js

function code(text, longest = 120) {
    return `<code>${numbered(oneLine(text, longest))}</code>`;
}
function plain(text, longest = 300) {
    return numbered(oneLine(text, longest));
}
const MEANINGFUL = /[^\p{L}\p{N} .,;'()_-]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<=[wW]{3})\.|\.(?=\p{L})|^-|(?<=^\d+)[.)]/gu;
function numbered(text) {
    return text.replace(MEANINGFUL, (character) => `&#${character.codePointAt(0)};`);
}
function row(cells) {
    return `| ${cells.join(' | ')} |`;
}
function table(head, rows, numeric = []) {
    const rule = head.map((_name, column) => (numeric.includes(column) ? '---:' : '---'));
    return [row(head), row(rule), ...rows.map(row)].join('\n');
}
function diagramName(text, longest = 40) {
    const name = text.replace(/[^A-Za-z0-9_ .-]+/g, ' ').trim();
    return name === '' ? 'unnamed' : name.slice(0, longest);
}
function diagramLabel(text, longest = 80) {
    const label = text.replace(/[^A-Za-z0-9_ .:/-]+/g, ' ').trim();
    return label === '' ? 'unnamed' : label.slice(0, longest);
}

;// CONCATENATED MODULE: ./lib/runner/list-summary.js





const MOST_ROWS = 100;
const MOST_MISSING = 50;
function listSummary(report) {
    const parts = report.result === 'listed'
        ? [`### ${heading(report)}`, plain(list_summary_sentence(report), 1000), projectsTable(report)]
        : [
            report.result === 'cancelled'
                ? '### 🛑 The listing was cancelled'
                : '### ❌ The projects could not be listed',
            plain(report.message, 2000),
            missingList(report.missing),
        ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}
function heading({ count, read }) {
    if (read === 0)
        return '🗂️ The account has no projects';
    if (count === 0)
        return '🗂️ No project matches';
    return `🗂️ ${plural(count, 'project')}`;
}
function list_summary_sentence(report) {
    const { count, regions, cpuUsedSec } = report;
    const parts = [outcome(report)];
    if (regions > 1)
        parts.push(`They lie in ${plural(regions, 'region')}.`);
    if (count > 1 && cpuUsedSec !== undefined)
        parts.push(`Together they used ${hours(cpuUsedSec)} of CPU time.`);
    return parts.join(' ');
}
function projectsTable({ count, shown, endedAt }) {
    if (count === 0)
        return '';
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
    if (rest > 0)
        parts.push(`… and ${plural(rest, 'project')} more.`);
    if (inTable.some((project) => hasBareLimit(project)))
        parts.push('<sub>A size limit without a unit is as the service gives it.</sub>');
    return parts.join('\n\n');
}
function hours(seconds) {
    const time = seconds / 3600;
    if (time > 0 && time < 0.05)
        return 'under 0.1 h';
    return `${time < 100 ? String(Math.round(time * 10) / 10) : grouped(Math.round(time))} h`;
}
function hasBareLimit({ sizeLimitBytes, sizeLimit: limit }) {
    return sizeLimitBytes === undefined && limit !== undefined;
}
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
function sizeLimit({ sizeLimitBytes, sizeLimit: limit }) {
    if (sizeLimitBytes === undefined)
        return limit === undefined ? '–' : String(limit);
    let size = Number(sizeLimitBytes);
    let unit = 0;
    while (size >= 1024 && unit < UNITS.length - 1) {
        size /= 1024;
        unit += 1;
    }
    return `${Math.round(size * 10) / 10} ${UNITS[unit]}`;
}
function age({ createdAt }, now) {
    const ageMs = now - parseMoment(createdAt);
    return Number.isNaN(ageMs) ? '–' : formatDuration(Math.max(1000, ageMs));
}
function missingList(missing) {
    if (missing.length === 0)
        return '';
    const lines = missing.slice(0, MOST_MISSING).map((id) => `- ${code(id)}`);
    const rest = missing.length - lines.length;
    if (rest > 0)
        lines.push(`- … and ${plural(rest, 'project')} more`);
    return `Not listed:\n\n${lines.join('\n')}`;
}

// EXTERNAL MODULE: ./node_modules/valibot/dist/index.mjs
var dist = __webpack_require__(934);
// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __webpack_require__(67);
// EXTERNAL MODULE: external "node:https"
var external_node_https_ = __webpack_require__(708);
// EXTERNAL MODULE: ./node_modules/@actions/http-client/lib/index.js + 1 modules
var lib = __webpack_require__(942);
;// CONCATENATED MODULE: ./lib/control-api/http.js



class HttpFault extends Error {
    kind;
    perhapsSent;
    constructor(kind, message, perhapsSent, cause) {
        super(message, { cause });
        this.name = 'HttpFault';
        this.kind = kind;
        this.perhapsSent = perhapsSent;
    }
}
const LARGEST_BODY = 32 * 1024 * 1024;
function createHttp(userAgent) {
    const client = new lib/* HttpClient */.Qq(userAgent, [], {
        keepAlive: true,
        socketTimeout: 2 ** 31 - 1,
    });
    return {
        async exchange({ method, url, headers, body }, signal) {
            const secure = url.protocol === 'https:';
            const options = {
                host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
                port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
                path: url.pathname + url.search,
                method,
                headers: { 'user-agent': userAgent, ...headers },
                agent: client.getAgent(url.href),
                signal,
            };
            const info = { options, parsedUrl: url, httpModule: secure ? external_node_https_ : external_node_http_ };
            try {
                const answer = client
                    .requestRaw(info, body)
                    .then(({ message }) => readAnswer(message, signal));
                return await Promise.race([answer, rejectedBy(signal)]);
            }
            catch (error) {
                signal.throwIfAborted();
                throw error instanceof HttpFault ? error : networkFault(error);
            }
        },
        close: () => client.dispose(),
    };
}
function rejectedBy(signal) {
    return new Promise((_resolve, reject) => {
        if (signal.aborted)
            reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
}
function readAnswer(message, signal) {
    return new Promise((resolve, reject) => {
        const chunks = [];
        let size = 0;
        const fail = (fault) => {
            message.destroy();
            reject(fault);
        };
        message.on('data', (chunk) => {
            size += chunk.length;
            chunks.push(chunk);
            if (size > LARGEST_BODY) {
                fail(new HttpFault('too-large', `the answer is larger than ${LARGEST_BODY >> 20} MiB`, true));
            }
        });
        message.on('end', () => {
            if (!message.complete)
                return;
            const body = Buffer.concat(chunks).toString('utf8');
            resolve({ status: message.statusCode ?? 0, headers: message.headers, body });
        });
        message.on('error', (error) => {
            fail(new HttpFault('garbled', 'the answer was cut off in the middle', true, error));
        });
        message.on('close', () => {
            fail(new HttpFault('garbled', 'the answer was cut off in the middle', true));
        });
        if (signal.aborted)
            message.destroy();
    });
}
const UNTRUSTED = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;
function networkFault(error) {
    const { code = '', syscall = '' } = error;
    const name = code || (error instanceof Error ? error.name : 'unknown error');
    if (UNTRUSTED.test(code)) {
        return new HttpFault('untrusted', `the certificate does not verify (${name})`, false, error);
    }
    if (code.startsWith('HPE_')) {
        return new HttpFault('garbled', `the answer is not HTTP (${name})`, true, error);
    }
    const proxyStatus = /^tunneling socket could not be established, statusCode=(\d+)$/.exec(error instanceof Error ? error.message : '')?.[1];
    if (proxyStatus !== undefined) {
        const kind = /^4(?!08|29)/.test(proxyStatus) ? 'proxy' : 'network';
        return new HttpFault(kind, `the proxy answered ${proxyStatus}`, false);
    }
    if (error instanceof Error && error.message.startsWith('tunneling socket could not')) {
        return new HttpFault('network', 'the proxy could not be reached. Check HTTPS_PROXY and NO_PROXY', false);
    }
    if (error instanceof Error && error.message.includes('before secure TLS connection')) {
        const words = `the connection was cut before it was secure (${name})`;
        return new HttpFault('network', words, false, error);
    }
    const unsent = syscall === 'connect' || syscall.startsWith('getaddrinfo') || error instanceof AggregateError;
    return new HttpFault('network', networkWords(code, name), !unsent, error);
}
function networkWords(code, name) {
    switch (code) {
        case 'ECONNREFUSED':
            return `the connection was refused (${name})`;
        case 'ENOTFOUND':
        case 'EAI_AGAIN':
            return `the host name was not found (${name})`;
        case 'ECONNRESET':
        case 'EPIPE':
            return `the connection was cut (${name})`;
        default:
            return `the network failed (${name})`;
    }
}

;// CONCATENATED MODULE: ./lib/control-api/answers.js





function answerError(call, answer, { retryAfterMs, redact, refusal }) {
    const { status } = answer;
    const kind = statusKind(status, call.method);
    const quotable = !call.confidential || (status >= 400 && status < 500);
    const words = quotable ? serviceWords(answer, redact) : '';
    const detail = words === '' ? '' : ` (${words})`;
    const asks = retryAfterMs ? `, and asks to wait ${formatDuration(retryAfterMs)}` : '';
    return new ControlApiError(kind, {
        attempt: call.attempt,
        finding: `the service answered ${status}${detail}${asks}${advice(kind, refusal)}`,
        status,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
}
function faultError(call, error, timedOutAfter) {
    const write = call.method !== 'GET';
    if (timedOutAfter !== undefined) {
        return new ControlApiError(write ? 'ambiguous' : 'timed-out', {
            attempt: call.attempt,
            finding: `no whole answer came within ${timedOutAfter} s (request-timeout)`,
            cause: error,
        });
    }
    if (!(error instanceof HttpFault))
        throw error;
    const kinds = {
        network: 'unavailable',
        garbled: 'unreadable',
        untrusted: 'untrusted',
        proxy: 'refused',
        'too-large': 'endless',
    };
    const kind = write && error.perhapsSent ? 'ambiguous' : kinds[error.kind];
    const finding = `${error.message}${hintOf(error)}${advice(kind)}`;
    return new ControlApiError(kind, { attempt: call.attempt, finding, cause: error });
}
function statusKind(status, method) {
    if (status >= 300 && status < 400)
        return 'redirected';
    switch (status) {
        case 401:
            return 'unauthorized';
        case 404:
            return 'not-found';
        case 423:
            return 'busy';
        case 429:
            return 'rate-limited';
        case 425:
        case 503:
            return 'unavailable';
        case 501:
        case 505:
            return 'refused';
    }
    if (status !== 408 && status >= 400 && status < 500)
        return 'refused';
    if (method !== 'GET')
        return 'ambiguous';
    return status === 408 || status >= 500 ? 'unavailable' : 'unreadable';
}
function serviceWords(answer, redact) {
    let body;
    try {
        body = parseJson(answer.body);
    }
    catch {
        body = undefined;
    }
    const field = (name) => {
        const value = typeof body === 'object' && body !== null
            ? body[name]
            : undefined;
        return typeof value === 'string' ? value : '';
    };
    const header = answer.headers['x-request-id'];
    const id = field('request_id') || (typeof header === 'string' ? header : '');
    const words = [oneLine(redact(field('message')))];
    if (id !== '')
        words.push(`request ${oneLine(redact(id), 80)}`);
    return words.filter((word) => word !== '').join('; ');
}
const NOT_HTTP = /^(EPROTO|HPE_|ERR_SSL_)/;
function hintOf({ kind, perhapsSent, cause }) {
    if (kind === 'proxy')
        return '. Check HTTPS_PROXY and NO_PROXY on the runner';
    const { code } = (cause ?? {});
    const elsewhere = (kind === 'network' && !perhapsSent && cause !== undefined) || NOT_HTTP.test(code ?? '');
    return elsewhere ? '. Check base-url if it stays so' : '';
}
function advice(kind, refusal) {
    switch (kind) {
        case 'unauthorized':
            return `. ${refusal ?? 'The API key is wrong or revoked: check the secret that is passed as api-key'}`;
        case 'redirected':
            return '. Redirects are not followed, because the key would travel along: check base-url';
        case 'untrusted':
            return '. Where the service has a private certificate authority, name its file in NODE_EXTRA_CA_CERTS';
        default:
            return '';
    }
}

;// CONCATENATED MODULE: ./lib/control-api/paths.js

const ID = /^[A-Za-z0-9._~-]+$/;
function isSafeId(id) {
    return ID.test(id) && id !== '.' && id !== '..';
}
class UnsafeIdError extends Error {
    constructor(what, id) {
        super(`The ${what} ${JSON.stringify(oneLine(id, 80))} is not an id: only letters, digits, ".", "_", "~" and "-" are allowed, for example "aged-salad-686906".`);
        this.name = 'UnsafeIdError';
    }
}
function segment(what, id) {
    if (!isSafeId(id))
        throw new UnsafeIdError(what, id);
    return encodeURIComponent(id);
}

// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(975);
;// CONCATENATED MODULE: ./lib/secret.js

const HEADER_TEXT = /^[\x21-\x7e]+$/;
const SHORTEST = 6;
const ESCAPE = /%[\da-f]{2}|&#|&[a-z]+;|\\[u"\\/]/i;
const NAMED = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    "'": '&apos;',
    '"': '&quot;|\\\\"',
    '\\': '\\\\\\\\',
    '/': '\\\\/',
};
class Secret {
    #value;
    #echoes;
    #anySpelling;
    constructor(value) {
        this.#value = value;
        if (value.length < SHORTEST) {
            this.#echoes = [];
            return;
        }
        const bytes = Buffer.from(value);
        const encoded = [`Bearer ${value}`, value].map((text) => Buffer.from(text));
        this.#echoes = [
            value,
            ...encoded.map((whole) => whole.toString('base64').replace(/=+$/, '')),
            ...encoded.map((whole) => whole.toString('base64url')),
            ...[0, 1, 2].flatMap((shift) => base64Digits(bytes, shift)),
            bytes.toString('hex'),
            bytes.toString('hex').toUpperCase(),
        ].filter((form, index, all) => all.indexOf(form) === index);
    }
    reveal() {
        return this.#value;
    }
    redact(text) {
        const plain = this.#echoes.reduce((redacted, form) => redacted.replaceAll(form, '***'), text);
        return this.#echoes.length > 0 && ESCAPE.test(plain)
            ? plain.replace(this.#spelled(), '***')
            : plain;
    }
    mayBeIn(json) {
        if (json.includes('\\') || this.#echoes.some((form) => json.includes(form)))
            return true;
        return this.#echoes.length > 0 && ESCAPE.test(json) && this.#spelled().test(json);
    }
    #spelled() {
        this.#anySpelling ??= [...this.#value]
            .map((one) => {
            const code = one.codePointAt(0) ?? 0;
            const hex = code.toString(16);
            const uri = encodeURIComponent(one.toWellFormed());
            const escaped = uri === one ? `%${hex}` : uri;
            const json = `\\\\u0*${hex}`;
            return `(?:${literal(one)}|${escaped}|&#0*${code};?|&#x0*${hex};?|${json}|${NAMED[one] ?? escaped})`;
        })
            .join('');
        return new RegExp(this.#anySpelling, 'gi');
    }
    redactAll(value) {
        if (typeof value === 'string')
            return this.redact(value);
        if (Array.isArray(value))
            return value.map((item) => this.redactAll(item));
        if (typeof value !== 'object' || value === null)
            return value;
        return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.redact(name), this.redactAll(item)]));
    }
    toString() {
        return '***';
    }
    toJSON() {
        return '***';
    }
    [external_node_util_.inspect.custom]() {
        return '***';
    }
}
function literal(text) {
    return text
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('');
}
function base64Digits(bytes, shift) {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
    const from = Math.ceil((shift * 8) / 6);
    const to = Math.floor((whole.length * 8) / 6);
    return [whole.toString('base64').slice(from, to), whole.toString('base64url').slice(from, to)];
}

;// CONCATENATED MODULE: ./lib/control-api/schemas.js


function noArray() {
    return dist/* custom */.IeY((answer) => !Array.isArray(answer));
}
const optionalText = dist/* nullish */.cl6(dist/* string */.YjP());
const keyId = dist/* union */.KCZ([dist/* pipe */.FsL(dist/* number */.aig(), dist/* safeInteger */.Y2b()), dist/* bigint */.oad()]);
const wholeNumber = dist/* union */.KCZ([dist/* pipe */.FsL(dist/* number */.aig(), dist/* integer */.ndf()), dist/* bigint */.oad()]);
const operationSchema = dist/* looseObject */._H3({
    id: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* nonEmpty */.hq()),
    project_id: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* nonEmpty */.hq()),
    branch_id: optionalText,
    endpoint_id: optionalText,
    action: dist/* string */.YjP(),
    status: dist/* string */.YjP(),
    failures_count: dist/* nullish */.cl6(dist/* number */.aig()),
    created_at: dist/* string */.YjP(),
    updated_at: dist/* string */.YjP(),
    error: optionalText,
});
const pagination = dist/* nullish */.cl6(dist/* pipe */.FsL(noArray(), dist/* looseObject */._H3({ cursor: optionalText })));
const operationsPageSchema = dist/* looseObject */._H3({
    operations: dist/* array */.YOg(operationSchema),
    pagination,
});
const operationAnswerSchema = dist/* looseObject */._H3({ operation: operationSchema });
const projectSchema = dist/* looseObject */._H3({
    id: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* nonEmpty */.hq()),
    name: dist/* string */.YjP(),
    platform_id: optionalText,
    region_id: optionalText,
    pg_version: dist/* nullish */.cl6(wholeNumber),
    cpu_used_sec: dist/* nullish */.cl6(wholeNumber),
    branch_logical_size_limit: dist/* nullish */.cl6(wholeNumber),
    created_at: optionalText,
    updated_at: optionalText,
});
const projectsPageSchema = dist/* looseObject */._H3({
    projects: dist/* array */.YOg(projectSchema),
    pagination,
    unavailable_project_ids: dist/* nullish */.cl6(dist/* array */.YOg(dist/* string */.YjP())),
});
const apiKeySchema = dist/* looseObject */._H3({
    id: keyId,
    name: dist/* string */.YjP(),
    created_at: optionalText,
    last_used_at: optionalText,
    last_used_from_addr: optionalText,
});
const apiKeysSchema = dist/* array */.YOg(apiKeySchema);
const createdKeySchema = dist/* looseObject */._H3({
    id: keyId,
    key: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* regex */.yGV(HEADER_TEXT)),
});
const revokedKeySchema = dist/* pipe */.FsL(noArray(), dist/* looseObject */._H3({
    id: dist/* optional */.lqM(keyId),
    name: optionalText,
    revoked: dist/* nullish */.cl6(dist/* boolean */.zMY()),
}));

;// CONCATENATED MODULE: ./lib/control-api/client.js









class ControlApi {
    #parts;
    #requests = 0;
    constructor(parts) {
        this.#parts = parts;
    }
    get requests() {
        return this.#requests;
    }
    async listOperations(projectId, page, options) {
        const path = `/projects/${segment('project id', projectId)}/operations${query({ ...page })}`;
        const attempt = `list the operations of project ${oneLine(projectId, 120)}`;
        const answer = await this.#read(attempt, path, operationsPageSchema, options);
        this.#parts.serviceClock.saw(newest(answer.operations));
        return answer;
    }
    async getOperation(projectId, operationId, options) {
        const path = `/projects/${segment('project id', projectId)}/operations/${segment('operation id', operationId)}`;
        const attempt = `read operation ${oneLine(operationId, 120)} of project ${oneLine(projectId, 120)}`;
        const schema = dist/* pipe */.FsL(operationAnswerSchema, dist/* check */.z6Y(({ operation }) => operation.id.toLowerCase() === operationId.toLowerCase()));
        return (await this.#read(attempt, path, schema, options)).operation;
    }
    async listProjects(page, options) {
        const { limit, cursor, orgId } = page;
        const path = `/projects${query({ limit, cursor, org_id: orgId })}`;
        return this.#read('list the projects', path, projectsPageSchema, options);
    }
    async listApiKeys(options) {
        const keys = await this.#read('list the API keys', '/api_keys', apiKeysSchema, options);
        this.#parts.serviceClock.saw(newest(keys));
        return keys;
    }
    async createApiKey(keyName, options) {
        return this.#call({
            attempt: `create the API key ${oneLine(keyName, 80)}`,
            method: 'POST',
            path: '/api_keys',
            body: { key_name: keyName },
            schema: createdKeySchema,
            confidential: true,
        }, options);
    }
    async revokeApiKey(keyId, options) {
        return this.#call({
            attempt: `revoke the API key ${keyId}`,
            method: 'DELETE',
            path: `/api_keys/${segment('key id', keyId)}`,
            schema: revokedKeySchema,
        }, options);
    }
    #read(attempt, path, schema, options) {
        return this.#call({ attempt, method: 'GET', path, schema }, options);
    }
    #call(call, options) {
        const { clock, random, maxRetries, onRetry } = this.#parts;
        const policy = {
            retries: options.retries ?? maxRetries,
            longestRetryAfterMs: options.longestRetryAfterMs ?? LONGEST_RETRY_AFTER_MS,
        };
        const once = () => this.#once(call, options.signal);
        return withRetries(once, policy, { clock, random }, options.signal, (error, pauseMs) => {
            onRetry(error, pauseMs);
            options.onRetry?.(error, pauseMs);
        });
    }
    async #once(call, signal) {
        await this.#parts.throttle.take(signal);
        const answer = await this.#exchange(call, signal);
        const { apiKey, serviceClock } = this.#parts;
        serviceClock.learn(answer.headers.date);
        if (answer.status < 200 || answer.status > 299) {
            throw answerError(call, answer, {
                retryAfterMs: retryAfterMs(answer.headers['retry-after'], serviceClock.now()),
                redact: (text) => apiKey.redact(text),
                refusal: this.#parts.refusal,
            });
        }
        return this.#validated(call, answer);
    }
    async #exchange(call, signal) {
        const { clock, http, requestTimeoutMs } = this.#parts;
        const ending = new AbortController();
        const onAbort = () => ending.abort(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted)
            onAbort();
        const stop = clock.timer(requestTimeoutMs, () => ending.abort(new Error('request timeout')));
        this.#requests += 1;
        try {
            return await http.exchange(this.#request(call), ending.signal);
        }
        catch (error) {
            signal.throwIfAborted();
            const seconds = requestTimeoutMs / 1000;
            throw faultError(call, error, ending.signal.aborted ? seconds : undefined);
        }
        finally {
            stop();
            signal.removeEventListener('abort', onAbort);
        }
    }
    #request({ method, path, body }) {
        const headers = {
            accept: 'application/json',
            authorization: `Bearer ${this.#parts.apiKey.reveal()}`,
        };
        const url = new URL(this.#parts.baseUrl + path);
        if (body === undefined)
            return { method, url, headers };
        headers['content-type'] = 'application/json';
        return { method, url, headers, body: stringifyJson(body) };
    }
    #validated(call, { status, body }) {
        const unreadable = (finding) => new ControlApiError(call.method === 'GET' ? 'unreadable' : 'ambiguous', {
            attempt: call.attempt,
            finding,
            status,
        });
        let json;
        try {
            json = parseJson(body);
            if (this.#parts.apiKey.mayBeIn(body))
                json = this.#parts.apiKey.redactAll(json);
        }
        catch {
            throw unreadable(body === ''
                ? `the answer (${status}) is empty`
                : `the answer (${status}) is not JSON. Check base-url if it stays so`);
        }
        const result = dist/* safeParse */.xLC(call.schema, json, { abortEarly: true });
        if (result.success)
            return result.output;
        const path = oneLine(dist/* getDotPath */.BuJ(result.issues[0]) ?? '', 80);
        const where = path === '' ? '' : ` at "${path}"`;
        throw unreadable(`the answer (${status}) is not what was asked for${where}`);
    }
}
function newest(items) {
    return items.reduce((latest, { created_at }) => Math.max(latest, parseMoment(created_at) || latest), Number.NEGATIVE_INFINITY);
}
function query(parameters) {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
        if (value !== undefined)
            search.set(name, String(value));
    }
    return search.size === 0 ? '' : `?${search}`;
}

;// CONCATENATED MODULE: ./lib/control-api/throttle.js

class Throttle {
    #clock;
    #perMs;
    #burst;
    #tokens;
    #filledAt;
    #last = Promise.resolve();
    constructor(clock, { perSecond = 10, burst = 20 } = {}) {
        this.#clock = clock;
        this.#perMs = perSecond / 1000;
        this.#burst = burst;
        this.#tokens = burst;
        this.#filledAt = clock.monotonic();
    }
    async take(signal) {
        const previous = this.#last;
        let done = () => { };
        this.#last = new Promise((resolve) => {
            done = resolve;
        });
        try {
            await turnOrAbort(previous, signal);
            this.#fill();
            if (this.#tokens < 1) {
                await sleep(this.#clock, Math.ceil((1 - this.#tokens) / this.#perMs), signal);
                this.#fill();
            }
            this.#tokens -= 1;
        }
        finally {
            previous.then(done);
        }
    }
    #fill() {
        const now = this.#clock.monotonic();
        this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#filledAt) * this.#perMs);
        this.#filledAt = now;
    }
}
async function turnOrAbort(turn, signal) {
    let giveUp = () => { };
    const aborted = new Promise((_resolve, reject) => {
        giveUp = () => reject(signal.reason);
    });
    signal.addEventListener('abort', giveUp, { once: true });
    try {
        await Promise.race([turn, aborted]);
        signal.throwIfAborted();
    }
    finally {
        signal.removeEventListener('abort', giveUp);
    }
}

;// CONCATENATED MODULE: ./lib/action/world.js




const USER_AGENT = 'cloud-database-control';
function connect({ clock, random, runner }, connection, http) {
    const serviceClock = new ServiceClock(clock);
    const throttle = new Throttle(clock);
    const createApi = (apiKey, refusal) => new ControlApi({
        ...connection,
        ...(refusal === undefined ? {} : { refusal }),
        apiKey,
        http,
        clock,
        random,
        serviceClock,
        throttle,
        onRetry: (error, pause) => runner.log.debug(`${error.message}. Trying again in ${formatDuration(pause)}.`),
    });
    return { createApi, serviceClock };
}

;// CONCATENATED MODULE: ./lib/action/list.js





async function runList(world, common, settings) {
    const { runner } = world;
    runner.onBreakdown(() => runner.setOutputs(noListOutputs()));
    let file;
    try {
        file = runner.createFile(settings.outputFile, 'projects.json');
    }
    catch (fault) {
        runner.setOutputs(noListOutputs());
        const { title, message } = fileFault(settings.outputFile, fault);
        runner.fail(message, { title });
        return false;
    }
    try {
        return await listInto(file, world, common, settings);
    }
    finally {
        file.discard();
    }
}
async function listInto(file, world, common, settings) {
    const { runner, clock, random } = world;
    const { maxRetries } = common;
    const http = world.createHttp(USER_AGENT);
    try {
        const { createApi, serviceClock } = connect(world, common, http);
        const api = createApi(common.apiKey);
        const observe = listLog(runner.log);
        const texts = new ListTexts();
        let separator = '[';
        const parts = { api, clock, serviceClock, random, maxRetries, observe };
        const listed = await listProjects(settings, parts, runner.cancelled, (wanted) => {
            file.write(separator + wanted.map(({ json }) => json).join(','));
            separator = ',';
            for (const project of wanted)
                texts.add(project);
        });
        if (listed.result === 'listed')
            file.write(separator === '[' ? '[]' : ']');
        const report = kept(listed, file, settings.outputFile);
        const { outputs, leftOut } = texts.outputs(report, file.path);
        runner.setOutputs(outputs);
        if (common.summary)
            await runner.writeSummary(listSummary(report));
        showListEnd(runner, report, file.path, leftOut);
        return report.result === 'listed';
    }
    finally {
        http.close();
    }
}
function kept(report, file, outputFile) {
    if (report.result !== 'listed')
        return report;
    try {
        file.finish();
        return report;
    }
    catch (fault) {
        const { read, requests, elapsedMs } = report;
        const ending = fileFault(outputFile, fault);
        return { result: 'failed', ...ending, missing: [], read, requests, elapsedMs };
    }
}

;// CONCATENATED MODULE: ./lib/rotate-key/settings.js
function targetName(target) {
    switch (target.kind) {
        case 'organization':
            return `organization:${target.org}`;
        case 'environment':
            return `environment:${target.owner}/${target.repo}/${target.environment}`;
        default:
            return `${target.kind}:${target.owner}/${target.repo}`;
    }
}

;// CONCATENATED MODULE: ./lib/inputs/catalog.js
const MODES = ['wait-operations', 'rotate-key', 'list-projects'];
const INPUTS = {
    mode: { mode: undefined, default: '' },
    'api-key': { mode: undefined, default: '' },
    'base-url': { mode: undefined, default: '' },
    'request-timeout': { mode: undefined, default: '30s' },
    'max-retries': { mode: undefined, default: '5' },
    summary: { mode: undefined, default: 'true' },
    'project-id': { mode: 'wait-operations', default: '' },
    'operation-ids': { mode: 'wait-operations', default: '' },
    operations: { mode: 'wait-operations', default: '' },
    'operations-file': { mode: 'wait-operations', default: '' },
    'branch-id': { mode: 'wait-operations', default: '' },
    actions: { mode: 'wait-operations', default: '' },
    'require-actions': { mode: 'wait-operations', default: '' },
    since: { mode: 'wait-operations', default: '' },
    'poll-interval': { mode: 'wait-operations', default: '5s' },
    timeout: { mode: 'wait-operations', default: '10m' },
    'fail-fast': { mode: 'wait-operations', default: 'true' },
    'failed-grace': { mode: 'wait-operations', default: '0s' },
    'key-name': { mode: 'rotate-key', default: '' },
    'old-key-ids': { mode: 'rotate-key', default: '' },
    'revoke-old': { mode: 'rotate-key', default: '' },
    'keep-previous': { mode: 'rotate-key', default: '0' },
    'rotate-after': { mode: 'rotate-key', default: '' },
    'dry-run': { mode: 'rotate-key', default: 'false' },
    'secret-name': { mode: 'rotate-key', default: '' },
    'secret-targets': { mode: 'rotate-key', default: 'repository' },
    'github-token': { mode: 'rotate-key', default: '' },
    'project-name': { mode: 'list-projects', default: '' },
    'region-id': { mode: 'list-projects', default: '' },
    'platform-id': { mode: 'list-projects', default: '' },
    'pg-version': { mode: 'list-projects', default: '' },
    'org-id': { mode: 'list-projects', default: '' },
    'output-file': { mode: 'list-projects', default: '' },
};

;// CONCATENATED MODULE: ./lib/inputs/form.js






class InputError extends Error {
    faults;
    constructor(faults) {
        const [first = ''] = faults;
        super(faults.length === 1
            ? `Bad input. ${first}`
            : `${faults.length} bad inputs.\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
        this.name = 'InputError';
        this.faults = faults;
    }
}
const WHY_EMPTY = '. A secret that does not exist is empty, and so is every secret in a pull request from a fork';
const DURATION = {
    allowed: 'a number, then s, m, h or d (nothing means seconds)',
    example: '30s',
};
const form_ID = {
    allowed: 'letters, digits, ".", "_", "~" and "-"',
    example: 'aged-salad-686906',
};
class Form {
    #source;
    #faults = [];
    #secrets;
    constructor(source) {
        this.#source = source;
        this.#secrets = ['api-key', 'github-token'].map((name) => new Secret(source.input(name)));
    }
    quoted(text) {
        const safe = this.#secrets.reduce((shown, secret) => secret.redact(shown), text);
        return `"${oneLine(safe, 80)}"`;
    }
    redacted(json) {
        return this.#secrets.reduce((value, secret) => secret.redactAll(value), json);
    }
    check() {
        if (this.#faults.length > 0)
            throw new InputError(this.#faults);
    }
    fault(name, problem, { allowed, example }) {
        this.#faults.push(`${name}: ${problem}. Allowed: ${allowed}. Example: ${example}`);
    }
    text(name) {
        return this.#source.input(name);
    }
    isGiven(name) {
        const text = this.text(name);
        return text !== '' && text !== INPUTS[name].default;
    }
    required(name, rule) {
        const text = this.text(name);
        if (text === '')
            this.fault(name, 'is required', rule);
        return text;
    }
    choice(name, choices) {
        const rule = { allowed: choices.join(', '), example: choices[0] ?? '' };
        const text = this.required(name, rule);
        const choice = choices.find((one) => one === text);
        if (choice === undefined && text !== '')
            this.fault(name, `${this.quoted(text)} is not known`, rule);
        return choice;
    }
    duration(name, { atLeastMs = 0, example = DURATION.example } = {}) {
        const text = this.text(name) || INPUTS[name].default;
        const ms = parseDuration(text);
        const rule = { allowed: DURATION.allowed, example };
        if (ms === undefined) {
            this.fault(name, `${this.quoted(text)} is not a duration, or is longer than ten years`, rule);
            return 0;
        }
        if (ms < atLeastMs) {
            const allowed = `at least ${atLeastMs / 1000}s`;
            this.fault(name, `${this.quoted(text)} is too short`, { allowed, example });
        }
        return ms;
    }
    boolean(name) {
        const text = this.text(name) || INPUTS[name].default;
        if (['true', 'True', 'TRUE'].includes(text))
            return true;
        if (!['false', 'False', 'FALSE'].includes(text)) {
            const rule = { allowed: 'true or false', example: INPUTS[name].default };
            this.fault(name, `${this.quoted(text)} is neither true nor false`, rule);
        }
        return false;
    }
    wholeNumber(name, { atMost }) {
        const text = this.text(name) || INPUTS[name].default;
        if (/^\d{1,9}$/.test(text) && Number(text) <= atMost)
            return Number(text);
        const rule = { allowed: `a whole number from 0 to ${atMost}`, example: INPUTS[name].default };
        this.fault(name, `${this.quoted(text)} is out of range or not a whole number`, rule);
        return 0;
    }
    id(name) {
        const text = this.text(name);
        if (text === '')
            return undefined;
        if (!isSafeId(text))
            this.fault(name, `${this.quoted(text)} is not an id`, form_ID);
        this.refuseSecret(name, text, form_ID);
        return text;
    }
    ids(name, example) {
        const items = this.#list(name, /[\s,]+/, example);
        const bad = items?.find((item) => !isSafeId(item));
        if (bad !== undefined)
            this.fault(name, `${this.quoted(bad)} is not an id`, { ...form_ID, example });
        this.refuseSecret(name, items?.join(' ') ?? '', { ...form_ID, example });
        return items;
    }
    holdsSecret(text) {
        return this.#secrets.some((secret) => secret.redact(text) !== text);
    }
    refuseSecret(name, text, rule) {
        if (!this.holdsSecret(text))
            return;
        this.fault(name, 'holds the value of api-key or github-token', rule);
    }
    names(name, example) {
        return this.#list(name, /[\n\r,]+/, example, 'newlines or commas')?.map((item) => item.trim());
    }
    #list(name, separator, example, between = 'newlines, commas or blanks') {
        const text = this.text(name);
        if (text === '')
            return undefined;
        const rule = {
            allowed: `a list (${between} between, or a JSON array)`,
            example,
        };
        const items = text.startsWith('[')
            ? jsonItems(text)
            : text.split(separator).filter((item) => item.trim() !== '');
        if (items === undefined)
            this.fault(name, 'looks like a JSON array of strings and is none', rule);
        else if (items.length === 0 && !text.startsWith('['))
            this.fault(name, 'holds no item', rule);
        return items && [...new Set(items)];
    }
    file(name) {
        const path = this.text(name);
        if (path === '')
            return undefined;
        try {
            const bytes = this.#source.readFile(path);
            const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
            return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
        }
        catch (error) {
            const { code } = error;
            const why = code === 'ENOENT'
                ? 'there is no such file'
                : `it cannot be read (${code ?? 'unknown error'})`;
            const rule = {
                allowed: 'the path of a text file, absolute or relative to the workspace',
                example: 'branch.json',
            };
            this.fault(name, `${this.quoted(path)}: ${why}`, rule);
            return undefined;
        }
    }
}
function jsonItems(text) {
    try {
        const items = parseJson(text);
        if (!Array.isArray(items))
            return undefined;
        const isItem = (item) => (typeof item === 'string' && item !== '') ||
            Number.isSafeInteger(item) ||
            typeof item === 'bigint';
        return items.every(isItem) ? items.map(String) : undefined;
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./lib/inputs/rotate.js



const KEY_NAME = {
    allowed: 'a name of 64 characters at most, on one line',
    example: 'octo-org/octo-repo/deploy',
};
const LONGEST_KEY_NAME = 64;
const SECRET_NAME = {
    allowed: 'letters, digits and "_", not beginning with a digit or GITHUB_',
    example: 'DATABASE_API_KEY',
};
const TARGETS = {
    allowed: 'repository, repository:OWNER/NAME, environment:NAME, environment:OWNER/NAME/ENVIRONMENT, organization:ORG, dependabot:OWNER/NAME',
    example: 'repository, environment:production',
};
const TOKEN = {
    allowed: "a token that may write secrets (the workflow's own may not), without blanks",
    example: '${{ steps.app-token.outputs.token }}',
};
const WHENS = ['immediately', 'after-job', 'never'];
const MOST_KEPT = 1000;
function readRotate(form, repository, warn) {
    const keyName = form.required('key-name', KEY_NAME);
    if ([...keyName].length > LONGEST_KEY_NAME || /\p{Cc}|\p{Zl}|\p{Zp}/u.test(keyName)) {
        form.fault('key-name', `${form.quoted(keyName)} is too long or not on one line`, KEY_NAME);
    }
    form.refuseSecret('key-name', keyName, KEY_NAME);
    const store = readStore(form, repository, warn);
    const fallback = store ? 'immediately' : 'after-job';
    const revokeOld = form.isGiven('revoke-old')
        ? (form.choice('revoke-old', WHENS) ?? fallback)
        : fallback;
    const oldKeyIds = readKeyIds(form);
    const rotateAfterMs = form.isGiven('rotate-after')
        ? form.duration('rotate-after', { example: '30d' })
        : undefined;
    const keepPrevious = form.wholeNumber('keep-previous', { atMost: MOST_KEPT });
    const dryRun = form.boolean('dry-run');
    if (revokeOld !== 'never' && oldKeyIds !== undefined && keepPrevious > 0) {
        warn('keep-previous has no effect on the keys that old-key-ids names; the others stay valid anyway.');
    }
    if (revokeOld === 'never' && keepPrevious > 0) {
        warn('keep-previous has no effect: revoke-old is never.');
    }
    if (revokeOld === 'never' && oldKeyIds !== undefined) {
        warn('old-key-ids has no effect: revoke-old is never.');
    }
    return {
        order: {
            keyName,
            oldKeyIds,
            revokeOld,
            keepPrevious,
            rotateAfterMs,
            dryRun,
            targets: store?.targets.length ?? 0,
        },
        store,
    };
}
function readKeyIds(form) {
    const ids = form.ids('old-key-ids', '165434, 165435');
    const bad = ids?.find((id) => !/^\d{1,19}$/.test(id));
    if (bad !== undefined) {
        const rule = { allowed: 'the ids of keys, which are whole numbers', example: '165434, 165435' };
        form.fault('old-key-ids', `${form.quoted(bad)} is not the id of a key`, rule);
    }
    return ids;
}
function readStore(form, repository, warn) {
    const secretName = form.text('secret-name');
    if (secretName === '') {
        if (form.isGiven('secret-targets')) {
            form.fault('secret-targets', 'needs secret-name', SECRET_NAME);
        }
        if (form.isGiven('github-token'))
            warn('github-token has no effect without secret-name.');
        return undefined;
    }
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(secretName) || /^GITHUB_/i.test(secretName)) {
        form.fault('secret-name', `${form.quoted(secretName)} is not the name of a secret`, SECRET_NAME);
    }
    form.refuseSecret('secret-name', secretName, SECRET_NAME);
    const token = form.text('github-token');
    if (token === '')
        form.fault('github-token', `is required with secret-name${WHY_EMPTY}`, TOKEN);
    else if (!HEADER_TEXT.test(token))
        form.fault('github-token', 'holds blanks or other characters that no token has', TOKEN);
    return { secretName, targets: readTargets(form, repository), token: new Secret(token) };
}
function readTargets(form, repository) {
    const names = form.names('secret-targets', TARGETS.example) ?? ['repository'];
    form.refuseSecret('secret-targets', names.join('\n'), TARGETS);
    const targets = new Map();
    for (const name of names) {
        const target = parseTarget(name, repository);
        if (target === undefined)
            form.fault('secret-targets', `${form.quoted(name)} is not a target`, TARGETS);
        else
            targets.set(targetName(target).toLowerCase(), target);
    }
    if (names.length === 0)
        form.fault('secret-targets', 'holds no target', TARGETS);
    return [...targets.values()];
}
const OWNER = '([A-Za-z0-9](?:[A-Za-z0-9_-]*))';
const REPO = '([A-Za-z0-9._-]+)';
function parseTarget(text, own) {
    const [, kind = '', rest] = /^([a-z]+)(?::(.*))?$/s.exec(text) ?? [];
    const [owner = '', repo = ''] = own.split('/');
    switch (kind) {
        case 'repository':
            if (rest === undefined)
                return owner === '' ? undefined : { kind, owner, repo };
            return inRepository(kind, rest);
        case 'dependabot':
            return rest === undefined ? undefined : inRepository(kind, rest);
        case 'organization':
            return new RegExp(`^${OWNER}$`).test(rest ?? '') ? { kind, org: rest ?? '' } : undefined;
        case 'environment': {
            if (rest === undefined || !isEnvironment(rest))
                return undefined;
            const full = new RegExp(`^${OWNER}/${REPO}/(.+)$`).exec(rest);
            if (full && isRepo(full[2]) && isEnvironment(full[3])) {
                return { kind, owner: full[1] ?? '', repo: full[2] ?? '', environment: full[3] ?? '' };
            }
            return owner === '' ? undefined : { kind, owner, repo, environment: rest };
        }
        default:
            return undefined;
    }
}
function inRepository(kind, text) {
    const match = new RegExp(`^${OWNER}/${REPO}$`).exec(text);
    if (match === null || !isRepo(match[2]))
        return undefined;
    return { kind, owner: match[1] ?? '', repo: match[2] ?? '' };
}
function isEnvironment(name = '') {
    return name.trim() === name && name !== '' && isRepo(name) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}
function isRepo(name) {
    return name !== '.' && name !== '..';
}

;// CONCATENATED MODULE: ./lib/rotate-key/github-api.js





class GitHubError extends Error {
    status;
    perhapsDone;
    constructor(message, status, perhapsDone) {
        super(message);
        this.name = 'GitHubError';
        this.status = status;
        this.perhapsDone = perhapsDone;
    }
}
class NotStoredError extends GitHubError {
}
const UNSAID_PAUSE_MS = 60_000;
class GitHubApi {
    #parts;
    #octokit;
    constructor(parts) {
        this.#parts = parts;
    }
    async call(call) {
        const { clock, random, maxRetries, token } = this.#parts;
        let perhapsDone = false;
        for (let tries = 1;; tries += 1) {
            if (call.tooLate?.()) {
                throw new GitHubError(`Failed to ${call.attempt}: too much time has passed since the key was created, so it was not tried`, undefined, perhapsDone);
            }
            const fault = await this.#try(call).catch((error) => faultOf(error));
            call.signal.throwIfAborted();
            if (!('finding' in fault))
                return fault;
            perhapsDone ||= fault.perhapsDone;
            const tooLong = (fault.retryAfterMs ?? 0) > LONGEST_RETRY_AFTER_MS;
            if (!fault.passing || tries > maxRetries || tooLong) {
                const asks = tooLong ? `, and asks to wait ${formatDuration(fault.retryAfterMs ?? 0)}` : '';
                const finding = oneLine(token.redact(fault.finding), 400) + asks;
                throw new GitHubError(`Failed to ${call.attempt}: ${finding}`, fault.status, perhapsDone);
            }
            await sleep(clock, pauseMs(tries, fault.retryAfterMs, random()), call.signal);
        }
    }
    async #try({ route, parameters, signal, atMostMs, accepts }) {
        this.#octokit ??= createOctokit(this.#parts);
        const octokit = await this.#octokit;
        const ending = new AbortController();
        const onAbort = () => ending.abort(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted)
            onAbort();
        const { clock, requestTimeoutMs } = this.#parts;
        const patienceMs = Math.min(requestTimeoutMs, atMostMs ?? requestTimeoutMs);
        const stop = clock.timer(patienceMs, () => {
            ending.abort(new HttpFault('network', 'no whole answer came in time', true));
        });
        try {
            const answer = await octokit.request(route, {
                ...parameters,
                request: { signal: ending.signal, log: SILENT },
            });
            if (answer.status < 300 && !accepts(answer))
                throw new Garbled(answer.status);
            if (answer.status < 300)
                return answer;
            throw Object.assign(new Error('moved'), { status: answer.status });
        }
        finally {
            stop();
            signal.removeEventListener('abort', onAbort);
        }
    }
}
const SILENT = { debug() { }, info() { }, warn() { }, error() { } };
class Garbled extends Error {
    status;
    constructor(status) {
        super(`the answer (${status}) is not what was asked for`);
        this.status = status;
    }
}
async function createOctokit({ baseUrl, token, http }) {
    const { getOctokit } = await __webpack_require__.e(/* import() */ 413).then(__webpack_require__.bind(__webpack_require__, 413));
    return getOctokit(token.reveal(), { baseUrl, log: SILENT, request: { fetch: fetchOver(http) } });
}
function fetchOver(http) {
    return async (url, init) => {
        const answer = await http.exchange({
            method: (init.method ?? 'GET'),
            url: new URL(url),
            headers: init.headers,
            ...(typeof init.body === 'string' ? { body: init.body } : {}),
        }, init.signal ?? new AbortController().signal);
        const headers = Object.entries(answer.headers).flatMap(([name, value]) => value === undefined ? [] : [[name, String(value)]]);
        const hasBody = answer.status !== 204 && answer.status !== 304 && answer.status >= 200;
        return new Response(hasBody ? answer.body : null, { status: answer.status, headers });
    };
}
function faultOf(error) {
    if (error instanceof Garbled) {
        const { message: finding, status } = error;
        return { finding, status, passing: true, perhapsDone: true, retryAfterMs: undefined };
    }
    const { status, response, cause, message } = error;
    if (response === undefined && !(status !== undefined && status < 400)) {
        const perhapsSent = cause instanceof HttpFault ? cause.perhapsSent : true;
        const passing = !(cause instanceof HttpFault &&
            (cause.kind === 'untrusted' || cause.kind === 'proxy'));
        const why = cause instanceof HttpFault ? cause.message : message;
        return {
            finding: why,
            status: undefined,
            passing,
            perhapsDone: perhapsSent,
            retryAfterMs: undefined,
        };
    }
    if (status !== undefined && status >= 300 && status < 400) {
        const finding = `GitHub answered ${status}: the repository has moved or was renamed. Name it as it is called now in secret-targets`;
        return { finding, status, passing: false, perhapsDone: false, retryAfterMs: undefined };
    }
    const headers = response?.headers ?? {};
    const now = Date.parse(headers.date ?? '') || Date.now();
    const reset = headers['x-ratelimit-remaining'] === '0'
        ? Number(headers['x-ratelimit-reset']) * 1000 - now
        : Number.NaN;
    const unsaid = /secondary rate limit/i.test(message) ? UNSAID_PAUSE_MS : undefined;
    const after = retryAfterMs(headers['retry-after'], now) ?? (reset > 0 ? reset : undefined) ?? unsaid;
    const limited = status === 429 || (status === 403 && after !== undefined);
    const serverFault = status !== undefined && status >= 500;
    return {
        finding: `GitHub answered ${status} (${message})${github_api_advice(status, limited)}`,
        status,
        passing: limited || status === 408 || serverFault,
        perhapsDone: serverFault || status === 408,
        retryAfterMs: after,
    };
}
function github_api_advice(status, limited) {
    if (limited)
        return '';
    if (status === 401)
        return '. The token in github-token is wrong or has expired';
    if (status === 403)
        return ". The token in github-token may not write secrets here; the workflow's own token never may";
    if (status === 404)
        return '. It does not exist, or the token in github-token does not see it';
    return '';
}

;// CONCATENATED MODULE: ./lib/rotate-key/steps.js
function isFault(answer) {
    return 'fault' in answer;
}
function* ask(step) {
    return (yield step);
}

;// CONCATENATED MODULE: ./lib/rotate-key/revocation.js

const MOST_TRIES = 3;
function* revokeAll(ids, updatedAt) {
    for (const [target, before] of updatedAt.entries()) {
        const now = yield* ask({ do: 'read', target });
        if (isFault(now))
            return yield* nothing(`${now.message} Nothing was revoked.`);
        if (now.updatedAt !== before) {
            return yield* nothing(`Somebody else wrote the secret in ${now.place} after this rotation did. Nothing was revoked.`);
        }
    }
    const revoked = [];
    const perhaps = [];
    const problems = [];
    let valid;
    for (const id of ids) {
        const { problem, listed, isPerhaps } = yield* revokeOne(id);
        if (listed !== undefined || problem !== undefined)
            valid = listed;
        valid = valid?.filter((one) => problem !== undefined || one !== id);
        if (problem === undefined)
            revoked.push(id);
        else
            problems.push(problem);
        if (isPerhaps)
            perhaps.push(id);
    }
    return { revoked, perhaps, valid, problems };
}
function* nothing(problem) {
    const listed = yield* ask({ do: 'list', as: 'new' });
    const valid = isFault(listed) ? undefined : listed.keys.map((key) => key.id);
    return { revoked: [], perhaps: [], valid, problems: [problem] };
}
function* revokeOne(id) {
    let isPerhaps = false;
    for (let tries = 1;; tries += 1) {
        const answer = yield* ask({ do: 'revoke', id, as: 'new' });
        if (isFault(answer) ? answer.fault === 'gone' : answer.revoked)
            return {};
        const keys = yield* ask({ do: 'list', as: 'new' });
        const problem = isFault(answer) ? answer.message : `The service did not revoke key ${id}.`;
        isPerhaps ||= !isFault(answer) || answer.fault === 'lost';
        if (isFault(keys))
            return { problem, isPerhaps };
        const listed = keys.keys.map((key) => key.id);
        if (!listed.includes(id))
            return { listed };
        const again = isFault(answer) && answer.fault === 'lost' && tries < MOST_TRIES;
        if (!again)
            return { problem, listed };
    }
}

;// CONCATENATED MODULE: ./lib/rotate-key/generations.js
const YOUNG_MS = 10 * 60_000;
const HOLD_SLACK_MS = 60_000;
function plan(keys, targets, policy) {
    const distinct = once(keys);
    const generations = distinct.filter(({ name }) => name === policy.keyName).toSorted(newestFirst);
    const holders = targets.filter(({ secretAgeMs }) => secretAgeMs !== undefined);
    const orphans = holders.length === 0
        ? []
        : generations.filter((key) => !holders.some((target) => mayHold(target, key)));
    const revoke = revocable(distinct, generations, holders, policy);
    const keep = generations.filter((key) => !revoke.includes(key));
    return {
        generations,
        orphans,
        revoke,
        keep,
        young: policy.oldKeyIds === undefined ? keep.filter(isYoung) : [],
        fresh: isFresh(generations, targets, policy),
    };
}
function sparingYoung(plan, listed, newId) {
    const born = listed.find(({ id }) => id === newId)?.ageMs;
    if (born === undefined)
        return plan;
    const ages = new Map(listed.map(({ id, ageMs }) => [id, ageMs]));
    const isSpared = ({ id }) => {
        const ageMs = ages.get(id);
        return ageMs !== undefined && ageMs - born < YOUNG_MS;
    };
    const spared = plan.revoke.filter(isSpared);
    return {
        ...plan,
        revoke: plan.revoke.filter((key) => !spared.includes(key)),
        keep: [...plan.keep, ...spared],
        young: [...plan.young, ...spared],
    };
}
function newestFirst(a, b) {
    if (a.ageMs !== b.ageMs)
        return (a.ageMs ?? Number.POSITIVE_INFINITY) < (b.ageMs ?? Number.POSITIVE_INFINITY) ? -1 : 1;
    return BigInt(a.id) > BigInt(b.id) ? -1 : 1;
}
function once(keys) {
    return [...new Map(keys.map((key) => [key.id, key])).values()];
}
function isYoung({ ageMs }) {
    return ageMs !== undefined && ageMs < YOUNG_MS;
}
function mayHold({ secretAgeMs }, { ageMs }) {
    if (secretAgeMs === undefined)
        return false;
    return ageMs === undefined || secretAgeMs <= ageMs + HOLD_SLACK_MS;
}
function revocable(keys, generations, holders, policy) {
    if (policy.revokeOld === 'never')
        return [];
    if (policy.oldKeyIds !== undefined) {
        const named = policy.oldKeyIds;
        return keys.filter(({ id }) => named.includes(id));
    }
    const kept = keptByOverlap(generations, holders, policy.keepPrevious);
    return generations.filter((key) => !isYoung(key) && !kept.includes(key));
}
function keptByOverlap(generations, holders, count) {
    if (count === 0)
        return [];
    if (holders.length === 0)
        return generations.slice(0, count);
    const somewhere = generations.filter((key) => holders.some((target) => mayHold(target, key)));
    const everywhere = generations
        .filter((key) => holders.every((target) => mayHold(target, key)))
        .slice(0, count);
    const oldest = everywhere.at(-1);
    if (everywhere.length < count || oldest === undefined)
        return somewhere;
    return somewhere.filter((key) => everywhere.includes(key) || newestFirst(key, oldest) < 0);
}
function isFresh(generations, targets, policy) {
    const [newest] = generations;
    if (policy.rotateAfterMs === undefined || newest?.ageMs === undefined)
        return false;
    if (newest.ageMs >= policy.rotateAfterMs)
        return false;
    if (!targets.every((target) => mayHold(target, newest)))
        return false;
    return !isUnfinished(generations, policy);
}
function isUnfinished(generations, policy) {
    if (policy.revokeOld === 'never' || policy.oldKeyIds !== undefined)
        return false;
    return generations.filter((key) => !isYoung(key)).length > policy.keepPrevious + 1;
}

;// CONCATENATED MODULE: ./lib/rotate-key/rotation.js



function* rotation(order) {
    const end = {
        result: 'failed',
        rotated: false,
        newKeyId: undefined,
        lostKeyId: undefined,
        plan: undefined,
        stored: [],
        revoked: [],
        perhapsRevoked: [],
        pending: [],
        updatedAt: [],
        appeared: [],
        isCreateUnseen: false,
        valid: undefined,
        wrongKey: false,
        problems: [],
    };
    const keys = yield* look(order, end);
    if (keys === undefined || end.plan === undefined)
        return end;
    if (end.plan.fresh)
        return { ...end, result: 'fresh' };
    if (order.dryRun)
        return { ...end, result: 'dry-run' };
    const created = yield* create(order, keys, end);
    if (created === undefined)
        return end;
    const { id } = created;
    end.newKeyId = id;
    if (!(yield* prove(created, order, end)))
        return yield* undo(id, end);
    end.stored = yield* storeEverywhere(order.targets, end);
    const certain = end.stored.filter((stored) => stored === 'yes').length;
    if (order.targets > 0 && end.stored.every((stored) => stored === 'no'))
        return yield* undo(id, end);
    if (certain < order.targets)
        return yield* checkValid('caller', end);
    end.rotated = true;
    if (!(yield* prove(created, order, end)))
        return yield* checkValid('caller', end);
    const written = yield* rotation_readTargets(order.targets, end);
    if (written === undefined)
        return yield* checkValid('new', end);
    end.updatedAt = written;
    const due = end.plan.revoke.map((key) => key.id);
    if (order.revokeOld === 'after-job')
        return { ...end, result: 'rotated', pending: due };
    return yield* revoke(due, end);
}
function* look(order, end) {
    const listed = yield* ask({ do: 'list', as: 'caller' });
    if (isFault(listed)) {
        end.wrongKey = listed.fault === 'unauthorized';
        return note(end, listed);
    }
    const targets = [];
    for (let target = 0; target < order.targets; target += 1) {
        const seen = yield* ask({ do: 'look-at', target });
        if (isFault(seen))
            note(end, seen);
        else
            targets.push(seen);
    }
    const unknown = (order.oldKeyIds ?? []).filter((id) => !listed.keys.some((key) => key.id === id));
    if (unknown.length > 0) {
        problem(end, `old-key-ids: the account does not list ${unknown.join(', ')}.`);
    }
    if (end.problems.length > 0)
        return undefined;
    end.plan = plan(listed.keys, targets, order);
    return listed.keys;
}
function* create(order, before, end) {
    const known = new Set(before.map(({ id }) => id));
    for (let tries = 1;; tries += 1) {
        const answer = yield* ask({ do: 'create' });
        const fault = isFault(answer) ? answer : disbelieved(answer.id, known);
        if (fault === undefined && 'id' in answer) {
            return { id: answer.id, known: known.add(answer.id) };
        }
        if (fault?.fault !== 'lost')
            return fault && note(end, fault);
        const isLast = tries === 2;
        if (isLast)
            note(end, fault);
        const listed = yield* ask({ do: 'list', as: 'caller' });
        if (isFault(listed)) {
            if (!isLast)
                note(end, fault);
            note(end, listed);
            end.isCreateUnseen = true;
            return undefined;
        }
        noteAppeared(listed.keys, known, order, end);
        if (isLast)
            return undefined;
    }
}
function disbelieved(id, known) {
    if (!known.has(id))
        return undefined;
    const message = `The service gave the new key the id ${id}, which an earlier key has.`;
    return { fault: 'lost', message };
}
function noteAppeared(keys, known, { keyName }, end) {
    for (const { id, name } of keys) {
        if (name !== keyName || known.has(id))
            continue;
        known.add(id);
        end.appeared = [...end.appeared, id];
    }
}
function* prove({ id, known }, order, end) {
    const listed = yield* ask({ do: 'list', as: 'new' });
    if (isFault(listed)) {
        note(end, listed);
        return false;
    }
    noteAppeared(listed.keys, known, order, end);
    const key = listed.keys.find((one) => one.id === id);
    if (key?.name === order.keyName) {
        if (end.plan !== undefined && order.oldKeyIds === undefined)
            end.plan = sparingYoung(end.plan, listed.keys, id);
        return true;
    }
    problem(end, key === undefined
        ? `The new key ${id} authenticates but is not listed.`
        : `The new key ${id} is listed under another name than key-name, so the next rotation would not find it.`);
    return false;
}
function* storeEverywhere(targets, end) {
    const stored = [];
    for (let target = 0; target < targets; target += 1) {
        const answer = yield* ask({ do: 'store', target });
        if (isFault(answer)) {
            note(end, answer);
            stored.push(answer.fault === 'lost' ? 'perhaps' : 'no');
        }
        else {
            stored.push('yes');
        }
    }
    return stored;
}
function* rotation_readTargets(targets, end) {
    const updatedAt = [];
    for (let target = 0; target < targets; target += 1) {
        const answer = yield* ask({ do: 'read', target });
        if (isFault(answer)) {
            if (answer.fault === 'gone') {
                end.stored = end.stored.map((one, index) => (index === target ? 'perhaps' : one));
                end.rotated = false;
            }
            return note(end, answer);
        }
        updatedAt.push(answer.updatedAt);
    }
    return updatedAt;
}
function* revoke(due, end) {
    const { revoked, perhaps, problems, valid } = yield* revokeAll(due, end.updatedAt);
    return {
        ...end,
        revoked,
        perhapsRevoked: perhaps,
        valid,
        problems: [...end.problems, ...problems],
        result: problems.length === 0 ? 'rotated' : 'failed',
    };
}
function* undo(id, end) {
    for (const as of ['caller', 'new']) {
        const answer = yield* ask({ do: 'revoke', id, as });
        const gone = isFault(answer) ? answer.fault === 'gone' : answer.revoked;
        if (gone)
            return { ...end, newKeyId: undefined };
        if (isFault(answer) && answer.fault !== 'lost')
            note(end, answer);
        const listed = yield* ask({ do: 'list', as });
        if (isFault(listed)) {
            end.valid = undefined;
            continue;
        }
        end.valid = listed.keys.map((key) => key.id);
        if (!end.valid.includes(id))
            return { ...end, newKeyId: undefined };
    }
    return end;
}
function* checkValid(as, end) {
    const listed = yield* ask({ do: 'list', as });
    if (isFault(listed))
        return end;
    end.valid = listed.keys.map((key) => key.id);
    const { newKeyId } = end;
    if (newKeyId !== undefined && !end.valid.includes(newKeyId)) {
        end.newKeyId = undefined;
        end.lostKeyId = newKeyId;
    }
    return end;
}
function note(end, { message }) {
    problem(end, message);
}
function problem(end, message) {
    end.problems = [...end.problems, message];
}

;// CONCATENATED MODULE: ./lib/rotate-key/secret-store.js




const publicKeySchema = dist/* looseObject */._H3({ key_id: dist/* string */.YjP(), key: dist/* string */.YjP() });
const secretSchema = dist/* looseObject */._H3({
    updated_at: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* check */.z6Y((text) => !Number.isNaN(parseMoment(text)))),
    visibility: dist/* optional */.lqM(dist/* picklist */.KIO(['all', 'private', 'selected'])),
});
const repositoriesSchema = dist/* looseObject */._H3({
    total_count: dist/* pipe */.FsL(dist/* number */.aig(), dist/* safeInteger */.Y2b()),
    repositories: dist/* array */.YOg(dist/* looseObject */._H3({ id: dist/* number */.aig() })),
});
const LONGEST_STORE_MS = 4 * 60_000;
const SAME_MOMENT_MS = 2000;
const PER_PAGE = 100;
const secret_store_MOST_PAGES = 1000;
class SecretStore {
    name;
    #github;
    #secretName;
    #route;
    #parameters;
    #isOrganization;
    #publicKey;
    #writtenBefore;
    #audience = {};
    constructor(github, target, secretName) {
        this.#github = github;
        this.#secretName = secretName;
        this.name = targetName(target);
        this.#isOrganization = target.kind === 'organization';
        this.#route = ROUTES[target.kind];
        const { kind: _kind, ...place } = target;
        this.#parameters =
            'environment' in place
                ? { owner: place.owner, repo: place.repo, environment_name: place.environment }
                : place;
    }
    async look(signal) {
        const attempt = `read the public key of ${this.name}`;
        this.#publicKey = (await this.#get(publicKeySchema, 'public-key', attempt, signal)).data;
        await seal('', this.#publicKey.key).catch(() => {
            throw new GitHubError(`Failed to ${attempt}: it is not a key that seals`, undefined, false);
        });
        const secret = await this.#secret(signal);
        if (this.#isOrganization)
            this.#audience = await this.#readAudience(secret, signal);
        if (secret === undefined)
            return { secretAgeMs: undefined };
        const age = Date.parse(secret.date) - parseMoment(secret.updated_at);
        if (age >= SAME_MOMENT_MS)
            this.#writtenBefore = secret.updated_at;
        return { secretAgeMs: Number.isNaN(age) ? 0 : age };
    }
    async store(value, signal, tooLate) {
        if (this.#publicKey === undefined)
            throw new Error('store before look');
        const attempt = `store the secret ${this.#secretName} in ${this.name}`;
        await this.#github.call({
            attempt,
            route: `PUT ${this.#route}/{secret_name}`,
            parameters: {
                ...this.#parameters,
                secret_name: this.#secretName,
                encrypted_value: await seal(value.reveal(), this.#publicKey.key),
                key_id: this.#publicKey.key_id,
                ...this.#audience,
            },
            signal,
            tooLate,
            atMostMs: LONGEST_STORE_MS,
            accepts: ({ status }) => status === 201 || status === 204,
        });
    }
    isWritten(updatedAt) {
        return updatedAt !== this.#writtenBefore;
    }
    async updatedAt(signal) {
        const secret = await this.#secret(signal);
        if (secret !== undefined)
            return secret.updated_at;
        const message = `Failed to read when the secret ${this.#secretName} of ${this.name} was written: it is gone`;
        throw new NotStoredError(message, 404, false);
    }
    async #secret(signal) {
        const attempt = `read when the secret ${this.#secretName} of ${this.name} was written`;
        try {
            const { data, headers } = await this.#get(secretSchema, '{secret_name}', attempt, signal);
            return { ...data, date: String(headers.date ?? '') };
        }
        catch (error) {
            if (error instanceof GitHubError && error.status === 404)
                return undefined;
            throw error;
        }
    }
    async #readAudience(secret, signal) {
        if (secret === undefined)
            return { visibility: 'private' };
        const attempt = `read who may read the secret ${this.#secretName} of ${this.name}`;
        const { visibility } = secret;
        if (visibility === undefined) {
            throw new GitHubError(`Failed to ${attempt}: the answer does not say`, undefined, false);
        }
        if (visibility !== 'selected')
            return { visibility };
        const ids = new Set();
        for (let page = 1; page <= secret_store_MOST_PAGES; page += 1) {
            const query = { per_page: PER_PAGE, page };
            const path = '{secret_name}/repositories';
            const { data } = await this.#get(repositoriesSchema, path, attempt, signal, query);
            const { repositories, total_count } = data;
            for (const { id } of repositories)
                ids.add(id);
            if (ids.size >= total_count)
                return { visibility, selected_repository_ids: [...ids] };
            if (repositories.length === 0)
                break;
        }
        const finding = 'the listing does not hold as many repositories as it says';
        throw new GitHubError(`Failed to ${attempt}: ${finding}`, undefined, false);
    }
    async #get(schema, path, attempt, signal, query = {}) {
        const { data, headers } = await this.#github.call({
            attempt,
            route: `GET ${this.#route}/${path}`,
            parameters: {
                ...this.#parameters,
                ...(path.includes('{secret_name}') ? { secret_name: this.#secretName } : {}),
                ...query,
            },
            signal,
            accepts: (answer) => dist.is(schema, answer.data),
        });
        return { data: dist/* parse */.qgA(schema, data), headers };
    }
}
const ROUTES = {
    repository: '/repos/{owner}/{repo}/actions/secrets',
    dependabot: '/repos/{owner}/{repo}/dependabot/secrets',
    environment: '/repos/{owner}/{repo}/environments/{environment_name}/secrets',
    organization: '/orgs/{org}/actions/secrets',
};
async function seal(value, publicKey) {
    const { default: sodium } = await __webpack_require__.e(/* import() */ 768).then(__webpack_require__.bind(__webpack_require__, 768));
    await sodium.ready;
    const key = sodium.from_base64(publicKey, sodium.base64_variants.ORIGINAL);
    const sealed = sodium.crypto_box_seal(sodium.from_string(value), key);
    return sodium.to_base64(sealed, sodium.base64_variants.ORIGINAL);
}

;// CONCATENATED MODULE: ./lib/rotate-key/shell.js








const PROPAGATION_MS = 30_000;
const VISIBLE_MS = 10_000;
const PAUSE_MS = 1000;
const LATEST_STORE_MS = 5 * 60_000;
const REFUSED = 'The new key is not known to the service, or was revoked by somebody else';
const WIND_UP_MS = 5000;
class Shell {
    #parts;
    #windUp = new AbortController();
    #signal = this.#windUp.signal;
    #stopWatching;
    #newKey;
    #isCreating = false;
    #isRevoking = false;
    #listedAt;
    #newApi;
    #callerApi;
    #createdAt = { wall: Number.NEGATIVE_INFINITY, monotonic: Number.NEGATIVE_INFINITY };
    #gaveUp = false;
    constructor(parts) {
        this.#parts = parts;
        this.#callerApi = parts.callerKey && parts.createApi(parts.callerKey);
        let stopTimer = () => { };
        const onCancel = () => {
            stopTimer = parts.clock.timer(WIND_UP_MS, () => this.#windUp.abort(new Error('cancelled')));
        };
        if (parts.cancelled.aborted)
            onCancel();
        parts.cancelled.addEventListener('abort', onCancel, { once: true });
        this.#stopWatching = () => {
            parts.cancelled.removeEventListener('abort', onCancel);
            stopTimer();
        };
    }
    get newKey() {
        return this.#newKey;
    }
    useNewKey(id, secret) {
        this.#newKey = { id, secret };
        this.#newApi = this.#parts.createApi(secret, REFUSED);
    }
    async run(script) {
        try {
            let next = script.next();
            while (!next.done)
                next = script.next(await this.#perform(next.value));
            return next.value;
        }
        finally {
            this.#stopWatching();
        }
    }
    async #perform(step) {
        if (this.#parts.cancelled.aborted && !this.#isWindingUp(step)) {
            return {
                fault: 'cancelled',
                message: `Cancelled before it was time to ${words(step, this.#parts)}.`,
            };
        }
        const { cancelled, clock, observe } = this.#parts;
        const endsAtOnce = !cancelled.aborted && this.#isProgress(step);
        this.#signal = endsAtOnce ? cancelled : this.#windUp.signal;
        this.#isRevoking ||= step.do === 'revoke';
        const beganAt = clock.monotonic();
        const stopSigns = every(clock, SIGN_OF_LIFE_MS, () => observe.alive(words(step, this.#parts), clock.monotonic() - beganAt));
        try {
            const answer = await this.#act(step);
            observe.done(step, answer);
            return answer;
        }
        catch (error) {
            return this.#faultOf(step, error);
        }
        finally {
            stopSigns();
        }
    }
    #isWindingUp(step) {
        if (step.do === 'revoke')
            return step.id === this.#newKey?.id;
        return step.do === 'list' && (this.#newKey !== undefined || this.#isCreating);
    }
    #isProgress(step) {
        if (step.do !== 'list')
            return step.do === 'look-at' || step.do === 'read';
        return !(step.as === 'new' ? this.#isRevoking : this.#isCreating);
    }
    #act(step) {
        switch (step.do) {
            case 'list':
                return this.#list(step.as);
            case 'create':
                return this.#create();
            case 'revoke':
                return this.#as(step.as, (api, call) => api.revokeApiKey(step.id, call)).then(({ revoked }) => ({ revoked: revoked === true }));
            case 'look-at':
                return this.#look(step.target);
            case 'read':
                return this.#read(step.target);
            case 'store':
                return this.#seal(step.target);
        }
    }
    async #create() {
        if (this.#callerApi === undefined)
            throw new Error('nobody to create a key');
        this.#isCreating = true;
        this.#noteCreation(0);
        const call = this.#call();
        const created = await this.#callerApi.createApiKey(this.#parts.keyName, {
            ...call,
            onRetry: (error, pauseMs) => {
                call.onRetry?.(error, pauseMs);
                this.#noteCreation(pauseMs);
            },
        });
        const secret = new Secret(created.key);
        this.#parts.mask(secret);
        this.useNewKey(String(created.id), secret);
        return { id: String(created.id) };
    }
    #noteCreation(inMs) {
        const { clock } = this.#parts;
        this.#createdAt = { wall: clock.wall() + inMs, monotonic: clock.monotonic() + inMs };
    }
    async #look(target) {
        const { secretAgeMs } = await this.#store(target).look(this.#signal);
        if (secretAgeMs === undefined)
            return { secretAgeMs };
        const now = this.#parts.clock.monotonic();
        return { secretAgeMs: secretAgeMs - (now - (this.#listedAt ?? now)) };
    }
    async #seal(target) {
        if (this.#newKey === undefined)
            throw new Error('nothing to store');
        const { clock } = this.#parts;
        const { wall, monotonic } = this.#createdAt;
        const tooLate = () => Math.max(clock.wall() - wall, clock.monotonic() - monotonic) > LATEST_STORE_MS;
        await this.#store(target).store(this.#newKey.secret, this.#signal, tooLate);
        return {};
    }
    async #read(target) {
        const store = this.#store(target);
        const { clock } = this.#parts;
        const until = clock.monotonic() + VISIBLE_MS;
        for (;;) {
            const updatedAt = await store.updatedAt(this.#signal);
            if (store.isWritten(updatedAt))
                return { updatedAt, place: store.name };
            if (clock.monotonic() >= until) {
                const message = `The secret in ${store.name} is still the one of ${updatedAt}, from before the store.`;
                throw new NotStoredError(message, undefined, false);
            }
            await sleep(clock, PAUSE_MS, this.#signal);
        }
    }
    async #list(as) {
        const keys = await this.#as(as, (api, call) => api.listApiKeys(call));
        const now = this.#parts.serviceClock.now();
        this.#listedAt ??= this.#parts.clock.monotonic();
        return { keys: keys.map((key) => shell_listed(key, now)) };
    }
    async #as(as, ask) {
        const api = as === 'new' ? this.#newApi : this.#callerApi;
        if (api === undefined)
            throw new Error(`no ${as} key`);
        const { clock, cancelled } = this.#parts;
        const until = clock.monotonic() + PROPAGATION_MS;
        for (;;) {
            try {
                return await ask(api, this.#call());
            }
            catch (error) {
                const unknown = error instanceof ControlApiError && error.kind === 'unauthorized';
                if (as !== 'new' || !unknown || this.#gaveUp || cancelled.aborted)
                    throw error;
                if (clock.monotonic() >= until) {
                    this.#gaveUp = true;
                    throw error;
                }
                await sleep(clock, PAUSE_MS, this.#signal);
            }
        }
    }
    #call() {
        return {
            signal: this.#signal,
            onRetry: (error, pauseMs) => {
                if (pauseMs >= LONG_PAUSE_MS)
                    this.#parts.observe.retry(error, pauseMs);
            },
        };
    }
    #store(target) {
        const store = this.#parts.stores[target];
        if (store === undefined)
            throw new Error('no such target');
        return store;
    }
    #faultOf(step, error) {
        const isWrite = step.do === 'create' || step.do === 'store' || step.do === 'revoke';
        if (this.#signal.aborted) {
            const message = `Cancelled while it was time to ${words(step, this.#parts)}.`;
            return { fault: isWrite ? 'lost' : 'refused', message };
        }
        if (error instanceof NotStoredError)
            return { fault: 'gone', message: sentenceOf(error) };
        if (error instanceof GitHubError) {
            return {
                fault: isWrite && error.perhapsDone ? 'lost' : 'refused',
                message: sentenceOf(error),
            };
        }
        if (!(error instanceof ControlApiError))
            throw error;
        const hint = step.do === 'list' && step.as === 'caller' ? listHint(error) : '';
        const message = sentenceOf(error) + tooLongToWait(error) + hint;
        if (error.kind === 'ambiguous')
            return { fault: 'lost', message };
        if (error.kind === 'unauthorized')
            return { fault: 'unauthorized', message };
        if (error.kind === 'not-found' && step.do === 'revoke')
            return { fault: 'gone', message };
        return { fault: 'refused', message };
    }
}
function shell_listed(key, now) {
    const created = parseMoment(key.created_at);
    return {
        id: String(key.id),
        name: key.name,
        ageMs: Number.isNaN(created) ? undefined : now - created,
        ...(key.last_used_at ? { lastUsedAt: key.last_used_at } : {}),
    };
}
function listHint(error) {
    if (error.kind === 'unauthorized' || isPassing(error))
        return '';
    return ' Rotation is for keys that GET /api_keys lists, which are personal keys; those of an organisation live elsewhere.';
}
function words(step, { stores }) {
    switch (step.do) {
        case 'list':
            return 'list the API keys';
        case 'create':
            return 'create the new key';
        case 'revoke':
            return `revoke key ${step.id}`;
        case 'look-at':
            return `look at ${stores[step.target]?.name}`;
        case 'store':
            return `store the new key in ${stores[step.target]?.name}`;
        case 'read':
            return `read when ${stores[step.target]?.name} was written`;
    }
}
function sentenceOf({ message }) {
    return sentence(oneLine(message, 600));
}

;// CONCATENATED MODULE: ./lib/rotate-key/state.js

const stateSchema = dist/* pipe */.FsL(dist/* object */.Ikc({
    newKey: dist/* string */.YjP(),
    newKeyId: dist/* string */.YjP(),
    pending: dist/* array */.YOg(dist/* string */.YjP()),
    baseUrl: dist/* string */.YjP(),
    requestTimeoutMs: dist/* number */.aig(),
    maxRetries: dist/* number */.aig(),
    summary: dist/* boolean */.zMY(),
    secretName: dist/* optional */.lqM(dist/* string */.YjP()),
    targets: dist/* array */.YOg(dist/* string */.YjP()),
    updatedAt: dist/* array */.YOg(dist/* string */.YjP()),
}), dist/* check */.z6Y(({ targets, updatedAt }) => targets.length === updatedAt.length));
function readState(json) {
    if (json === '')
        return undefined;
    try {
        return dist/* parse */.qgA(stateSchema, JSON.parse(json));
    }
    catch {
        throw new Error('The state that the main step left cannot be read, so nothing was revoked.');
    }
}

;// CONCATENATED MODULE: ./lib/rotate-key/report.js
function keptKeys(end) {
    return stillThere(end.plan?.generations, end);
}
function leftKeys(end) {
    return stillThere(end.plan?.revoke, end);
}
function stillThere(keys = [], { revoked, perhapsRevoked, pending, valid }) {
    return keys
        .map(({ id }) => id)
        .filter((id) => ![...revoked, ...perhapsRevoked, ...pending].includes(id))
        .filter((id) => valid === undefined || valid.includes(id));
}
function storedIn({ targets, end }) {
    return targets.filter((_name, index) => end.stored[index] === 'yes');
}

;// CONCATENATED MODULE: ./lib/runner/rotate-keys.js

function keyRows(report) {
    const { end } = report;
    const generations = end.plan?.generations ?? [];
    const ageOf = (id) => {
        const ageMs = generations.find((key) => key.id === id)?.ageMs;
        return ageMs === undefined ? undefined : Math.max(0, ageMs);
    };
    const named = [...(end.plan?.revoke ?? []).map(({ id }) => id), ...end.revoked, ...end.pending];
    const others = [...new Set(named)].filter((id) => !generations.some((key) => key.id === id));
    const earlier = [...generations.map(({ id }) => id), ...others];
    return [
        ...(end.newKeyId === undefined
            ? []
            : [{ id: end.newKeyId, ageMs: 0, ...newWords(report, end.newKeyId) }]),
        ...(end.lostKeyId === undefined ? [] : [{ id: end.lostKeyId, ageMs: 0, ...LOST }]),
        ...end.appeared.map((id) => ({ id, ageMs: 0, ...APPEARED })),
        ...earlier.map((id) => ({ id, ageMs: ageOf(id), ...earlierWords(report, id) })),
    ];
}
const APPEARED = {
    icon: '⚠️',
    state: 'appeared meanwhile',
    until: 'the next rotation revokes it',
};
const LOST = { icon: '❌', state: 'new, stored, and valid no more', until: '' };
function newWords(report, id) {
    const state = 'new';
    if (report.end.result !== 'failed' || report.end.rotated)
        return { icon: '🔑', state, until: 'the next rotation replaces it' };
    if (report.end.valid?.includes(id) === false)
        return { icon: '❔', state: 'new, and not in the list', until: '' };
    return { icon: '🔑', state, until: afterFault(report) };
}
function earlierWords(report, id) {
    const { end, order } = report;
    const isIn = (keys) => keys?.some((key) => key.id === id) === true;
    if (end.revoked.includes(id))
        return { icon: '🚫', state: 'revoked', until: '' };
    if (end.perhapsRevoked.includes(id))
        return { icon: '❔', state: 'perhaps revoked', until: 'not checked after the fault' };
    if (end.pending.includes(id))
        return { icon: '⏳', state: 'to be revoked', until: 'this job succeeds, or the next rotation' };
    if (end.result === 'dry-run' && isIn(end.plan?.revoke))
        return { icon: '🚫', state: 'would be revoked', until: 'a rotation that is not dry' };
    if (end.result === 'fresh')
        return freshWords(report, id);
    if (end.result === 'failed')
        return end.valid?.includes(id) === false
            ? { icon: '❔', state: 'not in the list any more', until: '' }
            : { icon: '✅', state: 'left valid', until: afterFault(report) };
    const state = end.result === 'dry-run' ? 'would be kept' : 'kept';
    if (order.revokeOld === 'never')
        return { icon: '✅', state, until: 'somebody revokes it' };
    if (isIn(end.plan?.young))
        return {
            icon: '⚠️',
            state: `${state}, because it is young`,
            until: 'the next rotation revokes it',
        };
    return { icon: '✅', state, until: 'a later rotation revokes it' };
}
function freshWords({ end, order }, id) {
    const [newest] = end.plan?.generations ?? [];
    if (newest?.id !== id)
        return { icon: '✅', state: 'valid', until: 'a later rotation revokes it' };
    const restMs = (order.rotateAfterMs ?? 0) - (newest.ageMs ?? 0);
    const until = `it is rotated, which is due in ${formatDuration(Math.max(0, restMs))}`;
    return { icon: '🔑', state: 'fresh', until };
}
function afterFault({ end }) {
    return end.valid === undefined
        ? 'not checked after the fault'
        : 'the next rotation, which brings everything in order';
}

;// CONCATENATED MODULE: ./lib/runner/rotate-log.js




function rotateLog(log, targets, keyName) {
    let proven = false;
    return {
        done(step, answer) {
            const line = doneLine(step, answer, targets, keyName);
            if (line === undefined || (proven && step.do === 'list' && step.as === 'new'))
                return;
            if (step.do === 'list' && step.as === 'new')
                proven = true;
            log.info(line);
        },
        alive: (doing, elapsedMs) => log.info(`Still trying to ${doing}, for ${formatDuration(elapsedMs)} now.`),
        retry: (error, pauseMs) => log.info(`${error.message}. Trying again in ${formatDuration(pauseMs)}.`),
    };
}
function doneLine(step, answer, targets, keyName) {
    switch (step.do) {
        case 'list': {
            if (step.as === 'new')
                return 'The new key works.';
            const keys = 'keys' in answer ? answer.keys : [];
            const same = keys.filter(({ name }) => name === keyName).length;
            return `Looked at the keys of the account: ${plural(keys.length, 'key')}, ${same} of the name ${oneLine(keyName, 80)}.`;
        }
        case 'look-at': {
            const ageMs = 'secretAgeMs' in answer ? answer.secretAgeMs : undefined;
            const found = ageMs === undefined
                ? 'no such secret yet'
                : `the secret was written ${formatDuration(Math.max(0, ageMs))} ago`;
            return `Looked at ${targets[step.target]}: ${found}.`;
        }
        case 'create':
            return `Created key ${'id' in answer ? answer.id : ''}.`;
        case 'store':
            return `Stored the new key in ${targets[step.target]}.`;
        case 'revoke':
            return 'revoked' in answer && answer.revoked
                ? `Revoked key ${step.id}.`
                : `Asked to revoke key ${step.id}.`;
        case 'read':
            return undefined;
    }
}
function rotate_log_described({ id, name, ageMs, lastUsedAt }) {
    const age = ageMs === undefined ? 'of unknown age' : `${formatDuration(Math.max(0, ageMs))} old`;
    return `${id} (${oneLine(name, 64)}, ${age}, ${lastUsedAt ? `last used ${oneLine(lastUsedAt, 40)}` : 'never used'})`;
}
function ids(keys) {
    return `${keys.length === 1 ? 'key' : 'keys'} ${listed(keys, 10)}`;
}
function rotateMessage(report) {
    const { end, order } = report;
    const name = oneLine(order.keyName, 80);
    if (end.result === 'fresh') {
        const [newest] = end.plan?.generations ?? [];
        return `Nothing to do: the newest key of the name ${name} is ${newest ? rotate_log_described(newest) : 'fresh'}, younger than rotate-after.`;
    }
    if (end.result === 'dry-run')
        return dryRunMessage(report);
    if (end.result === 'rotated') {
        const [previous] = end.plan?.generations ?? [];
        const parts = [`The new key ${end.newKeyId} of the name ${name} works`];
        if (previous !== undefined)
            parts.push(`replaces ${previous.id}`);
        if (report.targets.length > 0)
            parts.push(`is stored in ${listed(storedIn(report), 10)}`);
        const fate = end.pending.length > 0
            ? `${ids(end.pending)} will be revoked at the end of the job, if it succeeds`
            : end.revoked.length > 0
                ? `${ids(end.revoked)} ${end.revoked.length === 1 ? 'is' : 'are'} revoked`
                : 'no key was to be revoked';
        return `${listed(parts)}; ${fate}.`;
    }
    return `${end.problems.join(' ')} ${standing(report)}`.trim();
}
function standing(report) {
    const { end } = report;
    const parts = [];
    const kept = keptKeys(end);
    const perhaps = report.targets.filter((_target, index) => end.stored[index] === 'perhaps');
    const stored = storedIn(report);
    if (end.plan === undefined)
        return 'Nothing was created.';
    if (end.newKeyId === undefined && end.lostKeyId === undefined) {
        parts.push(`${leftOver(end)} The earlier keys are untouched.`);
    }
    else {
        if (end.lostKeyId !== undefined) {
            parts.push(`The new key ${end.lostKeyId} is valid no more, although it was stored: put a key that works there by hand.`);
        }
        const known = [...new Set([end.newKeyId ?? [], kept, leftKeys(end)].flat())];
        parts.push(end.valid === undefined
            ? `Which keys are valid now could not be checked; not revoked by this run: ${ids(known)}.`
            : `A list read after the fault shows as valid: ${ids(known.filter((id) => end.valid?.includes(id)))}.`);
        if (end.perhapsRevoked.length > 0) {
            parts.push(`Perhaps revoked, because no answer came and the list could not be read: ${ids(end.perhapsRevoked)}.`);
        }
        if (stored.length > 0)
            parts.push(`The new key is stored in ${listed(stored, 10)}.`);
        if (perhaps.length > 0)
            parts.push(`It may be stored in ${listed(perhaps, 10)}.`);
        if (end.lostKeyId !== undefined)
            return parts.join(' ');
        parts.push('Both generations were left valid where it was in doubt; run the rotation again to bring everything in order.');
    }
    return parts.join(' ');
}
function leftOver({ isCreateUnseen, appeared }) {
    if (isCreateUnseen) {
        return 'A key may have been created whose value nobody holds; whether it is there could not be checked. The next rotation revokes it as an earlier generation.';
    }
    if (appeared.length > 0)
        return `Of this run or of another rotation: ${ids(appeared)}.`;
    return 'No new key is left of this run.';
}
function dryRunMessage({ end, order, targets }) {
    const { revoke = [], keep = [] } = end.plan ?? {};
    const where = targets.length > 0 ? `, store it in ${listed(targets, 10)}` : '';
    const when = order.revokeOld === 'after-job' ? 'at the end of the job ' : '';
    const goes = revoke.length === 0 ? 'revoke nothing' : `${when}revoke ${listed(revoke.map(rotate_log_described), 10)}`;
    const stays = keep.length === 0 ? '' : ` It would keep ${listed(keep.map(rotate_log_described), 10)}.`;
    return `Dry run, nothing was changed. A rotation would create a key of the name ${oneLine(order.keyName, 80)}${where} and ${goes}.${stays}`;
}
function showRotateEnd(runner, report) {
    const { log } = runner;
    const { end, order } = report;
    const { young = [], orphans = [] } = end.plan ?? {};
    const rows = keyRows(report);
    const ended = end.result === 'rotated' || end.result === 'failed';
    if (end.appeared.length > 0) {
        log.warning(`While this rotation ran, ${ids(end.appeared)} appeared in the list: made by a creation whose answer was lost, so that nobody holds its value, or by another rotation of this name. Do not revoke it by hand; the next rotation clears it away.`, { title: 'A key without a holder' });
    }
    if (ended && young.length > 0 && order.revokeOld !== 'never') {
        log.warning(`Left valid, because younger than ten minutes and perhaps of a rotation still under way: ${ids(young.map(({ id }) => id))}. The next rotation revokes what is left over. Use concurrency in the workflow, so that two rotations of a name never run at once.`, { title: 'A young key was left' });
    }
    if (ended && orphans.length > 0) {
        log.info(`Left by an interrupted run, and stored nowhere: ${plural(orphans.length, 'key')} (${listed(orphans.map(({ id }) => id), 10)}).`);
    }
    showFirst(log, report);
    showFreshLeftovers(log, report);
    const isBlind = order.revokeOld === 'immediately' && report.secretName === undefined;
    if (isBlind && end.result !== 'fresh') {
        log.warning('revoke-old is immediately without secret-name: the old key goes before anybody holds the new one. Use after-job, and store the new key in a later step.', { title: 'Nobody holds the new key yet' });
    }
    if (end.result === 'dry-run') {
        for (const key of end.plan?.revoke ?? [])
            log.info(`Would be revoked: ${rotate_log_described(key)}`);
    }
    if (rows.length > 0) {
        const lines = rows.map(({ id, state, until, ageMs }) => {
            const age = ageMs === undefined
                ? ''
                : ageMs === 0
                    ? ', just created'
                    : `, ${formatDuration(ageMs)} old`;
            return `${id}: ${state}${age}${until === '' ? '' : `; valid until ${until}`}`;
        });
        log.group(`Keys of the name ${oneLine(order.keyName, 80)}`, lines);
    }
    if (end.result === 'failed')
        runner.fail(rotateMessage(report), {
            title: end.wrongKey ? 'Wrong API key' : 'Rotation failed',
        });
    else
        log.info(rotateMessage(report));
    if (end.result === 'dry-run' && report.secretName !== undefined) {
        log.info("Every level that holds a secret of this name must be a target: an environment's hides the repository's, and that the organisation's.");
        log.info('Jobs that are already running keep the old value; keep-previous: 1 lets them end.');
    }
}
function showFreshLeftovers(log, { end, order }) {
    if (end.result !== 'fresh' || end.plan === undefined || order.revokeOld === 'never')
        return;
    if (order.oldKeyIds !== undefined) {
        if (end.plan.revoke.length === 0)
            return;
        const left = ids(end.plan.revoke.map(({ id }) => id));
        log.warning(`Nothing is due by rotate-after, so what old-key-ids names stays valid: ${left}.`, {
            title: 'Old keys are valid',
        });
        return;
    }
    const { generations } = end.plan;
    if (generations.length <= order.keepPrevious + 1)
        return;
    const left = ids(generations.slice(order.keepPrevious + 1).map(({ id }) => id));
    log.warning(`More keys of the name are valid than keep-previous leaves: ${left}. Another rotation is under way, or the last one did not end; then a new one is due ten minutes after it began.`, { title: 'Old keys are valid' });
}
function showFirst(log, { end, order }) {
    const isFirst = end.result === 'rotated' && end.plan?.generations.length === 0;
    if (!isFirst || order.revokeOld === 'never' || order.oldKeyIds !== undefined)
        return;
    log.warning(`No earlier key has the name ${oneLine(order.keyName, 80)}, so none is revoked. A key of another name that this one replaces goes when old-key-ids names it once.`, { title: 'No earlier key of this name' });
}
function afterJobMessage({ revoked, perhaps, valid, problems }, left) {
    if (left.length === 0)
        return `The job succeeded: ${ids(revoked)} ${revoked.length === 1 ? 'is' : 'are'} revoked.`;
    const certain = left.filter((id) => !perhaps.includes(id));
    const maybe = perhaps.length === 0
        ? ''
        : ` Perhaps revoked, because no answer came and the list could not be read: ${ids(perhaps)}.`;
    if (certain.length === 0)
        return `${problems.join(' ')}${maybe} Run the rotation again.`;
    const stillValid = valid === undefined
        ? 'whether they are valid was not checked'
        : `a list shows as valid: ${listed(certain.filter((id) => valid.includes(id))) || 'none of them'}`;
    return `${problems.join(' ')}${maybe} Not revoked: ${ids(certain)} (${stillValid}). The next rotation revokes what is left over.`;
}

;// CONCATENATED MODULE: ./lib/runner/rotate-outputs.js

function numbers(ids) {
    return `[${ids.join(',')}]`;
}
function rotateOutputs(report) {
    const { end } = report;
    return {
        result: end.result,
        rotated: String(end.rotated),
        'key-id': end.newKeyId ?? '',
        'revoked-key-ids': numbers(end.revoked),
        'pending-key-ids': numbers(end.pending),
        'kept-key-ids': numbers(keptKeys(end)),
        'stored-in': JSON.stringify(storedIn(report)),
    };
}
function noRotateOutputs() {
    return {
        result: 'failed',
        rotated: 'false',
        'api-key': '',
        'key-id': '',
        'revoked-key-ids': '[]',
        'pending-key-ids': '[]',
        'kept-key-ids': '[]',
        'stored-in': '[]',
    };
}

;// CONCATENATED MODULE: ./lib/runner/rotate-summary.js






const rotate_summary_MOST_ROWS = 50;
const MOST_NODES = 5;
const HEADINGS = {
    rotated: '🔑 The key was rotated',
    fresh: '✅ The key is fresh',
    'dry-run': '📝 Dry run of a rotation',
    failed: '❌ The rotation failed',
};
function rotateSummary(report) {
    const rows = keyRows(report);
    const parts = [
        `### ${HEADINGS[report.end.result]}`,
        plain(rotateMessage(report), 2000),
        diagram(report, rows),
        keysTable(report, rows),
        targetsTable(report),
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}
function diagram(report, rows) {
    const { end, secretName } = report;
    if (end.newKeyId === undefined)
        return '';
    const lines = ['```mermaid', 'flowchart LR', `  new["🔑 key ${diagramLabel(end.newKeyId)}"]`];
    const earlier = rows.filter(({ id }) => id !== end.newKeyId && !end.appeared.includes(id));
    const node = (name, label) => `  ${name}["${label}"]`;
    for (const [index, { id, icon, state }] of earlier.slice(0, MOST_NODES).entries()) {
        const gone = end.revoked.includes(id);
        lines.push(node(`old${index}`, `key ${diagramLabel(id)}<br/>${icon} ${diagramLabel(state)}`));
        const arrow = gone ? '-->' : '-.->';
        lines.push(`  old${index} ${arrow}${index === 0 ? '|replaced by|' : ''} new`);
        if (gone)
            lines.push(`  class old${index} gone`);
    }
    if (earlier.length > MOST_NODES)
        lines.push(node('more', `${earlier.length - MOST_NODES} more`), '  more -.-> new');
    const stored = storedIn(report);
    for (const [index, target] of stored.slice(0, MOST_NODES).entries()) {
        const [kind, ...names] = target.split(':');
        const place = [secretName ?? '', `${kind}:`, names.join(':')].map((part) => diagramLabel(part));
        lines.push(node(`to${index}`, place.join('<br/>')));
        lines.push(`  new ==>|stored in| to${index}`);
    }
    if (stored.length > MOST_NODES)
        lines.push(node('rest', `${stored.length - MOST_NODES} more`), '  new ==> rest');
    lines.push('  classDef gone stroke-dasharray:4,color:#888', '```');
    return lines.join('\n');
}
function keysTable({ order }, rows) {
    if (rows.length === 0)
        return '';
    const cells = rows
        .slice(0, rotate_summary_MOST_ROWS)
        .map(({ id, icon, state, until, ageMs }) => [
        code(id),
        `${icon}&nbsp;${plain(state)}`,
        until === '' ? '–' : plain(until),
        rotate_summary_age(ageMs),
    ]);
    const rest = rows.length - rotate_summary_MOST_ROWS;
    const more = rest > 0 ? `\n\n… and ${plural(rest, 'key')} more.` : '';
    const caption = `Keys of the name ${code(order.keyName, 64)}`;
    return `${caption}\n\n${table(['Key', 'What became of it', 'Valid until', 'Age'], cells)}${more}`;
}
function rotate_summary_age(ageMs) {
    if (ageMs === undefined)
        return '–';
    return ageMs === 0 ? 'just created' : formatDuration(ageMs);
}
function targetsTable({ targets, end, secretName }) {
    if (secretName === undefined || end.stored.length === 0)
        return '';
    const words = { yes: '✅ stored', perhaps: '⚠️ perhaps stored', no: '❌ not stored' };
    const rows = targets
        .slice(0, rotate_summary_MOST_ROWS)
        .map((target, index) => [code(target), words[end.stored[index] ?? 'no']]);
    const rest = targets.length - rows.length;
    const more = rest > 0 ? `\n\n… and ${plural(rest, 'target')} more.` : '';
    return `Secret ${code(secretName)}\n\n${table(['Target', 'New key'], rows)}${more}`;
}
function afterJobSummary(end, left) {
    const heading = left.length === 0 ? '🔑 The old keys are revoked' : '❌ Old keys were not revoked';
    const rows = [
        ...end.revoked.map((id) => [code(id), '🚫 revoked']),
        ...left.map((id) => [
            code(id),
            end.perhaps.includes(id) ? '⚠️ perhaps revoked' : '⚠️ not revoked',
        ]),
    ];
    const parts = [
        `### ${heading}`,
        plain(afterJobMessage(end, left), 2000),
        table(['Key', 'State'], rows.slice(0, rotate_summary_MOST_ROWS)),
    ];
    return `${parts.join('\n\n')}\n\n`;
}

;// CONCATENATED MODULE: ./lib/action/rotate.js













async function runRotate(world, common, { order, store }) {
    const { runner } = world;
    runner.onBreakdown(() => runner.setOutputs(noRotateOutputs()));
    const http = world.createHttp(USER_AGENT);
    try {
        const targets = store?.targets ?? [];
        const names = targets.map(targetName);
        const stores = store
            ? openStores(world, common, http, store.token, targets, store.secretName)
            : [];
        const shell = new Shell({
            ...shellParts(world, common, http, stores),
            keyName: order.keyName,
            callerKey: common.apiKey,
            observe: rotateLog(runner.log, names, order.keyName),
        });
        runner.setOutputs(noRotateOutputs());
        runner.onBreakdown(() => {
            runner.setOutputs({ ...noRotateOutputs(), 'key-id': shell.newKey?.id ?? '' });
            runner.setSecretOutput('api-key', shell.newKey?.secret);
        });
        const end = await shell.run(rotation(order));
        const newKey = end.newKeyId === undefined ? undefined : shell.newKey?.secret;
        const report = {
            order,
            secretName: store?.secretName,
            targets: names,
            end,
            newKey,
        };
        runner.onBreakdown(() => {
            runner.setOutputs({ ...rotateOutputs(report), result: 'failed' });
            runner.setSecretOutput('api-key', newKey);
        });
        runner.setOutputs(rotateOutputs(report));
        runner.setSecretOutput('api-key', newKey);
        if (common.summary)
            await runner.writeSummary(rotateSummary(report));
        showRotateEnd(runner, report);
        if (end.result === 'rotated' && end.pending.length > 0 && newKey !== undefined) {
            runner.saveSecretState(JSON.stringify(stateOf(report, common, newKey)));
        }
        return end.result !== 'failed';
    }
    finally {
        http.close();
    }
}
function stateOf(report, common, newKey) {
    const { end, targets, secretName } = report;
    return {
        newKey: newKey.reveal(),
        newKeyId: end.newKeyId ?? '',
        pending: [...end.pending],
        baseUrl: common.baseUrl,
        requestTimeoutMs: common.requestTimeoutMs,
        maxRetries: common.maxRetries,
        summary: common.summary,
        ...(secretName === undefined ? {} : { secretName }),
        targets: [...targets],
        updatedAt: [...end.updatedAt],
    };
}
async function runAfterJob(world) {
    const { runner } = world;
    const state = readState(runner.secretState());
    if (state === undefined)
        return true;
    const newKey = new Secret(state.newKey);
    const token = new Secret(runner.input('github-token'));
    for (const secret of [newKey, token, new Secret(runner.input('api-key'))])
        runner.mask(secret);
    const http = world.createHttp(USER_AGENT);
    try {
        const targets = state.targets.flatMap((name) => parseTarget(name, '') ?? []);
        if (targets.length !== state.targets.length)
            throw new Error('The state names a place that is none; nothing was revoked.');
        const stores = openStores(world, state, http, token, targets, state.secretName ?? '');
        const shell = new Shell({
            ...shellParts(world, state, http, stores),
            keyName: '',
            callerKey: undefined,
            observe: rotateLog(runner.log, state.targets, ''),
        });
        shell.useNewKey(state.newKeyId, newKey);
        const end = await shell.run(revokeAll(state.pending, state.updatedAt));
        const left = state.pending.filter((id) => !end.revoked.includes(id));
        if (state.summary)
            await runner.writeSummary(afterJobSummary(end, left));
        const message = afterJobMessage(end, left);
        if (left.length > 0)
            runner.fail(message, { title: 'Old keys were not revoked' });
        else
            runner.log.info(message);
        return left.length === 0;
    }
    finally {
        http.close();
    }
}
function shellParts(world, connection, http, stores) {
    const { runner, clock } = world;
    return {
        ...connect(world, connection, http),
        stores,
        clock,
        mask: (secret) => runner.mask(secret),
        cancelled: runner.cancelled,
    };
}
function openStores(world, { requestTimeoutMs, maxRetries }, http, token, targets, secretName) {
    const { runner, clock, random } = world;
    const baseUrl = runner.gitHubApiUrl;
    const github = new GitHubApi({
        baseUrl,
        token,
        http,
        clock,
        random,
        requestTimeoutMs,
        maxRetries,
    });
    return targets.map((target) => new SecretStore(github, target, secretName));
}

;// CONCATENATED MODULE: ./lib/wait-operations/endings.js


function shortName({ id, seen }) {
    return `${oneLine(seen?.action ?? 'operation', 80)} ${oneLine(id, 80)}`;
}
function named({ id, projectId, seen }) {
    const branch = seen?.branch_id ? `, branch ${oneLine(seen.branch_id, 80)}` : '';
    const place = `operation ${oneLine(id, 80)}${branch}, project ${oneLine(projectId, 80)}`;
    return seen?.action ? `${oneLine(seen.action, 80)} (${place})` : place;
}
function endings_standing(watched) {
    const status = watched.seen?.status;
    if (status == null)
        return `${named(watched)} was not seen yet`;
    const grace = watched.failedAt === undefined ? '' : ', and failed-grace is not over';
    return `${named(watched)} is ${oneLine(status, 80)}${grace}`;
}
function standings(operations) {
    return listed(operations.map(endings_standing), 3);
}
function finishedEnding(operations, elapsedMs) {
    const took = formatDuration(elapsedMs);
    const message = operations.length === 0
        ? 'There was nothing to wait for.'
        : `${plural(operations.length, 'operation')} finished; the wait took ${took}.`;
    return { title: 'Finished', message };
}
function failedEnding(failed, pending) {
    const what = failed.map((watched) => {
        const reason = watched.seen?.error ? `: ${oneLine(watched.seen.error)}` : '';
        return `${named(watched)} ended as ${oneLine(watched.seen?.status ?? 'failed', 80)}${reason}`;
    });
    const rest = pending.length > 0 ? ` ${plural(pending.length, 'operation')} had not ended yet.` : '';
    const title = failed.length === 1 ? 'Operation failed' : `${plural(failed.length, 'operation')} failed`;
    return {
        title,
        message: `${listed(what, 3)}.${rest} Look at it in the service's console before you run this again.`,
    };
}
function timedOutEnding({ pending, look, fault, timeoutMs, selection }) {
    const after = timeoutMs === 0 ? 'After one look' : `Timed out after ${formatDuration(timeoutMs)}`;
    const parts = [];
    const missing = look?.missing ?? [];
    if (pending.length > 0) {
        parts.push(`${after}: ${standings(pending)}.`);
    }
    else if (missing.length > 0) {
        const actions = missing.length === 1 ? 'action' : 'actions';
        parts.push(`${after}: the required ${actions} ${listed(missing)} did not appear and finish. Check project-id, branch-id and require-actions.`);
        if (selection.kind === 'discovery' && selection.since === undefined) {
            parts.push('One that had ended more than 10 minutes before the step began does not count; since widens this.');
        }
    }
    else if (look !== undefined) {
        parts.push(`${after}: nothing is pending, but a fresh look, which would show that nothing new has begun, is missing.`);
    }
    else {
        parts.push(`${after}: the last look failed, so nothing is proven.`);
    }
    if (fault !== undefined)
        parts.push(`The service could not be asked at the end: ${fault.finding}. Run this again when it answers.`);
    else if (look === undefined)
        parts.push('The service did not answer in time at the end. Run this again later.');
    else
        parts.push('Raise timeout if this is how long it takes.');
    return { title: 'Timed out', message: parts.join(' ') };
}
function neverFoundEnding(operations) {
    const names = listed(operations.map(named), 3);
    return {
        title: 'Operation not found',
        message: `The service does not know ${names}. Check the operation ids, the project id and base-url, and that the API key belongs to the project's account.`,
    };
}
function projectNotFoundEnding(projectIds) {
    return {
        title: 'Project not found',
        message: `The service does not know project ${listed(projectIds)}. Check project-id and base-url, and that the API key belongs to the project's account.`,
    };
}
function cancelledEnding(pending, elapsedMs) {
    const rest = pending.length === 0 ? '' : `: ${standings(pending)}`;
    return { title: 'Cancelled', message: `Cancelled after ${formatDuration(elapsedMs)}${rest}.` };
}
function nothingFound(selection) {
    if (selection.kind === 'given')
        return 'The list of operations to wait for is empty.';
    return `No operation of ${scope(selection)} was unfinished, so nothing was waited for. Where one was expected, check the ids, or name its action in require-actions to wait until it has appeared and finished.`;
}
function scope({ projectId, branchId, actions }) {
    const where = branchId === undefined ? `project ${projectId}` : `branch ${branchId} of project ${projectId}`;
    return actions.length === 0 ? where : `${where} (only ${listed(actions)})`;
}

;// CONCATENATED MODULE: ./lib/runner/wait-log.js



const MOST_LINES = 10;
const MOST_GROUPED = 200;
function waitLog(log, clock, settings) {
    const beganAt = clock.monotonic();
    const line = (text) => {
        log.info(`${stamp(clock.monotonic() - beganAt).padStart(7)}  ${text}`);
    };
    const lines = (items, text, noun) => {
        for (const item of items.slice(0, MOST_LINES))
            line(text(item));
        const rest = items.slice(MOST_LINES);
        if (rest.length === 0)
            return;
        const grouped = rest.slice(0, MOST_GROUPED).map(text);
        const over = rest.length - grouped.length;
        if (over > 0)
            grouped.push(`… and ${plural(over, noun)} more`);
        log.group(`… and ${plural(rest.length, noun)} more`, grouped);
    };
    return (event) => {
        switch (event.type) {
            case 'begun':
                log.info(beginning(event, settings));
                if (event.discovery &&
                    event.discovery.requireActions.length > 0 &&
                    event.discovery.branchId === undefined) {
                    log.warning('require-actions without branch-id: an operation of another branch may satisfy it. Name the branch with branch-id.', { title: 'Any branch counts' });
                }
                return;
            case 'changed':
                lines(event.changes, change, 'change');
                return;
            case 'unknown-status':
                log.warning(`The status "${oneLine(event.status, 80)}" of ${named(event.operation)} is not known; it counts as in progress.`, { title: 'Unknown status' });
                return;
            case 'stuck':
                log.warning(`Not waited for, because unfinished since before the look-back: ${plural(event.ids.length, 'operation')} (${listed(event.ids.map((id) => oneLine(id, 80)))}). Use operation-ids to wait for such an operation.`, { title: 'Stuck operations' });
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
function stamp(ms) {
    return ms < 60_000 ? `${(ms / 1000).toFixed(1)}s` : formatDuration(ms);
}
function beginning(event, { timeoutMs }) {
    const longest = timeoutMs === 0 ? 'with one look' : `at most ${formatDuration(timeoutMs)}`;
    if (event.discovery === undefined)
        return `Waiting for ${plural(event.given ?? 0, 'operation')}, ${longest}.`;
    const { requireActions } = event.discovery;
    const required = requireActions.length === 0 ? '' : `, and until ${listed(requireActions)} finished`;
    return `Waiting until ${scope(event.discovery)} is idle${required}, ${longest}.`;
}
function wait_log_status({ seen }) {
    return oneLine(seen?.status ?? 'not seen yet', 80);
}
function change({ operation, from, to, ended, inGrace }) {
    const reason = operation.seen?.error ? ` (${oneLine(operation.seen.error)})` : '';
    const note = inGrace
        ? `${reason}; counts only if it stays so (failed-grace)`
        : to === 'skipped' && ended
            ? ' (counts as finished)'
            : reason;
    if (from === undefined)
        return `${named(operation)}: ${oneLine(to ?? '', 80)}${note}`;
    if (from === to)
        return `${shortName(operation)}: stayed ${oneLine(to ?? '', 80)}${note}`;
    return `${shortName(operation)}: ${oneLine(from ?? '', 80)} → ${oneLine(to ?? '', 80)}${note}`;
}
function alive({ pending, missing, restMs }) {
    const rest = `${formatDuration(restMs)} left`;
    if (pending.length > 0) {
        const names = listed(pending.map((watched) => `${shortName(watched)} (${wait_log_status(watched)})`), 2);
        return `Still waiting for ${plural(pending.length, 'operation')}: ${names}; ${rest}.`;
    }
    if (missing.length > 0)
        return `Still waiting for ${listed(missing)} to appear and finish; ${rest}.`;
    return `Still looking; ${rest}.`;
}
function showWaitEnd(runner, report, operationsLeftOut) {
    const { log } = runner;
    const { result, title, message, operations, selection } = report;
    if (operationsLeftOut) {
        log.warning('The output operations is left out: with the other outputs it would be larger than the 1 MiB that GitHub takes, or cannot be written.', { title: 'Output left out' });
    }
    const failed = operations.filter(({ outcome }) => outcome === 'failed');
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

;// CONCATENATED MODULE: ./lib/runner/wait-outputs.js


function waitOutputs(report) {
    const ids = (outcome) => JSON.stringify(report.operations.filter((one) => one.outcome === outcome).map(({ id }) => id));
    const small = {
        result: report.result,
        'finished-ids': ids('finished'),
        'failed-ids': ids('failed'),
        'pending-ids': ids('pending'),
        count: String(report.operations.length),
        'elapsed-seconds': String(Math.round(report.elapsedMs) / 1000),
        requests: String(report.requests),
    };
    const operations = operationsJson(report);
    if (operations === undefined)
        return { outputs: small, leftOut: true };
    const size = Object.values(small).reduce((sum, text) => sum + text.length, operations.length);
    const fits = size <= LARGEST_OUTPUTS &&
        Buffer.byteLength(operations) + size - operations.length <= LARGEST_OUTPUTS;
    return { outputs: fits ? { ...small, operations } : small, leftOut: !fits };
}
function operationsJson({ operations }) {
    try {
        return stringifyJson(operations.map(({ seen, id, projectId }) => seen ?? { id, project_id: projectId }));
    }
    catch {
        return undefined;
    }
}
function noWaitOutputs() {
    return {
        result: 'failed',
        operations: '[]',
        'finished-ids': '[]',
        'failed-ids': '[]',
        'pending-ids': '[]',
        count: '0',
        'elapsed-seconds': '0',
        requests: '0',
    };
}

;// CONCATENATED MODULE: ./lib/runner/wait-summary.js




const wait_summary_MOST_ROWS = 50;
const MOST_BARS = 20;
const MOST_WORDS = 10;
const SHORT_MS = 15_000;
const wait_summary_HEADINGS = {
    finished: '✅ The database is ready',
    failed: '❌ The wait failed',
    'timed-out': '⏱️ The wait timed out',
    cancelled: '🛑 The wait was cancelled',
};
function waitSummary(report) {
    const sorted = [...report.operations].sort((a, b) => rank(a) - rank(b));
    const parts = [
        `### ${wait_summary_heading(report)}`,
        plain(report.message, 1000),
        operationsTable(sorted, report),
        wait_summary_serviceWords(sorted),
        timeline(sorted, report),
        `<sub>${plain(`${plural(report.operations.length, 'operation')}, ${formatDuration(report.elapsedMs)}, ${plural(report.requests, 'request')}`)}</sub>`,
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}
function wait_summary_heading({ result, operations }) {
    return result === 'finished' && operations.length === 0
        ? '⚠️ There was nothing to wait for'
        : wait_summary_HEADINGS[result];
}
function rank({ outcome }) {
    return outcome === 'failed' ? 0 : outcome === 'pending' ? 1 : 2;
}
function operationsTable(operations, report) {
    if (operations.length === 0)
        return '';
    const projects = new Set(operations.map(({ projectId }) => projectId));
    const branches = new Set(operations.map(({ seen }) => seen?.branch_id ?? undefined));
    const [project = ''] = projects;
    const [branch] = branches;
    const common = [];
    if (projects.size === 1)
        common.push(`Project ${code(project)}`);
    if (branches.size === 1 && branch !== undefined)
        common.push(`branch ${code(branch)}`);
    const rows = operations.slice(0, wait_summary_MOST_ROWS).map((watched) => {
        const { seen } = watched;
        return [
            `${icon(watched)}&nbsp;${plain(seen?.status ?? 'not seen', 40)}`,
            seen?.action ? code(seen.action, 60) : '–',
            code(watched.id),
            ...(projects.size > 1 ? [code(watched.projectId)] : []),
            ...(branches.size > 1 ? [seen?.branch_id ? code(seen.branch_id) : '–'] : []),
            duration(watched, report),
        ];
    });
    const head = [
        ...['Status', 'Action', 'Operation'],
        ...(projects.size > 1 ? ['Project'] : []),
        ...(branches.size > 1 ? ['Branch'] : []),
        'Took',
    ];
    const parts = [table(head, rows, [head.length - 1])];
    if (common.length > 0)
        parts.unshift(common.join(', '));
    const rest = operations.length - rows.length;
    if (rest > 0)
        parts.push(`… and ${plural(rest, 'operation')} more.`);
    return parts.join('\n\n');
}
function wait_summary_serviceWords(operations) {
    const lines = operations.flatMap((watched) => {
        const { seen, id } = watched;
        return seen?.error ? [`- ${icon(watched)} ${code(id)}: ${plain(seen.error)}`] : [];
    });
    if (lines.length === 0)
        return '';
    const rest = lines.length - MOST_WORDS;
    const more = rest > 0 ? [`- … and ${grouped(rest)} more`] : [];
    return ['The service says:', '', ...lines.slice(0, MOST_WORDS), ...more].join('\n');
}
function icon({ outcome, seen }) {
    if (outcome === 'failed')
        return '❌';
    if (outcome === 'pending')
        return '⏳';
    return seen?.status === 'skipped' ? '⏭️' : '✅';
}
function span({ seen, outcome }, report) {
    const from = parseMoment(seen?.created_at);
    const to = outcome === 'pending' ? report.beganAt + report.elapsedMs : parseMoment(seen?.updated_at);
    return from <= to ? { from, to } : undefined;
}
function duration(watched, report) {
    const known = span(watched, report);
    if (known === undefined)
        return '–';
    const took = formatDuration(known.to - known.from);
    return watched.outcome === 'pending' ? `${took}+` : took;
}
function timeline(operations, report) {
    const bars = operations
        .flatMap((watched) => {
        const known = span(watched, report);
        return known === undefined ? [] : [{ watched, ...known }];
    })
        .slice(0, MOST_BARS)
        .sort((a, b) => a.from - b.from);
    if (bars.length === 0)
        return '';
    const { elapsedMs, result } = report;
    const ended = bars.filter(({ watched }) => watched.outcome !== 'pending').map(({ to }) => to);
    const beganAt = Math.max(report.beganAt, ...ended.map((to) => Math.min(to - elapsedMs, report.beganAt + 1000)));
    const first = Math.min(beganAt, ...bars.map(({ from }) => from));
    const last = Math.max(beganAt + elapsedMs, ...bars.map(({ to }) => to));
    const sections = Map.groupBy(bars, ({ watched }) => place(watched));
    const longest = Math.max(...[...sections.keys(), STEP].map(({ length }) => length));
    const padding = 24 + Math.ceil(6.4 * longest);
    const lines = ['```mermaid', `%%{init: {"gantt": {"leftPadding": ${padding}}}}%%`, 'gantt'];
    lines.push('  dateFormat x', '  axisFormat %H:%M:%S');
    if (last - first < SHORT_MS)
        lines.push('  tickInterval 1second');
    for (const [section, group] of sections) {
        lines.push(`  section ${section}`);
        for (const { watched, from, to } of group) {
            const name = diagramName(`${watched.seen?.action ?? 'operation'} ${watched.id.slice(0, 8)}`);
            lines.push(`  ${MARKS[watched.outcome]} ${name} :${colour(watched)}, ${Math.round(from)}, ${barEnd(from, to)}`);
        }
    }
    lines.push(`  section ${STEP}`);
    lines.push(`  wait ${result} :active, ${Math.round(beganAt)}, ${barEnd(beganAt, beganAt + elapsedMs)}`, '```');
    return lines.join('\n');
}
function barEnd(from, to) {
    return Math.max(Math.round(to), Math.round(from) + 1);
}
const STEP = 'This step';
function place({ seen, projectId }) {
    return diagramName(seen?.branch_id ?? projectId, 32);
}
const MARKS = { finished: '✓', failed: '✗', pending: '…' };
function colour({ outcome }) {
    return outcome === 'failed' ? 'crit' : outcome === 'pending' ? 'active' : 'done';
}

;// CONCATENATED MODULE: ./lib/wait-operations/status.js
const MEANINGS = {
    scheduling: 'in-progress',
    running: 'in-progress',
    cancelling: 'in-progress',
    finished: 'finished',
    skipped: 'finished',
    failed: 'failed',
    error: 'failed',
    cancelled: 'failed',
};
function meaningOf(status) {
    return ((status !== undefined && Object.hasOwn(MEANINGS, status) && MEANINGS[status]) || 'in-progress');
}
function isKnownStatus(status) {
    return Object.hasOwn(MEANINGS, status);
}
function mayRecover(status) {
    return status === 'failed' || status === 'error';
}

;// CONCATENATED MODULE: ./lib/wait-operations/ledger.js

class Ledger {
    #graceMs;
    #watched = new Map();
    constructor(graceMs) {
        this.#graceMs = graceMs;
    }
    watch({ projectId, id }) {
        const key = `${projectId}/${id}`;
        let watched = this.#watched.get(key);
        if (watched === undefined) {
            watched = {
                projectId,
                id,
                place: this.#watched.size,
                seen: undefined,
                outcome: 'pending',
                failedAt: undefined,
                missed: 0,
                found: false,
            };
            this.#watched.set(key, watched);
        }
        return watched;
    }
    get(projectId, id) {
        return this.#watched.get(`${projectId}/${id}`);
    }
    record(watched, seen, now) {
        if (watched.outcome === 'failed')
            return undefined;
        const before = { status: statusOf(watched), outcome: watched.outcome };
        watched.seen = seen;
        watched.missed = 0;
        watched.outcome = this.#outcome(watched, now);
        const status = statusOf(watched);
        if (status === before.status && watched.outcome === before.outcome)
            return undefined;
        return {
            operation: watched,
            from: before.status,
            to: status,
            ended: before.outcome === 'pending' && watched.outcome !== 'pending',
            inGrace: watched.outcome === 'pending' && watched.failedAt !== undefined,
        };
    }
    #outcome(watched, now) {
        const status = statusOf(watched);
        const meaning = meaningOf(status);
        if (meaning !== 'failed') {
            watched.failedAt = undefined;
            return meaning === 'finished' ? 'finished' : 'pending';
        }
        watched.failedAt ??= now;
        const waits = mayRecover(status) && now - watched.failedAt < this.#graceMs;
        return waits ? 'pending' : 'failed';
    }
    all() {
        return [...this.#watched.values()];
    }
    with(outcome) {
        return this.all().filter((watched) => watched.outcome === outcome);
    }
    get size() {
        return this.#watched.size;
    }
    nextGraceEnd() {
        const ends = this.with('pending').flatMap(({ failedAt }) => failedAt === undefined ? [] : [failedAt + this.#graceMs]);
        return ends.length === 0 ? undefined : Math.min(...ends);
    }
}
function statusOf({ seen }) {
    return seen?.status ?? undefined;
}

;// CONCATENATED MODULE: ./lib/wait-operations/listing.js



const listing_LIMITS = [1000, 100, 10];
class Listings {
    #api;
    #limit = 0;
    constructor(api) {
        this.#api = api;
    }
    async read(projectId, options, call) {
        for (;;) {
            const limit = listing_LIMITS[this.#limit] ?? 10;
            try {
                return await this.#readWith(projectId, limit, options, call);
            }
            catch (error) {
                const tooLarge = error instanceof ControlApiError && (error.status === 400 || error.status === 422);
                if (!tooLarge || this.#limit + 1 >= listing_LIMITS.length)
                    throw error;
                if (listing_LIMITS[this.#limit] === limit)
                    this.#limit += 1;
            }
        }
    }
    async #readWith(projectId, limit, { begin, unlike }, call) {
        const onPage = begin();
        const size = unlike ? otherSize(Math.min(limit, unlike.largest)) : limit;
        let requests = 0;
        let largest = 0;
        const pages = readPages(async (cursor) => {
            const page = await this.#api.listOperations(projectId, { limit: size, cursor }, call);
            requests += 1;
            largest = Math.max(largest, page.operations.length);
            return { items: page.operations, cursor: page.pagination?.cursor };
        }, ({ id }) => id, `list the operations of project ${oneLine(projectId, 120)}`);
        let count = 0;
        for await (const items of pages) {
            count += 1;
            if (onPage(items))
                break;
        }
        return { pages: count, followed: requests > 1, full: largest >= size, largest };
    }
}
function otherSize(size) {
    if (size === 1)
        return 2;
    let other = Math.max(1, Math.floor(0.7 * size));
    while (other > 1 && gcd(size, other) > 1)
        other -= 1;
    return other;
}
function gcd(a, b) {
    return b === 0 ? a : gcd(b, a % b);
}

;// CONCATENATED MODULE: ./lib/wait-operations/discovery.js


const LOOK_BACK_MS = 24 * 60 * 60 * 1000;
const REQUIRED_LOOK_BACK_MS = 10 * 60 * 1000;
const ORDER_SEEN = 10;
const CLOCK_SLACK_MS = 1000;
class Finder {
    #discovery;
    #beganAt;
    #watchFrom;
    #countFrom;
    #unfinished = new Set();
    #first;
    constructor(discovery, beganAt) {
        const { since } = discovery;
        this.#discovery = discovery;
        this.#beganAt = beganAt;
        this.#countFrom =
            since === undefined ? undefined : 'at' in since ? since.at : beganAt - since.agoMs;
        this.#watchFrom = Math.min(this.#countFrom ?? beganAt, beganAt - LOOK_BACK_MS);
    }
    take(operations) {
        const inScope = operations.filter((operation) => this.#isInScope(operation));
        for (const one of inScope)
            if (discovery_isUnfinished(one))
                this.#unfinished.add(one.id);
        const first = this.#first ?? remember(inScope);
        const isFirst = this.#first === undefined;
        this.#first = first;
        const stuck = inScope.filter((one) => discovery_isUnfinished(one) && this.#isOld(one));
        const watch = inScope.filter((one) => {
            if (this.#isOld(one))
                return false;
            if (discovery_isUnfinished(one))
                return true;
            const created = createdAt(one);
            if (this.#countFrom !== undefined && !(created < this.#countFrom))
                return true;
            if (isFirst)
                return this.#endedSinceBegin(one);
            return !first.ids.has(one.id) && !(created < first.newest);
        });
        const deciding = this.#discovery.requireActions.map((action) => ({
            action,
            operation: this.#deciding(action, inScope),
        }));
        for (const { operation } of deciding) {
            if (operation && !stuck.includes(operation) && !watch.includes(operation))
                watch.push(operation);
        }
        const missing = deciding
            .filter(({ operation }) => !operation || discovery_isUnfinished(operation))
            .map(({ action }) => action);
        const before = isFirst ? watch.filter((one) => !this.#endedSinceBegin(one)) : [];
        watch.sort((a, b) => createdAt(a) - createdAt(b));
        return { watch, inScope, stuck, missing, before: new Set(before.map(({ id }) => id)) };
    }
    collect() {
        return new Collected((operation) => ({
            old: this.#isOld(operation),
            matters: this.#isInScope(operation) && (!this.#isOld(operation) || discovery_isUnfinished(operation)),
        }));
    }
    #isInScope({ branch_id, action }) {
        const { branchId, actions, requireActions } = this.#discovery;
        if (branchId !== undefined && branch_id !== branchId)
            return false;
        return actions.length === 0 || actions.includes(action) || requireActions.includes(action);
    }
    #endedSinceBegin({ updated_at }) {
        return parseMoment(updated_at) > this.#beganAt + CLOCK_SLACK_MS;
    }
    #isOld(operation) {
        return createdAt(operation) < this.#watchFrom;
    }
    #deciding(action, inScope) {
        const from = this.#countFrom ?? this.#beganAt - REQUIRED_LOOK_BACK_MS;
        const newest = inScope
            .filter((one) => one.action === action)
            .reduce((best, one) => (best && !isNewer(one, best) ? best : one), undefined);
        if (newest === undefined || discovery_isUnfinished(newest) || this.#unfinished.has(newest.id))
            return newest;
        return createdAt(newest) >= from ? newest : undefined;
    }
}
class Collected {
    operations = [];
    #judge;
    #newestFirst = true;
    #moments = 0;
    #last = Number.POSITIVE_INFINITY;
    constructor(judge) {
        this.#judge = judge;
    }
    take(page) {
        let old = false;
        for (const operation of page) {
            const created = createdAt(operation);
            if (!(created <= this.#last))
                this.#newestFirst = false;
            if (created < this.#last)
                this.#moments += 1;
            this.#last = created;
            const judged = this.#judge(operation);
            old = judged.old;
            if (judged.matters)
                this.operations.push(operation);
        }
        return old && this.#newestFirst && this.#moments >= ORDER_SEEN;
    }
}
function remember(operations) {
    return {
        ids: new Set(operations.map(({ id }) => id)),
        newest: operations.reduce((newest, one) => Math.max(newest, createdAt(one) || newest), Number.NEGATIVE_INFINITY),
    };
}
function isNewer(one, other) {
    const [a, b] = [createdAt(one), createdAt(other)];
    if (a === b || Number.isNaN(a) || Number.isNaN(b))
        return meaningOf(other.status) === 'finished';
    return a > b;
}
function discovery_isUnfinished({ status }) {
    return meaningOf(status) === 'in-progress';
}
function createdAt({ created_at }) {
    return parseMoment(created_at);
}

// EXTERNAL MODULE: ./node_modules/p-map/index.js
var p_map = __webpack_require__(606);
;// CONCATENATED MODULE: ./lib/wait-operations/problem.js
class WaitProblem extends Error {
    title;
    constructor(title, message) {
        super(message);
        this.name = 'WaitProblem';
        this.title = title;
    }
}

;// CONCATENATED MODULE: ./lib/wait-operations/reader.js





const WIDTH = 8;
const MOST_MISSES = 3;
class Reader {
    #parts;
    #unknownStatuses = new Set();
    #missedProjects = new Map();
    #foundProjects = new Set();
    #changes = [];
    constructor(parts) {
        this.#parts = parts;
    }
    record(watched, seen) {
        const { ledger, clock, observe } = this.#parts;
        watched.found = true;
        this.#foundProjects.add(watched.projectId);
        const change = ledger.record(watched, seen, clock.monotonic());
        if (change)
            this.#changes.push(change);
        const status = seen.status ?? '';
        if (!isKnownStatus(status) && !this.#unknownStatuses.has(status)) {
            this.#unknownStatuses.add(status);
            observe({ type: 'unknown-status', status, operation: watched });
        }
    }
    flush() {
        const changes = this.#changes.sort((a, b) => a.operation.place - b.operation.place);
        this.#changes = [];
        if (changes.length > 0)
            this.#parts.observe({ type: 'changed', changes });
        return changes.filter(({ ended }) => ended);
    }
    readByIds(operations, call) {
        return inParallel(operations, async (watched) => {
            try {
                this.record(watched, await this.#parts.api.getOperation(watched.projectId, watched.id, call));
            }
            catch (error) {
                if (!isNotFound(error))
                    throw error;
                watched.missed += 1;
                if (watched.missed >= MOST_MISSES)
                    throw notFound(watched, error);
            }
        });
    }
    async listing(projectId, read) {
        try {
            const result = await read();
            this.#missedProjects.delete(projectId);
            this.#foundProjects.add(projectId);
            return result;
        }
        catch (error) {
            if (!isNotFound(error))
                throw error;
            const misses = (this.#missedProjects.get(projectId)?.misses ?? 0) + 1;
            this.#missedProjects.set(projectId, { misses, error });
            if (misses < MOST_MISSES)
                return undefined;
            throw new WaitProblem('Project not found', `Project ${projectId} was not found in ${MOST_MISSES} looks: ${error.finding}. Check project-id and base-url, and that the API key belongs to the project's account.`);
        }
    }
    get unknownProjects() {
        return [...this.#missedProjects.keys()].filter((id) => !this.#foundProjects.has(id));
    }
    get projectFault() {
        return this.#missedProjects.values().next().value?.error;
    }
}
async function inParallel(items, work) {
    const faults = [];
    await (0,p_map/* default */.Ay)(items, (item) => work(item).catch((fault) => faults.push(fault)), {
        concurrency: WIDTH,
    });
    return faults;
}
function throwGravest(faults) {
    if (faults.length === 0)
        return;
    throw faults.find((fault) => !isPassing(fault)) ?? longestPause(faults);
}
function longestPause(faults) {
    const pause = (fault) => fault instanceof ControlApiError ? (fault.retryAfterMs ?? 0) : 0;
    return faults.reduce((longest, fault) => (pause(fault) > pause(longest) ? fault : longest));
}
function isNotFound(error) {
    return error instanceof ControlApiError && error.kind === 'not-found';
}
function notFound({ id, projectId }, { finding }) {
    return new WaitProblem('Operation not found', `Operation ${id} of project ${projectId} was not found in ${MOST_MISSES} looks: ${oneLine(finding, 400)}. Check the operation id, the project id and base-url, and that the API key belongs to the project's account.`);
}

;// CONCATENATED MODULE: ./lib/wait-operations/schedule.js
const FIRST_GAP_MS = 1000;
const HELD_MS = 5000;
const GROWTH = 4;
const schedule_SHORTEST = 0.8;
const LONGEST = 1.1;
function gapMs(elapsedMs, pollIntervalMs, random) {
    const grown = FIRST_GAP_MS + Math.max(0, elapsedMs - HELD_MS) * (GROWTH - 1);
    return Math.min(pollIntervalMs, grown) * (schedule_SHORTEST + (LONGEST - schedule_SHORTEST) * random);
}

;// CONCATENATED MODULE: ./lib/wait-operations/look-around.js



class LookAround {
    #parts;
    #toldStuck = new Set();
    #finder;
    #missing = [];
    #endSeenAt = Number.NEGATIVE_INFINITY;
    constructor(parts) {
        this.#parts = parts;
    }
    async look(call, last) {
        const { clock } = this.#parts;
        const soon = clock.monotonic() - this.#endSeenAt < FIRST_GAP_MS;
        const look = await this.#look(call, last);
        if (look.fresh)
            this.#endSeenAt = clock.monotonic();
        return look.done && soon ? { ...look, done: false, fresh: true } : look;
    }
    async #look(call, last) {
        const { look, listing } = await this.#lookOnce(call);
        if (!look.done || !listing?.followed)
            return look;
        if (last && (listing.pages > 1 || listing.full))
            return { ...look, done: false, fresh: true };
        return (await this.#lookOnce(call, listing)).look;
    }
    async #lookOnce(call, unlike) {
        const { discovery, ledger, reader, listings } = this.#parts;
        let collected;
        const begin = () => {
            collected = undefined;
            return (page) => {
                collected ??= this.#finding().collect();
                return collected.take(page);
            };
        };
        const options = unlike === undefined ? { begin } : { begin, unlike };
        const listing = await reader.listing(discovery.projectId, () => listings.read(discovery.projectId, options, call));
        if (listing === undefined)
            return { look: { done: false, missing: this.#missing } };
        const operations = collected?.operations ?? [];
        const findings = this.#finding().take(operations);
        this.#tellStuck(findings);
        this.#record(findings);
        const faults = await reader.readByIds(this.#unlisted(operations), call);
        const ended = reader.flush();
        throwGravest(faults);
        const { missing, before } = findings;
        this.#missing = missing;
        const settled = ledger.with('pending').length === 0;
        const news = ended.some(({ operation }) => !before.has(operation.id));
        const fresh = settled && missing.length === 0 && news;
        const done = settled && missing.length === 0 && !fresh;
        return { look: { done, fresh, missing }, listing };
    }
    #finding() {
        this.#finder ??= new Finder(this.#parts.discovery, this.#parts.beganAt());
        return this.#finder;
    }
    #record({ watch, inScope }) {
        const { discovery, ledger, reader } = this.#parts;
        for (const { id } of watch)
            ledger.watch({ projectId: discovery.projectId, id });
        for (const operation of inScope) {
            const watched = ledger.get(discovery.projectId, operation.id);
            if (watched)
                reader.record(watched, operation);
        }
    }
    #unlisted(operations) {
        const listed = new Set(operations.map(({ id }) => id));
        return this.#parts.ledger.with('pending').filter(({ id }) => !listed.has(id));
    }
    #tellStuck({ stuck }) {
        const ids = stuck.map(({ id }) => id).filter((id) => !this.#toldStuck.has(id));
        for (const id of ids)
            this.#toldStuck.add(id);
        if (ids.length > 0)
            this.#parts.observe({ type: 'stuck', ids });
    }
}

;// CONCATENATED MODULE: ./lib/wait-operations/look-at-given.js


class LookAtGiven {
    #ledger;
    #reader;
    #listings;
    #listingCosts = new Map();
    constructor(ledger, reader, listings) {
        this.#ledger = ledger;
        this.#reader = reader;
        this.#listings = listings;
    }
    async look(call) {
        const single = [];
        const listed = [];
        const pending = Map.groupBy(this.#ledger.with('pending'), ({ projectId }) => projectId);
        for (const [projectId, operations] of pending) {
            const cost = this.#listingCosts.get(projectId) ?? 1;
            if (cost === Number.POSITIVE_INFINITY)
                this.#listingCosts.delete(projectId);
            if (operations.length > cost)
                listed.push([projectId, operations]);
            else
                single.push(...operations);
        }
        const faults = [
            ...(await inParallel(listed, (project) => this.#readListing(project, call, single))),
            ...(await this.#reader.readByIds(single, call)),
        ];
        this.#reader.flush();
        throwGravest(faults);
        return { done: this.#ledger.with('pending').length === 0 };
    }
    async #readListing([projectId, operations], call, single) {
        const sought = new Map(operations.map((watched) => [watched.id, watched]));
        let read = 0;
        const onPage = (page) => {
            for (const operation of page) {
                const watched = sought.get(operation.id);
                if (!watched)
                    continue;
                sought.delete(watched.id);
                this.#reader.record(watched, operation);
            }
            read += 1;
            return sought.size === 0 || read >= operations.length;
        };
        const listing = await this.#reader.listing(projectId, () => this.#listings.read(projectId, { begin: () => onPage }, call).catch((error) => {
            if (error instanceof ControlApiError && error.kind === 'unreadable') {
                this.#listingCosts.set(projectId, Number.POSITIVE_INFINITY);
            }
            throw error;
        }));
        if (listing === undefined)
            return;
        this.#listingCosts.set(projectId, Math.max(1, listing.pages + sought.size));
        single.push(...sought.values());
    }
}

;// CONCATENATED MODULE: ./lib/wait-operations/wait.js














const LAST_LOOK_MS = 5000;
const LONGEST_PAUSE_IN_LOOK_MS = 2000;
class Wait {
    #settings;
    #parts;
    #ledger;
    #reader;
    #looker;
    #beganAt;
    #verdict;
    #lastLook;
    #fault;
    #outageFrom;
    #notBefore = 0;
    constructor(settings, parts) {
        this.#settings = settings;
        this.#parts = parts;
        this.#ledger = new Ledger(settings.failedGraceMs);
        this.#beganAt = parts.clock.monotonic();
        const { api, clock, observe } = parts;
        this.#reader = new Reader({ api, clock, ledger: this.#ledger, observe });
        this.#looker = this.#createLooker();
    }
    async run(cancelled) {
        const stopSigns = this.#showLife();
        try {
            this.#verdict = await this.#untilDecided(cancelled);
        }
        catch (error) {
            this.#verdict = this.#verdictOf(error, cancelled);
        }
        finally {
            stopSigns();
        }
        return this.report();
    }
    report() {
        const { clock, api, serviceClock } = this.#parts;
        const elapsedMs = clock.monotonic() - this.#beganAt;
        const { result, title, message } = this.#verdict ?? {
            result: 'failed',
            title: 'Broke off',
            message: 'The wait broke off before it was decided.',
        };
        return {
            result,
            title,
            message,
            selection: this.#settings.selection,
            operations: this.#ledger.all(),
            elapsedMs,
            requests: api.requests,
            beganAt: serviceClock.now() - elapsedMs,
        };
    }
    #createLooker() {
        const { selection } = this.#settings;
        const { api, clock, observe, serviceClock } = this.#parts;
        const ledger = this.#ledger;
        const reader = this.#reader;
        const listings = new Listings(api);
        if (selection.kind === 'given')
            return new LookAtGiven(ledger, reader, listings);
        const beganAt = () => serviceClock.now() - (clock.monotonic() - this.#beganAt);
        return new LookAround({
            discovery: selection,
            clock,
            ledger,
            reader,
            listings,
            beganAt,
            observe,
        });
    }
    async #untilDecided(cancelled) {
        const { clock } = this.#parts;
        const deadline = this.#beganAt + this.#settings.timeoutMs;
        const decided = this.#begin();
        if (decided)
            return decided;
        const atDeadline = new AbortController();
        const stop = clock.timer(deadline - clock.monotonic(), () => atDeadline.abort());
        const signal = AbortSignal.any([cancelled, atDeadline.signal]);
        try {
            while (clock.monotonic() < deadline) {
                const look = await this.#look(signal);
                const verdict = this.#decide(look);
                if (verdict)
                    return verdict;
                await sleep(clock, this.#pauseMs(look, deadline), signal);
            }
        }
        catch (error) {
            if (cancelled.aborted || !atDeadline.signal.aborted)
                throw error;
        }
        finally {
            stop();
        }
        return this.#lastChance(cancelled);
    }
    #begin() {
        const { selection } = this.#settings;
        const { observe, clock } = this.#parts;
        if (selection.kind === 'discovery') {
            observe({ type: 'begun', given: undefined, discovery: selection });
            return undefined;
        }
        observe({ type: 'begun', given: selection.operations.length });
        const changes = selection.operations.flatMap((given) => {
            const watched = this.#ledger.watch(given);
            return given.seen ? (this.#ledger.record(watched, given.seen, clock.monotonic()) ?? []) : [];
        });
        if (changes.length > 0)
            observe({ type: 'changed', changes });
        return this.#decide({ done: this.#ledger.with('pending').length === 0 });
    }
    async #look(signal) {
        const { clock, observe } = this.#parts;
        try {
            const look = await this.#looker.look({
                signal,
                longestRetryAfterMs: LONGEST_PAUSE_IN_LOOK_MS,
                onRetry: (error, pauseMs) => this.#note(error, pauseMs >= LONG_PAUSE_MS),
            }, false);
            this.#lastLook = look;
            this.#fault = undefined;
        }
        catch (error) {
            if (!isPassing(error))
                throw error;
            this.#note(error, true);
            this.#notBefore = clock.monotonic() + (error.retryAfterMs ?? 0);
            return undefined;
        }
        if (this.#outageFrom !== undefined) {
            observe({ type: 'recovered', afterMs: clock.monotonic() - this.#outageFrom });
            this.#outageFrom = undefined;
        }
        return this.#lastLook;
    }
    #note(error, isOutage) {
        this.#fault = error;
        if (!isOutage || this.#outageFrom !== undefined)
            return;
        this.#outageFrom = this.#parts.clock.monotonic();
        this.#parts.observe({ type: 'outage', error });
    }
    #pauseMs(look, deadline) {
        const { clock, random } = this.#parts;
        const now = clock.monotonic();
        const gap = look?.fresh
            ? FIRST_GAP_MS * (1 + 0.1 * random())
            : gapMs(now - this.#beganAt, this.#settings.pollIntervalMs, random());
        const graceEnd = this.#ledger.nextGraceEnd() ?? 0;
        const soon = graceEnd > now ? Math.min(now + gap, graceEnd) : now + gap;
        const next = Math.max(soon, this.#notBefore);
        return Math.max(0, Math.min(next, deadline) - now);
    }
    #decide(look) {
        const failed = this.#ledger.with('failed');
        const over = look?.done === true;
        if (failed.length > 0 && (over || this.#settings.failFast)) {
            return { result: 'failed', ...failedEnding(failed, this.#ledger.with('pending')) };
        }
        if (!over)
            return undefined;
        const elapsedMs = this.#parts.clock.monotonic() - this.#beganAt;
        return { result: 'finished', ...finishedEnding(this.#ledger.all(), elapsedMs) };
    }
    async #lastChance(cancelled) {
        const { clock } = this.#parts;
        const tooLong = new AbortController();
        const longest = Math.min(this.#settings.requestTimeoutMs, LAST_LOOK_MS);
        const stop = clock.timer(longest, () => tooLong.abort());
        let look;
        try {
            const signal = AbortSignal.any([cancelled, tooLong.signal]);
            look = await this.#looker.look({ signal, retries: 0 }, true);
        }
        catch (error) {
            if (cancelled.aborted || !(isPassing(error) || tooLong.signal.aborted))
                throw error;
            if (isPassing(error))
                this.#note(error, false);
        }
        finally {
            stop();
        }
        return this.#decide(look) ?? this.#tooLate(look);
    }
    #tooLate(look) {
        const failed = this.#ledger.with('failed');
        const pending = this.#ledger.with('pending');
        if (failed.length > 0)
            return { result: 'failed', ...failedEnding(failed, pending) };
        const projects = this.#reader.unknownProjects;
        if (projects.length > 0)
            return { result: 'failed', ...projectNotFoundEnding(projects) };
        const unknown = pending.filter(({ found, missed }) => !found && missed > 0);
        if (unknown.length > 0)
            return { result: 'failed', ...neverFoundEnding(unknown) };
        const fault = look === undefined ? this.#fault : this.#reader.projectFault;
        const { timeoutMs, selection } = this.#settings;
        const ending = timedOutEnding({ pending, look, fault, timeoutMs, selection });
        return { result: 'timed-out', ...ending };
    }
    #verdictOf(error, cancelled) {
        if (cancelled.aborted) {
            const elapsedMs = this.#parts.clock.monotonic() - this.#beganAt;
            return { result: 'cancelled', ...cancelledEnding(this.#ledger.with('pending'), elapsedMs) };
        }
        if (error instanceof WaitProblem)
            return failedBy(error.title, error);
        if (error instanceof UnsafeIdError)
            return failedBy('Bad id', error);
        if (error instanceof ControlApiError)
            return failedBy(errorTitle(error), error, nextStep(error));
        throw error;
    }
    #showLife() {
        const { clock, observe } = this.#parts;
        return every(clock, SIGN_OF_LIFE_MS, () => {
            const elapsedMs = clock.monotonic() - this.#beganAt;
            observe({
                type: 'alive',
                pending: this.#ledger.with('pending'),
                missing: this.#lastLook?.missing ?? [],
                elapsedMs,
                restMs: Math.max(0, this.#settings.timeoutMs - elapsedMs),
            });
        });
    }
}
function failedBy(title, { message }, next = '') {
    return { result: 'failed', title, message: sentence(message) + next };
}

;// CONCATENATED MODULE: ./lib/action/wait.js





async function runWait(world, common, settings) {
    const { runner, clock, random } = world;
    const http = world.createHttp(USER_AGENT);
    try {
        const { createApi, serviceClock } = connect(world, common, http);
        const api = createApi(common.apiKey);
        const observe = waitLog(runner.log, clock, settings);
        const wait = new Wait(settings, { api, clock, serviceClock, random, observe });
        runner.onBreakdown(() => {
            runner.setOutputs({ ...waitOutputs(wait.report()).outputs, result: 'failed' });
        });
        const report = await wait.run(runner.cancelled);
        const { outputs, leftOut } = waitOutputs(report);
        runner.setOutputs(outputs);
        if (common.summary)
            await runner.writeSummary(waitSummary(report));
        showWaitEnd(runner, report, leftOut);
        return report.result === 'finished';
    }
    finally {
        http.close();
    }
}

;// CONCATENATED MODULE: ./lib/inputs/base-url.js
const RULE = {
    allowed: 'an https address that ends in the version prefix, without credentials, query or fragment (http for loopback hosts only)',
    example: 'https://console.example.com/api/v2',
};
function readBaseUrl(form) {
    const text = form.required('base-url', RULE);
    if (text === '')
        return '';
    const problem = problemOf(text);
    if (problem !== undefined)
        form.fault('base-url', problem, RULE);
    return normal(text) ?? '';
}
function problemOf(text) {
    if (/[\s\u0000-\u001f\u007f]/.test(text))
        return 'holds blanks or control characters';
    if (!URL.canParse(text))
        return 'is not a URL';
    const url = new URL(text);
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
        return 'is not an https address';
    if (url.username !== '' || url.password !== '')
        return 'holds credentials';
    if (text.includes('?'))
        return 'holds a query';
    if (text.includes('#'))
        return 'holds a fragment';
    if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
        return 'is http to a host that is not this machine: the API key would travel unprotected';
    }
    if (!/\/v\d+(\.\d+)?\/?$/.test(url.pathname))
        return 'does not end in a version prefix such as /api/v2';
    return undefined;
}
function normal(text) {
    if (!URL.canParse(text))
        return undefined;
    const { origin, pathname } = new URL(text);
    return origin + pathname.replace(/\/$/, '');
}
function isLoopback(hostname) {
    return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

;// CONCATENATED MODULE: ./lib/inputs/list.js
const FILTERS = ['project-name', 'region-id', 'platform-id', 'pg-version'];
function readList(form, warn) {
    const [names, regionIds, platformIds, pgVersions] = [
        form.names('project-name', 'shop-*, !*-archive'),
        form.ids('region-id', 'aws-us-east-2, aws-eu-central-1'),
        form.ids('platform-id', 'aws, azure'),
        readVersions(form, 'pg-version'),
    ];
    for (const [index, list] of [names, regionIds, platformIds, pgVersions].entries()) {
        if (list?.length === 0)
            warn(`${FILTERS[index]} is an empty list, so no project is wanted.`);
    }
    return {
        filter: { names, regionIds, platformIds, pgVersions },
        orgId: form.id('org-id'),
        outputFile: readPath(form, 'output-file'),
    };
}
function readVersions(form, name) {
    const versions = form.ids(name, '16, 17');
    const bad = versions?.find((version) => !/^[1-9]\d{0,3}$/.test(version));
    if (bad !== undefined) {
        const rule = {
            allowed: 'major versions of Postgres, which are whole numbers',
            example: '16, 17',
        };
        form.fault(name, `${form.quoted(bad)} is not a major version`, rule);
    }
    return versions;
}
function readPath(form, name) {
    const path = form.text(name);
    if (path === '')
        return undefined;
    const rule = {
        allowed: 'the path of a file, relative to the workspace, without control characters',
        example: 'build/projects.json',
    };
    if (/\p{Cc}/u.test(path))
        form.fault(name, `${form.quoted(path)} is not a path`, rule);
    else if (/[/\\]$/.test(path))
        form.fault(name, `${form.quoted(path)} names a folder`, rule);
    if (form.holdsSecret(path))
        form.fault(name, 'holds the value of api-key or github-token', rule);
    return path;
}

;// CONCATENATED MODULE: ./lib/inputs/operations.js




const id = dist/* pipe */.FsL(dist/* string */.YjP(), dist/* check */.z6Y(isSafeId));
const operations_text = dist/* nullish */.cl6(dist/* string */.YjP());
const givenSchema = dist/* looseObject */._H3({
    id,
    project_id: dist/* optional */.lqM(id),
    branch_id: operations_text,
    endpoint_id: operations_text,
    action: operations_text,
    status: operations_text,
    created_at: operations_text,
    updated_at: operations_text,
    error: operations_text,
});
const operations_RULE = {
    allowed: 'JSON as the API returned it: a response body with an "operations" array or one "operation", or the array alone',
    example: '{"operations":[{"id":"8c5b1f60-3f5b-4d2a-9e4e-8f2f0a1b2c3d","project_id":"aged-salad-686906"}]}',
};
function readOperations(form, name, json) {
    if (json === undefined || (json.trim() === '' && name === 'operations'))
        return undefined;
    let body;
    try {
        body = form.redacted(parseJson(json));
    }
    catch {
        form.fault(name, json.trim() === '' ? 'is empty' : 'is not JSON', operations_RULE);
        return undefined;
    }
    const items = itemsOf(body);
    if (items === undefined) {
        form.fault(name, 'holds no operations (is it the answer to a request that failed?)', operations_RULE);
        return undefined;
    }
    const result = dist/* safeParse */.xLC(dist/* array */.YOg(givenSchema), items, { abortEarly: true });
    if (result.success)
        return result.output;
    const path = oneLine(dist/* getDotPath */.BuJ(result.issues[0]) ?? '', 80);
    form.fault(name, `operation ${path} is missing or not of the right shape`, operations_RULE);
    return undefined;
}
function itemsOf(body) {
    if (Array.isArray(body))
        return body;
    if (typeof body !== 'object' || body === null)
        return undefined;
    const { operations, operation } = body;
    if (Array.isArray(operations))
        return operation === undefined ? operations : [...operations, operation];
    return operations === undefined && operation !== undefined ? [operation] : undefined;
}

;// CONCATENATED MODULE: ./lib/inputs/wait.js



const PROJECT = { allowed: 'the id of a project', example: 'aged-salad-686906' };
const OPERATION_EXAMPLE = '8c5b1f60-3f5b-4d2a-9e4e-8f2f0a1b2c3d';
const ONLY_WITHOUT_IDS = ['branch-id', 'actions', 'require-actions', 'since'];
function readWait(form, requestTimeoutMs, warn) {
    return {
        selection: readSelection(form, warn),
        pollIntervalMs: form.duration('poll-interval', { atLeastMs: 1000, example: '5s' }),
        timeoutMs: form.duration('timeout', { example: '10m' }),
        failFast: form.boolean('fail-fast'),
        failedGraceMs: form.duration('failed-grace'),
        requestTimeoutMs,
    };
}
function readSelection(form, warn) {
    const projectId = form.id('project-id');
    const ids = form.ids('operation-ids', OPERATION_EXAMPLE);
    const bodies = ['operations', 'operations-file'].filter((name) => form.text(name) !== '');
    const seen = bodies.flatMap((name) => {
        const json = name === 'operations' ? form.text(name) : form.file(name);
        return readOperations(form, name, json) ?? [];
    });
    if (ids === undefined && bodies.length === 0)
        return readDiscovery(form, projectId);
    for (const name of ONLY_WITHOUT_IDS) {
        if (form.isGiven(name)) {
            warn(`${name} has no effect: the operations to wait for are given by ${listOf(ids, bodies)}.`);
        }
    }
    if (bodies.length === 0 && projectId === undefined) {
        form.fault('project-id', 'is required with operation-ids', PROJECT);
        return { kind: 'given', operations: [] };
    }
    return { kind: 'given', operations: merge(form, projectId, ids ?? [], seen, warn) };
}
function readDiscovery(form, projectId) {
    if (projectId === undefined) {
        form.fault('project-id', 'is required, unless operations or operations-file names the projects', PROJECT);
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
function merge(form, projectId, ids, seen, warn) {
    const operations = new Map();
    for (const one of seen) {
        const project = one.project_id ?? projectId;
        if (project === undefined) {
            form.fault('project-id', 'is required, because an operation of the JSON names no project', PROJECT);
            return [];
        }
        const key = `${project}/${one.id}`;
        const full = { ...one, project_id: project };
        const known = operations.get(key)?.seen;
        if (known === undefined || isLater(full, known)) {
            operations.set(key, { projectId: project, id: one.id, seen: full });
        }
    }
    const projects = new Set([...operations.values()].map((one) => one.projectId));
    if (projectId !== undefined &&
        ids.length === 0 &&
        projects.size > 0 &&
        !projects.has(projectId)) {
        warn(`project-id has no effect: every operation of the JSON names another project.`);
    }
    const named = new Set(seen.map(({ id }) => id));
    for (const id of ids.filter((one) => !named.has(one))) {
        if (projectId !== undefined) {
            operations.set(`${projectId}/${id}`, { projectId, id });
        }
        else {
            form.fault('project-id', `is required, because only operation-ids names ${form.quoted(id)}`, PROJECT);
            return [];
        }
    }
    return [...operations.values()];
}
function isLater(one, other) {
    return !(parseMoment(one.updated_at) < parseMoment(other.updated_at));
}
function readSince(form) {
    const text = form.text('since');
    if (text === '')
        return undefined;
    const agoMs = parseDuration(text);
    if (agoMs !== undefined)
        return { agoMs };
    const at = parseMoment(text);
    if (Number.isNaN(at)) {
        form.fault('since', `${form.quoted(text)} is neither a duration nor an ISO 8601 time`, {
            allowed: 'a duration back from now, or an ISO 8601 date or time (UTC unless it says otherwise)',
            example: '15m or 2026-03-01T08:00:00Z',
        });
    }
    return { at };
}
function listOf(ids, bodies) {
    return [...(ids === undefined ? [] : ['operation-ids']), ...bodies].join(' and ');
}

;// CONCATENATED MODULE: ./lib/inputs.js







const KEY = {
    allowed: 'visible ASCII characters without blanks or line breaks',
    example: '${{ secrets.DATABASE_API_KEY }}',
};
const LONGEST_KEY = 4096;
const MOST_RETRIES = 100;
const SHORTEST_REQUEST_MS = 100;
function readInputs(source, repository = '') {
    const form = new Form(source);
    const mode = form.choice('mode', MODES);
    const warnings = mode === undefined ? [] : withoutEffect(form, mode);
    const requestTimeoutMs = form.duration('request-timeout', { atLeastMs: SHORTEST_REQUEST_MS });
    const settings = {
        mode: mode ?? 'wait-operations',
        apiKey: readKey(form),
        baseUrl: readBaseUrl(form),
        requestTimeoutMs,
        maxRetries: form.wholeNumber('max-retries', { atMost: MOST_RETRIES }),
        summary: form.boolean('summary'),
        wait: mode === 'wait-operations'
            ? readWait(form, requestTimeoutMs, (warning) => warnings.push(warning))
            : undefined,
        rotate: mode === 'rotate-key'
            ? readRotate(form, repository, (warning) => warnings.push(warning))
            : undefined,
        list: mode === 'list-projects' ? readList(form, (warning) => warnings.push(warning)) : undefined,
        warnings,
    };
    form.check();
    return settings;
}
function readKey(form) {
    const text = form.text('api-key');
    if (text === '')
        form.fault('api-key', `is required${WHY_EMPTY}`, KEY);
    else if (!HEADER_TEXT.test(text) || text.length > LONGEST_KEY) {
        form.fault('api-key', 'holds blanks, line breaks or other characters that no key has', KEY);
    }
    return new Secret(text);
}
function withoutEffect(form, mode) {
    return Object.keys(INPUTS)
        .filter((name) => INPUTS[name].mode !== undefined && INPUTS[name].mode !== mode)
        .filter((name) => form.isGiven(name))
        .map((name) => `${name} has no effect in mode ${mode}.`);
}

;// CONCATENATED MODULE: ./lib/action.js









async function runAction(world) {
    const { runner } = world;
    if (runner.isPost)
        return runAfterJob(world);
    for (const name of ['api-key', 'github-token'])
        runner.mask(new Secret(runner.input(name)));
    runner.onBreakdown(() => runner.setOutputs(emptyOutputs(runner)));
    try {
        const settings = readInputs(runner, runner.repository);
        for (const warning of settings.warnings) {
            runner.log.warning(warning, { title: 'Input without effect' });
        }
        if (settings.wait)
            return await runWait(world, settings, settings.wait);
        if (settings.rotate)
            return await runRotate(world, settings, settings.rotate);
        if (settings.list)
            return await runList(world, settings, settings.list);
        throw new Error('A mode without settings');
    }
    catch (error) {
        if (!(error instanceof InputError))
            throw error;
        runner.setOutputs(emptyOutputs(runner));
        runner.fail(error.message, { title: 'Bad input' });
        return false;
    }
}
function emptyOutputs(runner) {
    const mode = runner.input('mode');
    if (mode === 'rotate-key')
        return noRotateOutputs();
    return mode === 'list-projects' ? noListOutputs() : noWaitOutputs();
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(598);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(24);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(161);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(760);
// EXTERNAL MODULE: ./node_modules/@actions/core/lib/core.js + 12 modules
var core = __webpack_require__(143);
;// CONCATENATED MODULE: ./lib/runner/new-file.js



function newFile(path, redacted) {
    const old = (0,external_node_fs_.statSync)(path, { throwIfNoEntry: false });
    if (old?.isDirectory())
        throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
    if (old !== undefined && !old.isFile())
        throw Object.assign(new Error('it is a device or a pipe'), { code: 'not a regular file' });
    makeFolder((0,external_node_path_.dirname)(path));
    const part = (0,external_node_path_.join)((0,external_node_path_.dirname)(path), `.${(0,external_node_crypto_.randomUUID)()}.part`);
    const file = (0,external_node_fs_.openSync)(part, 'wx');
    let open = true;
    let fault;
    const close = () => {
        if (open)
            (0,external_node_fs_.closeSync)(file);
        open = false;
    };
    const discard = () => {
        if (!open)
            return;
        close();
        (0,external_node_fs_.rmSync)(part, { force: true });
    };
    return {
        path,
        write(piece) {
            if (fault !== undefined)
                return;
            try {
                const bytes = Buffer.from(redacted(piece));
                for (let at = 0; at < bytes.length; at += (0,external_node_fs_.writeSync)(file, bytes, at))
                    ;
            }
            catch (error) {
                fault = error;
            }
        },
        finish() {
            if (fault === undefined) {
                close();
                try {
                    (0,external_node_fs_.renameSync)(part, path);
                    return;
                }
                catch (error) {
                    fault = error;
                    (0,external_node_fs_.rmSync)(part, { force: true });
                }
            }
            discard();
            throw fault;
        },
        discard,
    };
}
function makeFolder(path) {
    if ((0,external_node_fs_.statSync)(path, { throwIfNoEntry: false })?.isDirectory())
        return;
    const above = (0,external_node_path_.dirname)(path);
    if (above !== path)
        makeFolder(above);
    try {
        (0,external_node_fs_.mkdirSync)(path);
    }
    catch (error) {
        if (!(0,external_node_fs_.statSync)(path, { throwIfNoEntry: false })?.isDirectory())
            throw error;
    }
}

;// CONCATENATED MODULE: ./lib/runner/github.js







const MARK = 'cloud-database-control-main';
const STATE = 'cloud-database-control-state';
const MOST_ANNOTATIONS = 10;
const LARGEST_SUMMARY = 1024 * 1024;
const LARGEST_FILE = 32 * 1024 * 1024;
function createGitHubRunner(cancelled, onBreakdown) {
    const secrets = [];
    let warnings = 0;
    let errors = 0;
    const redacted = (text) => secrets.reduce((safe, secret) => secret.redact(safe), text);
    const line = (text) => notACommand(redacted(text));
    const lines = (text) => text
        .split(/\r\n|\n|\r/)
        .map(line)
        .join('\n');
    const self = `run ${process.env.GITHUB_RUN_ID ?? ''}`;
    const isPost = core/* getState */.Gu(MARK) === self;
    if (!isPost)
        core/* saveState */.LZ(MARK, self);
    return {
        isPost,
        cancelled,
        repository: process.env.GITHUB_REPOSITORY ?? '',
        gitHubApiUrl: (process.env.GITHUB_API_URL || 'https://api.github.com').replace(/\/+$/, ''),
        onBreakdown,
        input: (name) => core/* getInput */.V4(name),
        readFile(path) {
            const content = (0,external_node_fs_.readFileSync)((0,external_node_path_.resolve)(process.env.GITHUB_WORKSPACE ?? '', path));
            if (content.length > LARGEST_FILE)
                throw Object.assign(new Error(), { code: 'EFBIG' });
            return content;
        },
        createFile(path, name) {
            const own = () => (0,external_node_path_.join)(process.env.RUNNER_TEMP || (0,external_node_os_.tmpdir)(), `${(0,external_node_crypto_.randomUUID)()}-${name}`);
            return newFile((0,external_node_path_.resolve)(process.env.GITHUB_WORKSPACE ?? '', path ?? own()), redacted);
        },
        mask(secret) {
            if (secret.reveal() === '')
                return;
            core/* setSecret */.Pq(secret.reveal());
            secrets.push(secret);
        },
        log: {
            info: (text) => core/* info */.pq(lines(text)),
            group(title, content) {
                core/* startGroup */.Oh(line(title.replace(/[\r\n]+/g, ' ')));
                for (const text of content)
                    core/* info */.pq(lines(text));
                core/* endGroup */.N4();
            },
            debug: (text) => core/* debug */.Yz(line(text)),
            warning(message, options) {
                warnings += 1;
                if (warnings <= MOST_ANNOTATIONS)
                    core/* warning */.$e(lines(message), { title: line(options.title) });
                else
                    core/* info */.pq(lines(`Warning: ${message}`));
            },
            error(message, options) {
                errors += 1;
                if (errors < MOST_ANNOTATIONS)
                    core/* error */.z3(lines(message), { title: line(options.title) });
                else
                    core/* info */.pq(lines(`Error: ${message}`));
            },
        },
        setOutputs(outputs) {
            for (const [name, value] of Object.entries(outputs))
                core/* setOutput */.uH(name, redacted(value));
        },
        setSecretOutput(name, secret) {
            core/* setOutput */.uH(name, secret?.reveal() ?? '');
        },
        saveSecretState: (state) => core/* saveState */.LZ(STATE, state),
        secretState: () => core/* getState */.Gu(STATE),
        async writeSummary(markdown) {
            try {
                const text = redacted(markdown);
                if (Buffer.byteLength(text) > LARGEST_SUMMARY)
                    throw new Error('it is larger than 1 MiB');
                await core/* summary */.z.addRaw(text).write();
            }
            catch (error) {
                const why = error instanceof Error ? error.message.replace(/\.+$/, '') : 'unknown error';
                this.log.warning(`The job summary could not be written: ${why}.`, {
                    title: 'No job summary',
                });
            }
        },
        fail(message, { title }) {
            process.exitCode = core/* ExitCode */.yU.Failure;
            core/* error */.z3(lines(message), { title: line(title) });
        },
    };
}

;// CONCATENATED MODULE: ./lib/main.js





(0,external_node_v8_.setFlagsFromString)('--semi-space-growth-factor=1');
const program = {
    createRunner: createGitHubRunner,
    run: (runner) => runAction({ runner, clock: systemClock, random: Math.random, createHttp: createHttp }),
};


/***/ }),

/***/ 33:
/***/ ((__unused_webpack_module, exports) => {


// Two libraries of the bundle name undici for callers that use `fetch` behind a proxy. The action never does: all its requests,
// Octokit's too, go through `src/control-api/http.ts`, whose agents know the proxies. The real undici would be more than half
// of the bundle and a third of a step's whole start.
const unused = () => {
  throw new Error('fetch through undici is not part of this bundle');
};
exports.k = class ProxyAgent {
  dispatch() {
    unused();
  }
};
exports.h = unused;


/***/ })

};
;