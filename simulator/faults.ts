import type { RecordedRequest } from './requests.ts';

/** Which requests a fault or a hook is for. What is left out matches everything. */
export interface Match {
  method?: string;
  /**
   * A string is the whole path below `/api/v2`, in which `*` stands for one segment.
   * A regular expression is tried on that path together with its query.
   */
  path?: string | RegExp;
  /** Only requests that carry the key with this id. */
  keyId?: string;
  /** Leave the first so many matching requests alone. */
  after?: number;
  /** Only the so-manieth matching request, counted from 1. */
  nth?: number;
  /** At most so often. */
  times?: number;
  /** Asked last, once for each request that all else is true of: for faults that come by chance. In process only. */
  when?: (request: RecordedRequest) => boolean;
}

/** The kinds of trouble. Those that spoil the true answer let the request happen first. */
export type Fault =
  | StatusFault
  /** An error whose message repeats the Authorization header. */
  | { kind: 'echo-key'; status?: number }
  | { kind: 'redirect'; location: string; status?: number }
  /** The true answer, `ms` late. */
  | { kind: 'delay'; ms: number }
  /** The true JSON body, changed. In process only. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reaches into a body whose shape it is about to break
  | { kind: 'transform'; transform: (body: any) => unknown }
  /** The same over the admin API: `{set: {'operations.0.status': 5, 'projects.*.id': null}, remove: ['pagination']}`. */
  | { kind: 'set'; set?: Record<string, unknown>; remove?: string[] }
  /** Headers of the true answer replaced, or with `null` left out (also `date`). */
  | { kind: 'headers'; headers: Record<string, string | null> }
  /** JSON that breaks off, under a `content-length` that fits. Default: half of it is kept. */
  | { kind: 'truncated'; bytes?: number }
  /** Whatever page is asked for is full of new items, copies of the first true one, and leads to a further one. */
  | { kind: 'endless-pages' }
  /** Every page but the first leads to itself. */
  | { kind: 'repeated-cursor' }
  | WireFault;

export interface StatusFault {
  kind: 'status';
  status: number;
  /** Seconds, or any text: a date, nonsense. */
  retryAfter?: number | string;
  /** Default: a JSON error. */
  body?: 'json' | 'html' | 'empty' | { text: string; type?: string };
  /** In the JSON or HTML body. */
  message?: string;
  headers?: Record<string, string>;
  /** Perform the request all the same: the gateway that lost an answer. */
  act?: boolean;
}

/** Trouble below HTTP's surface: delivered by wire.ts. */
export type WireFault =
  /** Not a byte, ever. `act`: the request performed. */
  | { kind: 'hang'; act?: boolean }
  /** Status and headers, then silence. */
  | { kind: 'headers-only' }
  /** The true answer in small pieces; `forever`: and then blanks without end. */
  | { kind: 'drip'; bytes?: number; everyMs?: number; forever?: boolean }
  /**
   * The body breaks off after `bytes` (default: half of it).
   * `chunked`: without a `content-length`. `reset`: by RST, not FIN.
   */
  | { kind: 'cut'; bytes?: number; chunked?: boolean; reset?: boolean }
  /** RST before any answer, the request not performed. */
  | { kind: 'reset' }
  /** RST before any answer, the request performed: a lost answer. */
  | { kind: 'act-then-cut' }
  /** FIN after the headers. */
  | { kind: 'half-close' }
  /** Something that is not HTTP. */
  | { kind: 'garbage'; text?: string }
  /** The true answer behind so many bytes of blanks. */
  | { kind: 'huge'; bytes: number };

const wireKinds: readonly string[] = [
  'hang',
  'headers-only',
  'drip',
  'cut',
  'reset',
  'act-then-cut',
  'half-close',
  'garbage',
  'huge',
] satisfies WireFault['kind'][];

const plainKinds: readonly string[] = [
  'status',
  'echo-key',
  'redirect',
  'delay',
  'transform',
  'set',
  'headers',
  'truncated',
  'endless-pages',
  'repeated-cursor',
] satisfies Exclude<Fault, WireFault>['kind'][];

