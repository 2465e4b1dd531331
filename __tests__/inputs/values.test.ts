import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readAction } from '../../harness/action-yml.ts';
import { INPUTS, MODES } from '../../src/inputs/catalog.ts';
import { KEY, read, readWait, VALID } from './form.ts';

describe('the catalog', () => {
  const { inputs } = readAction();

  test('has the inputs and the defaults of action.yml', () => {
    const defaults = Object.entries(INPUTS).map(([name, input]) => [name, input.default]);
    expect(Object.fromEntries(defaults)).toEqual(
      Object.fromEntries(
        Object.entries(inputs).map(([name, input]) => [name, input.default ?? '']),
      ),
    );
  });

  test('knows which mode each belongs to, as its description says', () => {
    for (const [name, { mode }] of Object.entries(INPUTS)) {
      const said = MODES.find((one) => inputs[name]?.description.startsWith(`\`${one}\``));
      expect([name, name === 'mode' ? undefined : said]).toEqual([name, mode]);
    }
  });
});

describe('a step that says only what it must', () => {
  test('gets the documented defaults', () => {
    const { wait, apiKey, ...common } = read();
    expect(apiKey.reveal()).toBe(KEY);
    expect(common).toEqual({
      mode: 'wait-operations',
      baseUrl: 'https://console.example.com/api/v2',
      requestTimeoutMs: 30_000,
      maxRetries: 5,
      summary: true,
      warnings: [],
    });
    expect(wait).toEqual({
      selection: {
        kind: 'discovery',
        projectId: 'p1',
        branchId: undefined,
        actions: [],
        requireActions: [],
        since: undefined,
      },
      pollIntervalMs: 5000,
      timeoutMs: 600_000,
      failFast: true,
      failedGraceMs: 0,
      requestTimeoutMs: 30_000,
    });
  });

  test('gets the same when the runner hands the defaults over', () => {
    const defaults = Object.entries(INPUTS).map(([name, input]) => [name, input.default]);
    expect(read({ ...Object.fromEntries(defaults), ...VALID })).toEqual(read());
  });

  test('the key is kept as it is, up to its longest', () => {
    const longest = '~'.repeat(4096);
    expect(read({ 'api-key': longest }).apiKey.reveal()).toBe(longest);
  });
});

describe('base-url', () => {
  test.each([
    ['https://console.example.com/api/v2', 'https://console.example.com/api/v2'],
    ['https://console.example.com/api/v2/', 'https://console.example.com/api/v2'],
    ['HTTPS://Console.Example.COM:443/api/v2', 'https://console.example.com/api/v2'],
    ['https://example.com:8443/v1', 'https://example.com:8443/v1'],
    ['https://example.com/db/v2.1', 'https://example.com/db/v2.1'],
    ['http://localhost/api/v2', 'http://localhost/api/v2'],
    ['http://localhost:8080/api/v2/', 'http://localhost:8080/api/v2'],
    ['http://127.0.0.1:8080/api/v2', 'http://127.0.0.1:8080/api/v2'],
    ['http://127.1.2.3/api/v2', 'http://127.1.2.3/api/v2'],
    ['http://[::1]:8080/api/v2', 'http://[::1]:8080/api/v2'],
    ['http://2130706433/api/v2', 'http://127.0.0.1/api/v2'],
  ])('%s is taken as %s', (text, url) => {
    expect(read({ 'base-url': text }).baseUrl).toBe(url);
  });
});

describe('booleans are those of the YAML core schema', () => {
  test.each([
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['false', false],
    ['False', false],
    ['FALSE', false],
    ['', true],
  ])('%j is %j', (text, value) => {
    expect(read({ summary: text }).summary).toBe(value);
    expect(readWait({ 'fail-fast': text }).failFast).toBe(value);
  });
});

describe('numbers', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['05', 5],
    ['100', 100],
    ['', 5],
  ])('max-retries %j is %d', (text, value) => {
    expect(read({ 'max-retries': text }).maxRetries).toBe(value);
  });
});

describe('durations', () => {
  test('each goes to its own place', () => {
    const { requestTimeoutMs, wait } = read({
      'request-timeout': '0.1',
      'poll-interval': '1',
      timeout: '0',
      'failed-grace': '1.5m',
    });
    expect(requestTimeoutMs).toBe(100);
    expect(wait).toMatchObject({
      requestTimeoutMs: 100,
      pollIntervalMs: 1000,
      timeoutMs: 0,
      failedGraceMs: 90_000,
    });
  });

  test('may be longer than a timer of the machine', () => {
    expect(readWait({ timeout: '60d' }).timeoutMs).toBe(60 * 86_400_000);
  });
});

