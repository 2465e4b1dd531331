import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSafeId } from '../../src/control-api/paths.ts';
import { INPUTS } from '../../src/inputs/catalog.ts';
import { InputError } from '../../src/inputs/form.ts';
import { anyText, hostileText } from '../support/hostile-text.ts';
import { type Files, KEY, read, refusal } from './form.ts';

/** A fault names its input, what is wrong, what is allowed, and an example, on one line. */
const FAULT = /^([a-z-]+): \S.*\. Allowed: \S.*\. Example: \S.*$/u;

function namesOf({ faults }: InputError): string[] {
  return faults.map((fault) => FAULT.exec(fault)?.[1] ?? `not a fault: ${fault}`);
}

const HUGE = 'x'.repeat(1_000_000);

describe('one bad input is named, with what is allowed and an example', () => {
  test.each<[name: string, ...values: string[]]>([
    ['mode', '', ' ', 'wait', 'Wait-Operations', 'wait_operations', 'wait-operations,', HUGE],
    ['mode', 'wait‑operations', 'wаit-operations', 'wait-operations\nrotate-key', '[]'],
    ['api-key', '', ' \n ', 'a b', 'abc\ndef', 'abc\tdef', 'clé', 'ａｂｃ', 'a\u200bb', 'a\u0000b'],
    ['api-key', 'x'.repeat(4097), 'Bearer abcdef'],
    ['base-url', '', ' ', 'console.example.com/api/v2', '/api/v2', 'https://', 'https:///', HUGE],
    ['base-url', 'ftp://example.com/api/v2', 'javascript:alert(1)//api/v2', 'file:///api/v2'],
    ['base-url', 'http://example.com/api/v2', 'http://10.0.0.1/api/v2', 'http://0.0.0.0/api/v2'],
    ['base-url', 'http://localhost.example.com/api/v2', 'http://127.0.0.1.example.com/api/v2'],
    [
      'base-url',
      'http://[::2]/api/v2',
      'http://128.0.0.1/api/v2',
      'http://localhost@evil.example/v2',
    ],
    ['base-url', 'https://user@example.com/api/v2', 'https://user:pass@example.com/api/v2'],
    ['base-url', 'https://:pass@example.com/api/v2'],
    ['base-url', 'https://example.com/api/v2?x=1', 'https://example.com/api/v2?'],
    ['base-url', 'https://example.com/api/v2#x', 'https://example.com/api/v2#'],
    ['base-url', 'https://example.com', 'https://example.com/', 'https://example.com/api'],
    [
      'base-url',
      'https://example.com/api/v',
      'https://example.com/api/V2',
      'https://v2.example.com',
    ],
    ['base-url', 'https://example.com/api/v2/projects', 'https://example.com/api/v2//'],
    ['base-url', 'https://example.com/api/ｖ２', 'https://example.com/api-v2'],
    ['base-url', 'https://example.com/api/v2/..', 'https://example.com/api/v2/%2e%2e'],
    ['base-url', 'https://exa mple.com/api/v2', 'https://example.com/a b/v2', 'https://e\n.com/v2'],
    ['base-url', 'https://example.com:99999/api/v2', 'https://example.com／api/v2'],
    ['request-timeout', '0', '0s', '0.05', '-1', '30 s', '30ms', '1m30s', '30S', 'none', '4000d'],
    ['max-retries', '-1', '1.5', '1e1', '0x5', '101', '1000000000000', 'five', '5 5', '٥', 'true'],
    ['summary', 'yes', 'no', '1', '0', 'on', 'tRUE', 'TRue', '"true"', 'truе'],
    ['project-id', '.', '..', 'a/b', 'a b', 'a?b', 'a#b', 'a%2fb', 'p1\nx', 'ｐ1', 'a,b', '["p1"]'],
    ['project-id', 'p1\u0000', 'a\\b', 'a:b', '../api_keys', 'pаper'],
    [
      'operation-ids',
      'a/b',
      'o1, ..',
      'o1 ../x',
      ',',
      ', ,',
      '[',
      '["o1"',
      '[null]',
      '[""]',
      '[["o1"]]',
    ],
    [
      'operation-ids',
      '["a b"]',
      '[1.5]',
      '[1e300]',
      '[9007199254740993.0]',
      '[{}]',
      '[o1]',
      '{"a":1}',
    ],
    ['branch-id', '..', 'br/1', 'br 1', 'br-1,br-2'],
    ['actions', 'create/branch', '[1,', ',,', 'create_branch; start_compute'],
    ['require-actions', 'a?b', '["a",', '[true]'],
    [
      'since',
      'yesterday',
      '5 m',
      '-5m',
      '1h30m',
      '2026-02-30',
      '01.03.2026',
      'NaN',
      '2026-03-01T25:00',
    ],
    ['poll-interval', '0', '0.999', '999ms', '-5', '5 s', 'often', ''.padEnd(400, '9')],
    ['timeout', '-1', '1h30m', '30min', 'forever', '1e3', '3651d'],
    ['fail-fast', 'yes', 'FALSE!', 'False True', '0'],
    ['failed-grace', '-1s', '1 m', 'x'],
  ])('%s', (name, ...values) => {
    for (const value of values) {
      const error = refusal({ [name]: value });
      expect([value.slice(0, 50), namesOf(error)]).toEqual([value.slice(0, 50), [name]]);
      expect(error.message).toContain(error.faults[0]);
      expect(error.message.length).toBeLessThan(1000);
      expect(error.message).not.toContain(KEY);
    }
  });

  test('the project must be named somewhere', () => {
    expect(namesOf(refusal({ 'project-id': '' }))).toEqual(['project-id']);
    expect(namesOf(refusal({ 'project-id': '', 'operation-ids': 'o1' }))).toEqual(['project-id']);
    const operations = '[{"id":"o1","project_id":"p2"},{"id":"o2"}]';
    expect(namesOf(refusal({ 'project-id': '', operations }))).toEqual(['project-id']);
    const lone = refusal({
      'project-id': '',
      'operation-ids': 'o1 o3',
      operations: '[{"id":"o1","project_id":"p2"}]',
    });
    expect(lone.message).toContain('"o3"');
  });
});

