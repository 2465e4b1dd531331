import { describe, expect, test } from '@jest/globals';
import { InputError } from '../../src/inputs/form.ts';
import { readInputs } from '../../src/inputs.ts';
import { type RotateSettings, targetName } from '../../src/rotate-key/settings.ts';
import { KEY, source, VALID } from './form.ts';

const TOKEN = 'ghs_t0kenThatNobodyMaySee';
const BASE = {
  ...VALID,
  mode: 'rotate-key',
  'project-id': '',
  'key-name': 'octo-org/shop/deploy',
  'secret-name': 'DATABASE_API_KEY',
  'github-token': TOKEN,
};
/** A fault names its input, what is wrong, what is allowed, and an example, on one line. */
const FAULT = /^([a-z-]+): \S.*\. Allowed: \S.*\. Example: \S.*$/u;

function settings(inputs: Record<string, string>, repository = 'octo-org/shop') {
  const { rotate, warnings } = readInputs(source({ ...BASE, ...inputs }), repository);
  return { ...(rotate as RotateSettings), warnings };
}

function faults(inputs: Record<string, string>, repository?: string): readonly string[] {
  try {
    settings(inputs, repository);
  } catch (error) {
    if (error instanceof InputError) return error.faults;
    throw error;
  }
  throw new Error(`The inputs were taken: ${JSON.stringify(inputs)}`);
}

describe('one bad input is named, with what is allowed and an example', () => {
  test.each<[name: string, ...values: string[]]>([
    ['key-name', '', ' ', 'x'.repeat(65), 'a\nb', 'a\u2028b', 'a\u0007b', KEY, `x${TOKEN}`],
    ['old-key-ids', 'x', '1, x', '-1', '1.5', '[1.5]', '[1', '["1", null]', '1'.repeat(20), '0x10'],
    ['old-key-ids', '9007199254740993.0', '[9007199254740993.0]', '[1e3000]', KEY],
    ['revoke-old', 'now', 'Immediately', 'true', 'after_job', 'never,'],
    ['keep-previous', '-1', '1.5', 'one', '1001', '0x1', '1e2'],
    ['rotate-after', 'monthly', '30 d', '-30d', '30D', '1w', '11y', 'Infinity'],
    ['dry-run', 'yes', '1', 'TRUE!', 'y'],
    [
      'secret-name',
      '1KEY',
      'MY-KEY',
      'MY KEY',
      'GITHUB_KEY',
      'github_key',
      'ÄKEY',
      'A/../B',
      'A\nB',
    ],
    ['secret-name', 'napi_k3yThatNobodyMaySee', 'ghs_t0kenThatNobodyMaySee'],
    ['secret-targets', 'vault', 'Repository', 'repository:', 'repository:octo-org', '[]', 'env:x'],
    [
      'secret-targets',
      'repository:a/b/c',
      'repository:a/..',
      'repository:../x',
      'repository:a b/c',
    ],
    ['secret-targets', 'organization:', 'organization:a/b', 'organization', 'dependabot', 'x:y'],
    ['secret-targets', 'environment:', 'environment: ', 'environment', 'dependabot:a', '["a"]'],
    ['secret-targets', 'repository:a/b?x=1', 'repository:a/b#x', 'repository:a%2fb/c', `x:${KEY}`],
    ['github-token', '', ' ', 'two words', 'tab\tbed', 'tökén', 'line\nbreak'],
  ])('%s', (name, ...values) => {
    for (const value of values) {
      const found = faults({ [name]: value });
      const names = new Set(found.map((fault) => FAULT.exec(fault)?.[1] ?? fault));
      expect([value, ...names]).toEqual([value, name]);
      for (const secret of [KEY, TOKEN]) expect(found.join()).not.toContain(secret);
    }
  });

  test('names are not said to be parted by blanks', () => {
    expect(faults({ 'secret-targets': ',' })[0]).toContain(
      'a list (newlines or commas between, or',
    );
  });

  test('secret-targets and github-token need secret-name', () => {
    expect(faults({ 'secret-name': '', 'secret-targets': 'organization:octo-org' })).toEqual([
      expect.stringMatching(/^secret-targets: needs secret-name\./),
    ]);
    expect(faults({ 'github-token': '' })).toEqual([
      expect.stringMatching(/^github-token: is required with secret-name\./),
    ]);
  });

  test('a short form needs a repository to stand for', () => {
    expect(faults({ 'secret-targets': 'environment:production' }, '')[0]).toContain('not a target');
    expect(faults({}, '')[0]).toContain('"repository" is not a target');
  });
});

describe('taken', () => {
  test.each<[string, string[]]>([
    ['repository', ['repository:octo-org/shop']],
    ['repository:Octo-Org/Shop, repository', ['repository:octo-org/shop']],
    ['environment:eu/production', ['environment:octo-org/shop/eu/production']],
    ['environment:a/b/c/d', ['environment:a/b/c/d']],
    [
      'environment:Production 1\norganization:o',
      ['environment:octo-org/shop/Production 1', 'organization:o'],
    ],
    [
      '["environment:a, b", "dependabot:a/.github"]',
      ['environment:octo-org/shop/a, b', 'dependabot:a/.github'],
    ],
  ])('secret-targets: %j', (text, names) => {
    expect(settings({ 'secret-targets': text }).store?.targets.map(targetName)).toEqual(names);
  });

  test.each<[string, string[]]>([
    ['1 2,3\n4, 4', ['1', '2', '3', '4']],
    ['[9007199254740993, 9223372036854775807]', ['9007199254740993', '9223372036854775807']],
    ['9007199254740993', ['9007199254740993']],
    ['[]', []],
  ])('old-key-ids: %j', (text, ids) => {
    expect(settings({ 'old-key-ids': text }).order.oldKeyIds).toEqual(ids);
  });

  test('revoke-old: at once with a secret, at the end of the job without', () => {
    expect(settings({}).order.revokeOld).toBe('immediately');
    expect(settings({ 'secret-name': '', 'github-token': '' }).order.revokeOld).toBe('after-job');
  });

  test.each<[Record<string, string>, string[]]>([
    [{ 'secret-targets': 'repository', 'keep-previous': '0', 'dry-run': 'false' }, []],
    [{ 'keep-previous': '1', 'old-key-ids': '1' }, ['keep-previous']],
    [{ 'keep-previous': '1', 'revoke-old': 'never' }, ['keep-previous']],
    [{ 'old-key-ids': '1', 'revoke-old': 'never' }, ['old-key-ids']],
    [{ 'secret-name': '', 'secret-targets': 'repository' }, ['github-token']],
  ])('%j warns of what has no effect', (inputs, names) => {
    const { warnings } = settings(inputs);
    expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(names);
  });
});
