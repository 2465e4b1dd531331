import { describe, expect, test } from '@jest/globals';
import { answerError, statusKind } from '../../src/control-api/answers.ts';
import type { ErrorKind } from '../../src/control-api/errors.ts';

describe('what a status means', () => {
  const same: [number, ErrorKind][] = [
    [301, 'redirected'],
    [302, 'redirected'],
    [303, 'redirected'],
    [304, 'redirected'],
    [307, 'redirected'],
    [308, 'redirected'],
    [400, 'refused'],
    [401, 'unauthorized'],
    [402, 'refused'],
    [403, 'refused'],
    [404, 'not-found'],
    [405, 'refused'],
    [406, 'refused'],
    [409, 'refused'],
    [410, 'refused'],
    [412, 'refused'],
    [413, 'refused'],
    [415, 'refused'],
    [422, 'refused'],
    [423, 'busy'],
    [425, 'unavailable'],
    [429, 'rate-limited'],
    [451, 'refused'],
    [499, 'refused'],
    [501, 'refused'],
    [503, 'unavailable'],
    [505, 'refused'],
  ];

  test.each(same)('%d is %s for reads and writes', (status, kind) => {
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      expect(statusKind(status, method)).toBe(kind);
  });

  test.each([408, 500, 502, 504, 507, 520, 522, 524, 599])(
    '%d passes for a read and leaves a write in doubt',
    (status) => {
      expect(statusKind(status, 'GET')).toBe('unavailable');
      expect(statusKind(status, 'POST')).toBe('ambiguous');
      expect(statusKind(status, 'DELETE')).toBe('ambiguous');
    },
  );

  test('every other number is no answer to a read, and leaves a write in doubt', () => {
    for (const status of [0, 100, 101, 199, 600, 999]) {
      expect(['unreadable', 'unavailable']).toContain(statusKind(status, 'GET'));
      expect(statusKind(status, 'POST')).toBe('ambiguous');
    }
  });
});

describe('what the service says of itself', () => {
  const call = { attempt: 'list the projects', method: 'GET' } as const;
  const message = (body: unknown, headers: Record<string, string> = {}, options = {}) =>
    answerError(
      { ...call, ...options },
      { status: 400, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
      { retryAfterMs: undefined, redact: (text) => text },
    ).message;

  test.each<[string, unknown, Record<string, string>, string]>([
    ['its message and request id', { message: 'no', request_id: 'r1' }, {}, ' (no; request r1)'],
    ['the message alone', { code: 'X', message: 'no' }, {}, ' (no)'],
    ['the id of the header', { message: 'no' }, { 'x-request-id': 'r2' }, ' (no; request r2)'],
    ['an id alone', {}, { 'x-request-id': 'r2' }, ' (request r2)'],
    ['nothing of HTML', '<html>Bad gateway</html>', {}, ''],
    ['nothing of nothing', '', {}, ''],
    ['nothing of other shapes', { message: { a: 1 }, request_id: 7 }, {}, ''],
    ['nothing of a list', [{ message: 'no' }], {}, ''],
    ['nothing of null', 'null', {}, ''],
    ['a message on one line', { message: 'a\r\n::error::b\u001b[31m' }, {}, ' (a ::error::b [31m)'],
  ])('is shown: %s', (_what, body, headers, words) => {
    expect(message(body, headers)).toBe(
      `Failed to list the projects: the service answered 400${words}`,
    );
  });

  test('is cut', () => {
    expect(message({ message: 'x'.repeat(1e6), request_id: 'y'.repeat(1e6) }).length).toBeLessThan(
      600,
    );
  });

  test('an error says what to do where that is known', () => {
    const of = (status: number) =>
      answerError(call, { status, headers: {}, body: '' }, { retryAfterMs: 5, redact: String });
    expect(of(401).message).toContain('api-key');
    expect(of(302).message).toContain('base-url');
    expect(of(429)).toMatchObject({ kind: 'rate-limited', status: 429, retryAfterMs: 5 });
  });
});