describe('several faults', () => {
  test('are told at once, each on a line of its own', () => {
    const error = refusal({
      mode: 'wait-operations',
      'api-key': '',
      'base-url': 'http://example.com',
      'request-timeout': 'soon',
      'max-retries': 'many',
      summary: 'maybe',
      'project-id': '../x',
      'branch-id': 'a b',
      actions: '[',
      'require-actions': '/',
      since: 'then',
      'poll-interval': '0',
      timeout: 'late',
      'fail-fast': 'perhaps',
      'failed-grace': '?',
    });
    expect(namesOf(error).sort()).toEqual(
      [
        ...['api-key', 'base-url', 'request-timeout', 'max-retries', 'summary', 'project-id'],
        ...['branch-id', 'actions', 'require-actions', 'since', 'poll-interval', 'timeout'],
        ...['fail-fast', 'failed-grace'],
      ].sort(),
    );
    expect(error.message.split('\n')).toHaveLength(error.faults.length + 1);
    expect(error.message).toContain(`${error.faults.length} bad inputs`);
  });

  test('are told also when the mode is one of them', () => {
    const error = refusal({ mode: 'walk', 'api-key': '', 'base-url': '', summary: 'no' });
    expect(namesOf(error).sort()).toEqual(['api-key', 'base-url', 'mode', 'summary']);
  });

  test('of operations and operations-file are told together', () => {
    const error = refusal(
      { operations: '{', 'operations-file': 'x.json', timeout: '-' },
      { 'x.json': '[]x' },
    );
    expect(namesOf(error)).toEqual(['operations', 'operations-file', 'timeout']);
  });
});

