import type { Match } from '../simulator/server.ts';
import type { FaultRow, Meaning } from './faults.ts';
import { type Play, playListing, playRotation, playWait } from './plays.ts';

/** How a step may end under a fault. */
export type Ending =
  /** The work was done, and the step is green. */
  | 'green'
  /** Red, and it says of the fault what came of it. */
  | 'red';

/** What is expected when the fault comes once, and when it stays. */
export interface Expected {
  readonly once: Ending;
  readonly always: Ending;
}

/** One endpoint as one mode uses it. */
export interface Endpoint {
  readonly mode: 'wait-operations' | 'rotate-key' | 'list-projects';
  readonly name: string;
  readonly side: 'service' | 'github';
  /** Which requests the fault is for. */
  readonly match: Match;
  readonly play: Play;
  readonly expect: (fault: FaultRow) => Expected;
  /** Fields of the answer and a value of a kind that they cannot have. */
  readonly wrongTypes: Readonly<Record<string, unknown>>;
  /** The same request at another moment: one fault of each kind will do. */
  readonly again?: true;
  /** For long answers: the bytes of a drop, where the body comes in drops. */
  readonly drop?: number;
  /** The endpoint may be asked so often while the fault stays. */
  readonly mostRequests: number;
}

const PASSES: Expected = { once: 'green', always: 'red' };
const FAILS: Expected = { once: 'red', always: 'red' };
const HARMLESS: Expected = { once: 'green', always: 'green' };

/** Expectations by what a fault means. */
function by(meanings: Readonly<Record<Meaning, Expected>>, side: Endpoint['side'], writes = false) {
  return ({ meaning, github, write }: FaultRow): Expected =>
    meanings[(side === 'github' && github) || (writes && write) || meaning];
}

const READ: Readonly<Record<Meaning, Expected>> = {
  busy: PASSES,
  lost: PASSES,
  garbled: PASSES,
  patience: PASSES,
  slow: HARMLESS,
  unauthorized: FAILS,
  missing: PASSES,
  malformed: FAILS,
  final: FAILS,
};

/** A page size that is refused is asked for smaller; an end that only the last look shows is not idle. */
const FOUND: Readonly<Record<Meaning, Expected>> = { ...READ, malformed: PASSES, patience: FAILS };

const OPERATION = {
  id: 5,
  project_id: null,
  action: ['create_branch'],
  status: { is: 'finished' },
  created_at: 1_700_000_000,
  updated_at: false,
  branch_id: 7,
  error: ['none'],
  failures_count: 'none',
};

