export type Mode = 'wait-operations' | 'rotate-key' | 'list-projects';

export const MODES: readonly Mode[] = ['wait-operations', 'rotate-key', 'list-projects'];

/** Every input of `action.yml`: the mode it belongs to (undefined: all of them) and its default. A test compares them. */
export const INPUTS = {
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
} as const satisfies Record<string, { mode: Mode | undefined; default: string }>;

export type InputName = keyof typeof INPUTS;