describe('what may be secret is never quoted', () => {
  test.each([
    ['api-key', 'S3cret key'],
    ['base-url', 'https://user:S3cret@example.com/api/v2'],
    ['base-url', 'https://example.com/api/v2?token=S3cret'],
    ['base-url', 'https://example.com/S3cret'],
    ['base-url', 'S3cret'],
    ['operations', '{"password":"S3cret"}'],
    ['operations', '{"password":"S3cret"'],
    ['operations', '{"S3cret":'],
    ['operations', '{"operations":[{"id":"a/S3cret","project_id":"p1"}]}'],
    ['operations', '{"operations":[{"id":"o1","project_id":"p1","status":["S3cret"]}]}'],
    ['operations', '"S3cret"'],
  ])('%s: %s', (name, value) => {
    const { message, stack, cause } = refusal({ [name]: value });
    expect(message + stack + String(cause)).not.toContain('S3cret');
  });

  test('a key that stands in the wrong input', () => {
    for (const name of [
      'mode',
      'base-url',
      'timeout',
      'summary',
      'max-retries',
      'since',
      'actions',
    ])
      for (const value of [KEY, `${KEY}/x`, `${'y'.repeat(70)}${KEY}?`]) {
        const error = refusal({ [name]: value === KEY && name === 'actions' ? `${KEY}/` : value });
        expect(error.message).not.toContain(KEY.slice(0, 9));
      }
  });

  test('nor the content of a file', () => {
    for (const text of ['{"p":"S3cret"}', 'S3cret', '[{"id":"S3cret!"}]', '\u0000S3cret'])
      expect(refusal({ 'operations-file': 'f' }, { f: text }).message).not.toContain('S3cret');
  });
});

describe('whatever the inputs are', () => {
  const names = Object.keys(INPUTS);
  /** Words that inputs are made of, so that many tries come far. */
  const word = fc.constantFrom(
    ...[
      '',
      'wait-operations',
      'rotate-key',
      'list-projects',
      'true',
      'FALSE',
      'p1',
      'o1, o2',
      '[]',
    ],
    ...[
      '["o1","o1"]',
      '[{"id":"o1"}]',
      '{"operations":[]}',
      '{"operation":{"id":"o","project_id":"p"}}',
    ],
    ...['5', '5s', '10m', '0', '1.5h', '2026-03-01', '2026-03-01T08:00:00+01:00', 'f.json', KEY],
    ...[
      'https://example.com/v2',
      'http://[::1]:80/api/v2/',
      'null',
      '[1]',
      '__proto__',
      '{"a":{}}',
    ],
  );
  const value = fc.oneof(word, hostileText(), fc.json(), anyText(20));
  const inputs = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length });
  const file = fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    value,
    fc.constantFrom(
      Object.assign(new Error('x'), { code: 'EACCES' }),
      new Error('a fault without a code'),
    ),
  );

  test('they are taken whole and typed, or refused as bad inputs', () => {
    let taken = 0;
    fc.assert(
      fc.property(inputs, fc.boolean(), file, (given, sane, content) => {
        const files: Files = { 'f.json': content };
        try {
          const { wait, ...settings } = read(sane ? given : { mode: '', ...given }, files);
          taken += 1;
          expect(settings.baseUrl).toMatch(
            /^(https:\/\/|http:\/\/(localhost|127\.|\[::1\])).*\/v\d+(\.\d+)?$/,
          );
          expect(settings.apiKey.reveal()).toMatch(/^[\x21-\x7e]+$/);
          expect(settings.requestTimeoutMs).toBeGreaterThanOrEqual(100);
          expect(settings.warnings.join('')).not.toMatch(/[\r\n]/);
          if (wait === undefined) return;
          expect(wait.pollIntervalMs).toBeGreaterThanOrEqual(1000);
          expect(Number.isSafeInteger(wait.timeoutMs) && wait.timeoutMs >= 0).toBe(true);
          const { selection } = wait;
          const ids =
            selection.kind === 'given'
              ? selection.operations.flatMap(({ id, projectId }) => [id, projectId])
              : [selection.projectId, ...selection.actions, ...selection.requireActions];
          expect(ids.filter((id) => !isSafeId(id))).toEqual([]);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          for (const fault of error.faults) expect(fault).toMatch(FAULT);
          expect(error.message).not.toMatch(
            /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/,
          );
        }
      }),
      { numRuns: 400 },
    );
    expect(taken).toBeGreaterThan(0);
  });
});