describe('lists', () => {
  const actions = (text: string): readonly string[] => {
    const { selection } = readWait({ actions: text });
    return selection.kind === 'discovery' ? selection.actions : [];
  };

  test.each([
    ['a', ['a']],
    ['a b', ['a', 'b']],
    ['a,b', ['a', 'b']],
    ['a, b', ['a', 'b']],
    ['a\nb', ['a', 'b']],
    ['a\r\n\r\nb\r\n', ['a', 'b']],
    [',a,,b,', ['a', 'b']],
    ['\ta\t,\n b ', ['a', 'b']],
    ['a\u00a0b', ['a', 'b']],
    ['["a","b"]', ['a', 'b']],
    ['[\n  "a",\n  "b"\n]', ['a', 'b']],
    ['[7, 8]', ['7', '8']],
    ['a b a, a', ['a', 'b']],
    ['["a","a"]', ['a']],
    ['[]', []],
    ['[ ]', []],
    ['', []],
  ])('%j', (text, items) => {
    expect(actions(text)).toEqual(items);
  });

  test('an explicit empty list of ids is given, and nothing to wait for', () => {
    expect(readWait({ 'operation-ids': '[]' }).selection).toEqual({
      kind: 'given',
      operations: [],
    });
    expect(readWait({ 'operation-ids': '' }).selection.kind).toBe('discovery');
  });

  test('every list of ids comes back, however it is written', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,12}$/);
    const separator = fc.stringMatching(/^[ \n\t,]{0,3}[ \n,][ \n\t\r]{0,3}$/);
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 8 }), separator, (ids, between) => {
        expect(actions(ids.join(between))).toEqual(ids);
        expect(actions(JSON.stringify(ids))).toEqual(ids);
        expect(actions([...ids, ...ids].join(between))).toEqual(ids);
      }),
    );
  });
});

describe('since', () => {
  const since = (text: string): unknown => {
    const { selection } = readWait({ since: text });
    return selection.kind === 'discovery' ? selection.since : 'none';
  };

  test.each([
    ['15m', { agoMs: 900_000 }],
    ['0', { agoMs: 0 }],
    ['90', { agoMs: 90_000 }],
    ['2026-03-01', { at: Date.UTC(2026, 2, 1) }],
    ['2026-03-01T08:00:00Z', { at: Date.UTC(2026, 2, 1, 8) }],
    ['2026-03-01 08:00', { at: Date.UTC(2026, 2, 1, 8) }],
    ['2026-03-01T08:00:00+02:00', { at: Date.UTC(2026, 2, 1, 6) }],
    ['', undefined],
  ])('%j', (text, value) => {
    expect(since(text)).toEqual(value);
  });
});

describe('inputs without effect', () => {
  const warningsOf = (inputs: Record<string, string>): string[] =>
    read(inputs).warnings.map((warning) => /^[a-z-]+/.exec(warning)?.[0] ?? warning);

  test.each<[string, Record<string, string>]>([
    ['operation-ids', { 'operation-ids': 'o1' }],
    ['operations', { operations: '[]' }],
    ['operation-ids and operations', { 'operation-ids': '[]', operations: '[]' }],
  ])('beside %s are those of the search', (given, ids) => {
    const search = {
      'branch-id': 'br-1',
      actions: 'a',
      'require-actions': 'b',
      since: '5m',
    };
    expect(warningsOf({ ...ids, ...search })).toEqual(Object.keys(search));
    expect(read({ ...ids, actions: 'a' }).warnings[0]).toContain(`given by ${given}.`);
    expect(warningsOf(ids)).toEqual([]);
  });

  test('in the search are none', () => {
    const search = { 'branch-id': 'br-1', actions: 'a', 'require-actions': 'b', since: '5m' };
    expect(warningsOf(search)).toEqual([]);
  });

  test('are those of other modes, unless they say what the default says', () => {
    const foreign = Object.entries(INPUTS).filter(
      ([, { mode }]) => mode && mode !== 'wait-operations',
    );
    const defaults = Object.fromEntries(foreign.map(([name, input]) => [name, input.default]));
    expect(warningsOf(defaults)).toEqual([]);
    for (const [name] of foreign) expect(warningsOf({ [name]: '7' })).toEqual([name]);
  });

  test('are the wait’s own in another mode, and they are not read there', () => {
    const { warnings, wait } = read({ mode: 'list-projects', timeout: 'never', 'org-id': 'o' });
    expect(wait).toBeUndefined();
    expect(warnings).toEqual([
      'project-id has no effect in mode list-projects.',
      'timeout has no effect in mode list-projects.',
    ]);
  });

  test('a project that no operation of the JSON needs is one of them', () => {
    const operations = '[{"id":"o1","project_id":"p2"}]';
    expect(warningsOf({ operations })).toEqual(['project-id']);
    expect(warningsOf({ operations, 'operation-ids': 'o9' })).toEqual([]);
    expect(warningsOf({ operations: '[{"id":"o1"}]' })).toEqual([]);
    expect(warningsOf({ operations: '[]' })).toEqual([]);
  });
});
