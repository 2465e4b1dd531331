import type { InputName, Mode } from '../../src/inputs/catalog.ts';

type Bad = Partial<Record<InputName, readonly string[]>>;

/** Bad in every mode. None can be an environment variable with a null character. */
const COMMON: Bad = {
  'api-key': ['', 'a b', 'abc\ndef', 'clé-clé', 'ａｂｃｄｅｆ', 'x'.repeat(5000), 'a\u200bb'],
  'base-url': [
    '',
    'console.example.com/api/v2',
    'http://example.com/api/v2',
    'https://user:pass@example.com/api/v2',
    'https://example.com/api/v2?x=1',
    'https://example.com/api',
    'https://example.com/api/ｖ２',
    'ftp://example.com/api/v2',
  ],
  'request-timeout': ['0', '-1', '30 s', '1m30s', '30S', 'none', '4000d', '٣٠s'],
  'max-retries': ['-1', '1.5', '1e1', '101', 'five', '٥', '0x5', '9'.repeat(500)],
  summary: ['yes', 'no', '1', 'tRUE', 'truе', 'on', '"true"'],
};

/** Values that must be refused, by mode and input; each is bad whatever else is given. */
export const BAD: Readonly<Record<Mode, Bad>> = {
  'wait-operations': {
    ...COMMON,
    'project-id': ['.', '../api_keys', 'a b', 'a/b', 'pаper', 'p1\nx', 'a?'],
    'branch-id': ['..', 'br/1', 'br-1,br-2', 'bｒ-1'],
    actions: ['create/branch', '[1.5]', ',,', '{"a":1}'],
    'require-actions': ['a?b', '["a",', '[true]', ', ,'],
    since: ['yesterday', '-5m', '2026-02-30', '1h30m', '2026-03-01T25:00'],
    'poll-interval': ['0', '999ms', '0.999', 'often', '-5'],
    timeout: ['-1', '30min', 'forever', '1e3', '3651d'],
    'fail-fast': ['yes', '0', 'False True'],
    'failed-grace': ['-1s', '1 m', 'x'],
  },
  'rotate-key': {
    ...COMMON,
    'key-name': ['', 'two\nlines', 'x'.repeat(65), 'a\u2028b', 'tab\there'],
    'old-key-ids': ['abc', '1.5', '-1', '1, ../2', '[1', '[null]', '12345678901234567890', '１２'],
    'revoke-old': ['now', 'Immediately', 'after_job', 'afterjob', 'after-job '.repeat(2)],
    'keep-previous': ['-1', 'one', '1.5', '1001', '1e1'],
    'rotate-after': ['monthly', '-30d', '30 d', '4000d', '1w'],
    'dry-run': ['yes', '1', 'TRUe', 'no'],
    'secret-name': ['1KEY', 'GITHUB_KEY', 'github_key', 'A-B', 'A B', 'KÉY', 'a.b'],
    'secret-targets': [
      'everywhere',
      'repository:only-owner',
      'repository:a/b/c',
      'environment:',
      'organization:a/b',
      'organization:',
      'dependabot',
      'repository:../..',
      '[',
      ',',
    ],
    'github-token': ['', 'a b', 'tökén', 'x\ny'],
  },
  'list-projects': {
    ...COMMON,
    'project-name': ['[', '["a"', '[1.5]', ','],
    'region-id': ['a/b', '["a b"]', ',,', '..'],
    'platform-id': ['a?b', '[', '.'],
    'pg-version': ['sixteen', '16.1', '-16', '0', '１６', '99999'],
    'org-id': ['..', 'a b', 'org/1', 'a,b'],
    'output-file': ['build/', 'a\nb', 'a\u0007b'],
  },
};

/** What makes each mode complete but for what is bad. */
export const GOOD: Readonly<Record<Mode, Readonly<Record<string, string>>>> = {
  'wait-operations': { 'project-id': 'p1' },
  'rotate-key': {
    'key-name': 'o/r/deploy',
    'secret-name': 'KEY',
    'secret-targets': 'repository:o/r',
    'github-token': 'ghs_goodToken',
  },
  'list-projects': {},
};
