import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../src/control-api/json.ts';
import { noWaitOutputs, waitOutputs } from '../../src/runner/wait-outputs.ts';
import { anyText } from '../support/hostile-text.ts';
import { operation, report } from './reports.ts';

const LIMIT = 1024 * 1024;
const bytes = (outputs: Readonly<Record<string, string>>): number =>
  Object.values(outputs).reduce((sum, text) => sum + Buffer.byteLength(text), 0);

test('tell what became of each operation', () => {
  const seen = [
    operation('a', 'finished', { project_id: 'p2' }),
    operation('b', 'skipped'),
    operation('c', 'failed', { error: 'no "space"\nleft' }),
    operation('d', 'cancelled'),
    operation('e', 'running'),
    operation('f', 'dreaming'),
    'g',
  ];
  const { outputs, leftOut } = waitOutputs(
    report(seen, { result: 'failed', elapsedMs: 65_432.1, requests: 12 }),
  );
  const { operations, ...small } = outputs;
  expect(small).toEqual({
    result: 'failed',
    'finished-ids': '["a","b"]',
    'failed-ids': '["c","d"]',
    'pending-ids': '["e","f","g"]',
    count: '7',
    'elapsed-seconds': '65.432',
    requests: '12',
  });
  expect(JSON.parse(operations ?? '')).toEqual([
    ...seen.filter((one) => typeof one !== 'string'),
    { id: 'g', project_id: 'p1' },
  ]);
  expect(leftOut).toBe(false);
});

test('give an operation as the service gave it, with every digit', () => {
  const odd = { ...operation('a', 'finished'), serial: 9223372036854775807n, x: { y: [null] } };
  const { outputs } = waitOutputs(report([odd]));
  expect(outputs.operations).toContain('9223372036854775807');
  expect(parseJson(outputs.operations ?? '')).toEqual([odd]);
});

test('are the same whether the wait began or not', () => {
  expect(Object.keys(noWaitOutputs()).sort()).toEqual(
    Object.keys(waitOutputs(report([])).outputs).sort(),
  );
  expect(noWaitOutputs().result).toBe('failed');
});

describe('larger than GitHub takes', () => {
  test.each(['x', 'é', '€', '😀', '"', '\n'])(
    'leave the operations out, to the byte: %j',
    (letter) => {
      const withError = (length: number) =>
        waitOutputs(report([operation('a', 'finished', { error: letter.repeat(length) }), 'b']));
      const empty = bytes(withError(0).outputs);
      const each = Buffer.byteLength(JSON.stringify(letter)) - 2;
      const most = Math.floor((LIMIT - empty) / each);
      const fits = withError(most);
      expect(fits.leftOut).toBe(false);
      expect(bytes(fits.outputs)).toBeLessThanOrEqual(LIMIT);
      const over = withError(most + 1);
      expect(over.leftOut).toBe(true);
      expect(over.outputs).not.toHaveProperty('operations');
      expect(over.outputs).toMatchObject({
        result: 'finished',
        'finished-ids': '["a"]',
        count: '2',
      });
    },
  );

  test('never: not with any number of operations, whatever they hold', () => {
    const seen = fc.record({
      count: fc.integer({ min: 0, max: 9000 }),
      error: anyText(300),
    });
    fc.assert(
      fc.property(seen, ({ count, error }) => {
        const ids = Array.from({ length: count }, (_, n) => `8c5b1f60-3f5b-4d2a-9e4e-${1e11 + n}`);
        const { outputs, leftOut } = waitOutputs(
          report(ids.map((id) => operation(id, 'running', { error }))),
        );
        expect(bytes(outputs)).toBeLessThanOrEqual(LIMIT);
        expect('operations' in outputs).toBe(!leftOut);
        expect(JSON.parse(outputs['pending-ids'] ?? '')).toHaveLength(count);
      }),
      { numRuns: 15 },
    );
  });
});
