import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GivenOperation } from '../../src/wait-operations/settings.ts';
import { type Files, readWait, refusal } from './form.ts';

function given(inputs: Record<string, string>, files?: Files): readonly GivenOperation[] {
  const { selection } = readWait(inputs, files);
  if (selection.kind !== 'given') throw new Error('No operations are given.');
  return selection.operations;
}

/** `project/id status` of each. */
function brief(operations: readonly GivenOperation[]): string[] {
  return operations.map(({ projectId, id, seen }) =>
    `${projectId}/${id} ${seen?.status ?? ''}`.trim(),
  );
}

const OPERATION = {
  id: 'o1',
  project_id: 'p2',
  branch_id: 'br-1',
  action: 'create_branch',
  status: 'running',
  failures_count: 0,
  created_at: '2026-03-01T08:00:00Z',
  updated_at: '2026-03-01T08:00:01Z',
};

describe('operations as JSON', () => {
  test.each<[string, unknown]>([
    ['a response body', { branch: { id: 'br-1' }, operations: [OPERATION] }],
    ['a body with one operation', { operation: OPERATION }],
    ['a body with both', { operation: OPERATION, operations: [] }],
    ['the array alone', [OPERATION]],
  ])('may be %s', (_what, body) => {
    expect(brief(given({ operations: JSON.stringify(body) }))).toEqual(['p2/o1 running']);
    expect(brief(given({ operations: JSON.stringify(body, null, 2) }))).toEqual(['p2/o1 running']);
  });

  test('keep what the API said of them, known or not, with every digit', () => {
    const operations = `[{"id":"o1","project_id":"p2","status":"done","size":9007199254740993,"x":{"y":[1]}}]`;
    const [operation] = given({ operations });
    expect(operation?.seen).toEqual({
      id: 'o1',
      project_id: 'p2',
      status: 'done',
      size: 9007199254740993n,
      x: { y: [1] },
    });
  });

  test('need only an id, and may hold null where there is nothing', () => {
    const operations = '[{"id":"o1","branch_id":null,"status":null,"error":null}]';
    expect(brief(given({ operations }))).toEqual(['p1/o1']);
  });

  test('may be none', () => {
    for (const operations of ['[]', '{"operations":[]}']) expect(given({ operations })).toEqual([]);
  });

  test.each([
    '{}',
    'null',
    '1',
    'true',
    '"o1"',
    '[1]',
    '[null]',
    '["o1"]',
    '[[]]',
    '{"operations":{}}',
    '{"operations":"o1"}',
    '{"operations":[{"id":"o1"}],"operation":7}',
    '{"operation":[]}',
    '{"code":"UNAUTHORIZED","message":"no"}',
    '[{"id":1}]',
    '[{"id":""}]',
    '[{"id":".."}]',
    '[{"id":"a/b"}]',
    '[{"ID":"o1"}]',
    '[{"id":"o1","project_id":"../x"}]',
    '[{"id":"o1","project_id":""}]',
    '[{"id":"o1","project_id":7}]',
    '[{"id":"o1","status":7}]',
    '[{"id":"o1","action":{}}]',
    '[{"id":"o1","updated_at":1}]',
    '[{"id":"o1"},{}]',
    '[{"id":"o1"}',
    '[{"id":"o1"}],',
    "[{'id':'o1'}]",
    '{"operations":[]}{"operations":[]}',
    '<html>',
  ])('%s is refused', (operations) => {
    expect(refusal({ operations }).message).toMatch(/^Bad input\. operations: /);
    const file = refusal({ 'operations-file': 'f' }, { f: operations });
    expect(file.message).toMatch(/^Bad input\. operations-file: /);
  });

  test('say which of them is wrong', () => {
    const operations = JSON.stringify([OPERATION, OPERATION, { ...OPERATION, status: 5 }]);
    expect(refusal({ operations }).message).toContain('operation 2.status');
  });

  test('cannot reach into the program', () => {
    const operations = '[{"id":"o1","__proto__":{"status":"finished"},"constructor":{"x":1}}]';
    expect(given({ operations })[0]?.seen?.status).toBeUndefined();
    expect(({} as { status?: string }).status).toBeUndefined();
  });
});