const under = (path: string, fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${path}.${name}`, value]));

const LISTING = {
  ...under('operations.0', OPERATION),
  operations: {},
  pagination: 'next',
  'pagination.cursor': 5,
};

/** A whole wait has seconds; this is far from what a loop without pauses would send. */
const MOST_LOOKS = 60;
const LIST = '/projects/*/operations';

const waits: readonly Endpoint[] = [
  {
    mode: 'wait-operations',
    name: 'GET operations (found)',
    side: 'service',
    match: { path: LIST },
    play: playWait('found'),
    expect: by(FOUND, 'service'),
    wrongTypes: LISTING,
    mostRequests: MOST_LOOKS,
  },
  {
    mode: 'wait-operations',
    name: 'GET operations (found), page 2',
    again: true,
    side: 'service',
    match: { path: /\/operations\?.*cursor=/ },
    play: playWait('found'),
    expect: by(FOUND, 'service'),
    wrongTypes: { operations: 'none', pagination: [] },
    mostRequests: MOST_LOOKS,
  },
  {
    mode: 'wait-operations',
    name: 'GET operations (given)',
    again: true,
    side: 'service',
    match: { path: LIST },
    play: playWait('given'),
    // What cannot be read in a listing is read one by one.
    expect: by({ ...READ, malformed: PASSES, garbled: HARMLESS }, 'service'),
    wrongTypes: {},
    mostRequests: MOST_LOOKS,
  },
  {
    mode: 'wait-operations',
    name: 'GET operation',
    side: 'service',
    match: { path: `${LIST}/*` },
    play: playWait('single'),
    expect: by(READ, 'service'),
    wrongTypes: { ...under('operation', OPERATION), operation: [] },
    mostRequests: MOST_LOOKS,
  },
];

const KEYS = '/api_keys';
const STRICT: Readonly<Record<Meaning, Expected>> = { ...READ, patience: FAILS, missing: FAILS };
/** What is expected of a revocation: one that happened although its answer did not come is seen in the list. */
const revoked = (fault: FaultRow): Expected => {
  const { meaning, write, performed } = fault;
  if (meaning === 'missing') return HARMLESS;
  if (performed && (write ?? meaning) !== 'slow') return HARMLESS;
  return by({ ...STRICT, unauthorized: PASSES }, 'service', true)(fault);
};

/** A secret that is there already is written without a body: nothing is left that could be cut. */
const NEEDS_BODY = ['cut', 'half-close', 'headers-only', 'drip', 'huge', 'truncated'];
const stored = (fault: FaultRow): Expected => {
  if (NEEDS_BODY.includes(fault.fault.kind)) return HARMLESS;
  // An answer that says "stored" and is not true shows in when the secret was written.
  return fault.name === '204' ? FAILS : by(STRICT, 'github', true)(fault);
};

const secret = '/repos/octo-org/shop/actions/secrets';

const rotations: readonly Endpoint[] = [
  {
    mode: 'rotate-key',
    name: 'GET api_keys (look)',
    side: 'service',
    match: { method: 'GET', path: KEYS },
    play: playRotation(),
    expect: by(STRICT, 'service'),
    wrongTypes: {
      '0.id': 'five',
      '0.name': 5,
      '0.created_at': 5,
      '0.last_used_at': {},
      '0.last_used_from_addr': [],
    },
    mostRequests: 3,
  },
  {
    mode: 'rotate-key',
    name: 'POST api_keys',
    side: 'service',
    match: { method: 'POST', path: KEYS },
    play: playRotation(),
    expect: by(STRICT, 'service', true),
    wrongTypes: { id: '17', key: null },
    mostRequests: 3,
  },
  {
    mode: 'rotate-key',
    name: 'GET api_keys (proof)',
    again: true,
    side: 'service',
    match: { method: 'GET', path: KEYS, after: 1 },
    play: playRotation(),
    // A new key may be unknown for a moment.
    expect: by({ ...STRICT, unauthorized: PASSES }, 'service'),
    wrongTypes: { '1.id': null, '1.name': [] },
    mostRequests: 60,
  },
  {
    mode: 'rotate-key',
    name: 'DELETE api_keys',
    side: 'service',
    match: { method: 'DELETE', path: `${KEYS}/*` },
    play: playRotation(),
    expect: revoked,
    wrongTypes: { revoked: 'yes', id: 'five' },
    mostRequests: 60,
  },
  {
    mode: 'rotate-key',
    name: 'DELETE api_keys (post step)',
    again: true,
    side: 'service',
    match: { method: 'DELETE', path: `${KEYS}/*` },
    play: playRotation({ 'revoke-old': 'after-job' }),
    expect: revoked,
    wrongTypes: { revoked: [] },
    mostRequests: 60,
  },
  {
    mode: 'rotate-key',
    name: 'GET public-key',
    side: 'github',
    match: { method: 'GET', path: `${secret}/public-key` },
    play: playRotation(),
    expect: by(STRICT, 'github'),
    wrongTypes: { key_id: 5, key: null },
    mostRequests: 3,
  },
  {
    mode: 'rotate-key',
    name: 'GET secret (look)',
    side: 'github',
    match: { method: 'GET', path: `${secret}/DATABASE_API_KEY`, times: 3 },
    play: playRotation(),
    // There may be none yet; after the store there must be.
    expect: by({ ...STRICT, missing: PASSES }, 'github'),
    wrongTypes: { updated_at: 5 },
    mostRequests: 3,
  },
  {
    mode: 'rotate-key',
    name: 'PUT secret',
    side: 'github',
    match: { method: 'PUT', path: `${secret}/DATABASE_API_KEY` },
    play: playRotation(),
    expect: stored,
    wrongTypes: {},
    mostRequests: 3,
  },
  {
    mode: 'rotate-key',
    name: 'GET secret (after the store)',
    again: true,
    side: 'github',
    match: { method: 'GET', path: `${secret}/DATABASE_API_KEY`, after: 1 },
    play: playRotation(),
    expect: by(STRICT, 'github'),
    wrongTypes: { updated_at: null },
    mostRequests: 3,
  },
  {
    mode: 'rotate-key',
    name: 'GET secret (post step)',
    again: true,
    side: 'github',
    match: { method: 'GET', path: `${secret}/DATABASE_API_KEY`, after: 2 },
    play: playRotation({ 'revoke-old': 'after-job' }),
    expect: by(STRICT, 'github'),
    wrongTypes: { updated_at: {} },
    mostRequests: 3,
  },
  {
    mode: 'rotate-key',
    name: 'GET selected repositories',
    side: 'github',
    match: { method: 'GET', path: '/orgs/octo-org/actions/secrets/DATABASE_API_KEY/repositories' },
    play: playRotation({ 'secret-targets': 'organization:octo-org' }),
    drop: 1000,
    expect: by(STRICT, 'github'),
    wrongTypes: { repositories: 'all', 'repositories.0.id': 'five' },
    mostRequests: 3,
  },
];

const PROJECT = {
  id: 5,
  name: null,
  region_id: 5,
  platform_id: [],
  pg_version: 'sixteen',
  cpu_used_sec: {},
  created_at: 5,
  updated_at: [],
  branch_logical_size_limit: 'none',
};

/** A page size that is refused is asked for smaller, on the first page. */
const LISTED: Readonly<Record<Meaning, Expected>> = { ...STRICT, malformed: PASSES };

const listings: readonly Endpoint[] = [
  {
    mode: 'list-projects',
    name: 'GET projects',
    side: 'service',
    match: { path: '/projects' },
    play: playListing,
    drop: 8000,
    expect: by(LISTED, 'service'),
    wrongTypes: {
      ...under('projects.0', PROJECT),
      projects: {},
      pagination: 'next',
      'pagination.cursor': 5,
      unavailable_project_ids: 'none',
    },
    mostRequests: 3,
  },
  {
    mode: 'list-projects',
    name: 'GET projects, page 2',
    again: true,
    side: 'service',
    match: { path: /\/projects\?.*cursor=/ },
    play: playListing,
    drop: 8000,
    expect: by(STRICT, 'service'),
    wrongTypes: {},
    mostRequests: 3,
  },
];

/** Every endpoint of every mode. A new one is a row here, and a way to play it in `plays.ts`. */
export const endpoints: readonly Endpoint[] = [...waits, ...rotations, ...listings];