export function isWireFault(fault: Fault): fault is WireFault {
  return wireKinds.includes(fault.kind);
}

export interface HookContext {
  readonly request: RecordedRequest;
}

/** A fault, or hooks, or both, and the requests they are for. */
export interface Rule {
  match?: Match;
  fault?: Fault;
  /** Before anything is done. A promise is waited for. */
  before?: (context: HookContext) => void | Promise<void>;
  /** The request has been performed, no byte of the answer sent. A promise is waited for. */
  acted?: (context: HookContext) => void | Promise<void>;
  /** The answer has left, or the connection is gone. */
  after?: (context: HookContext) => void;
}

export interface FaultHandle {
  readonly id: string;
  /** How many requests it was applied to. */
  readonly hits: number;
  remove(): void;
}

interface ActiveRule extends Rule {
  id: string;
  /** Requests that matched by method, path and key. */
  seen: number;
  hits: number;
}

/** The faults and hooks in force. The first fault that matches a request wins; hooks are all called. */
export class Faults {
  #rules: ActiveRule[] = [];
  #lastId = 0;

  add(rule: Rule): FaultHandle {
    const kind = rule.fault?.kind;
    if (kind !== undefined && !wireKinds.includes(kind) && !plainKinds.includes(kind)) {
      const kinds = [...plainKinds, ...wireKinds].join(', ');
      throw new Error(`"${kind}" is not a kind of fault; there are: ${kinds}`);
    }
    this.#lastId += 1;
    const active: ActiveRule = { ...rule, id: String(this.#lastId), seen: 0, hits: 0 };
    this.#rules.push(active);
    return {
      id: active.id,
      get hits() {
        return active.hits;
      },
      remove: () => {
        this.remove(active.id);
      },
    };
  }

  /** @returns whether there was a fault of this id */
  remove(id: string): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((rule) => rule.id !== id);
    return this.#rules.length < before;
  }

  clear(): void {
    this.#rules = [];
  }

  /** What is in force, for people to look at. */
  list(): { id: string; hits: number; match: object; fault: Fault | undefined }[] {
    return this.#rules.map(({ id, hits, match = {}, fault }) => ({
      id,
      hits,
      match: { ...match, ...(match.path && { path: String(match.path) }) },
      fault,
    }));
  }

  /** The rules for a request, which counts from now on: the hooks, and at most one fault. */
  take(request: RecordedRequest): Rule[] {
    const taken: Rule[] = [];
    let hasFault = false;
    for (const rule of this.#rules) {
      if (!matches(rule.match ?? {}, request)) continue;
      rule.seen += 1;
      if (!isDue(rule) || (rule.fault && hasFault)) continue;
      if (rule.match?.when?.(request) === false) continue;
      rule.hits += 1;
      hasFault ||= rule.fault !== undefined;
      taken.push(rule);
    }
    return taken;
  }
}

function isDue({ match = {}, seen, hits }: ActiveRule): boolean {
  const { after = 0, nth = seen, times = Number.POSITIVE_INFINITY } = match;
  return seen > after && seen === nth && hits < times;
}

function matches({ method, path, keyId }: Match, request: RecordedRequest): boolean {
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  if (keyId !== undefined && keyId !== request.keyId) return false;
  if (path === undefined) return true;
  if (typeof path === 'string') return isPath(path, request.path);
  // A global or sticky expression would remember where it last matched.
  const stateless = new RegExp(path.source, path.flags.replace(/[gy]/g, ''));
  return stateless.test(request.path + request.search);
}

function isPath(pattern: string, path: string): boolean {
  const wanted = pattern.replace(/^\/api\/v2(?=\/)/, '').split('/');
  const segments = path.split('/');
  return (
    wanted.length === segments.length &&
    wanted.every((name, index) => name === '*' || name === segments[index])
  );
}