describe('operations-file', () => {
  const text = JSON.stringify({ operations: [OPERATION], note: 'Größe' });
  const utf16 = (body: string): Buffer => Buffer.from(`\ufeff${body}`, 'utf16le');

  test.each<[string, string | Uint8Array]>([
    ['plain', text],
    ['with a byte-order mark', `\ufeff${text}`],
    ['in UTF-16, as Windows’ shells write it', utf16(text)],
    ['with a line break at the end', `${text}\r\n`],
  ])('is read %s', (_how, content) => {
    const operations = given({ 'operations-file': 'f' }, { f: content });
    expect(brief(operations)).toEqual(['p2/o1 running']);
  });

  test.each<[string, string | Uint8Array | Error, RegExp]>([
    ['is missing', Object.assign(new Error('x'), { code: 'ENOENT' }), /no such file/],
    ['cannot be read', Object.assign(new Error('x'), { code: 'EACCES' }), /EACCES/],
    ['is a folder', Object.assign(new Error('x'), { code: 'EISDIR' }), /EISDIR/],
    ['is too large', Object.assign(new Error('x'), { code: 'EFBIG' }), /EFBIG/],
    ['is empty', '', /is empty/],
    ['holds blanks only', ' \n', /is empty/],
    ['holds a byte-order mark only', '\ufeff', /is empty/],
    ['is not UTF-8', Uint8Array.of(0x5b, 0xff, 0x5d), /cannot be read/],
    ['is UTF-16 in the other order', utf16(text).swap16(), /cannot be read/],
    ['is cut in UTF-16', utf16('[]').subarray(0, 5), /cannot be read/],
  ])('that %s is refused, by its name', (_what, content, words) => {
    const { message } = refusal({ 'operations-file': 'out/f.json' }, { 'out/f.json': content });
    expect(message).toMatch(/^Bad input\. operations-file: /);
    expect(message).toMatch(words);
    expect(message).not.toContain('undefined');
  });

  test('that fails without a code is refused in words', () => {
    const { message } = refusal({ 'operations-file': 'f' }, { f: new Error('odd') });
    expect(message).toMatch(/^Bad input\. operations-file: /);
    expect(message).not.toContain('undefined');
  });
});

describe('ids and bodies', () => {
  test('add up, each operation once', () => {
    const operations = given(
      {
        'operation-ids': 'o1 o2 o9',
        operations: '[{"id":"o1","project_id":"p1"},{"id":"o2"},{"id":"o2","project_id":"p1"}]',
        'operations-file': 'f',
      },
      { f: '[{"id":"o1"},{"id":"o3","project_id":"p3"},{"id":"o1","project_id":"p4"}]' },
    );
    expect(brief(operations)).toEqual(['p1/o1', 'p1/o2', 'p3/o3', 'p4/o1', 'p1/o9']);
  });

  test('need no project-id where the JSON names the projects', () => {
    const operations = '[{"id":"o1","project_id":"p2"},{"id":"o2","project_id":"p3"}]';
    const all = given({ 'project-id': '', operations, 'operation-ids': 'o2' });
    expect(brief(all)).toEqual(['p2/o1', 'p3/o2']);
  });

  test('an id that the JSON names with its project is not another of project-id', () => {
    const operations = '[{"id":"o1","project_id":"p2"}]';
    expect(brief(given({ operations, 'operation-ids': 'o1, o9' }))).toEqual(['p2/o1', 'p1/o9']);
  });

  test.each([
    ['o1 o9', ['p1/o1', 'p1/o9']],
    ['["o1"]', ['p1/o1']],
  ])('ids alone are of project-id: %s', (ids, all) => {
    expect(brief(given({ 'operation-ids': ids }))).toEqual(all);
  });

  test('the later state of an operation counts, wherever it stands', () => {
    const early = { ...OPERATION, status: 'running', updated_at: '2026-03-01T08:00:01Z' };
    const late = { ...OPERATION, status: 'finished', updated_at: '2026-03-01T10:00:00+01:00' };
    for (const pair of [
      [early, late],
      [late, early],
    ])
      expect(brief(given({ operations: JSON.stringify(pair) }))).toEqual(['p2/o1 finished']);
    const [operations, file] = [JSON.stringify([late]), JSON.stringify([early])];
    expect(brief(given({ operations, 'operations-file': 'f' }, { f: file }))).toEqual([
      'p2/o1 finished',
    ]);
  });

  test('keep every operation of every project, in any number of bodies', () => {
    const operation = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      project_id: fc.option(fc.constantFrom('p1', 'q', 'r'), { nil: undefined }),
      status: fc.constantFrom('running', 'finished'),
    });
    const list = fc.array(operation, { maxLength: 6 });
    const ids = fc.option(fc.subarray(['a', 'b', 'z']), { nil: undefined });
    fc.assert(
      fc.property(list, list, ids, (first, second, named) => {
        const inputs: Record<string, string> = {
          operations: JSON.stringify(first),
          'operations-file': 'f',
        };
        if (named) inputs['operation-ids'] = JSON.stringify(named);
        const operations = given(inputs, { f: JSON.stringify(second) });
        const found = operations.map(({ projectId, id }) => `${projectId}/${id}`);
        const wanted = [...first, ...second].map((one) => `${one.project_id ?? 'p1'}/${one.id}`);
        expect(new Set(found).size).toBe(found.length);
        expect(found).toEqual(expect.arrayContaining(wanted));
        for (const id of named ?? []) expect(operations.map((one) => one.id)).toContain(id);
      }),
    );
  });
});
