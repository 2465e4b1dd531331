import { describe, expect, test } from '@jest/globals';
import type { Fault } from '../../simulator/server.ts';
import { askGithub, publicKey, sealed, store } from './github-support.ts';
import { simulate } from './support.ts';

const secrets = '/repos/octo-org/octo-repo/actions/secrets';
const target = 'repository:octo-org/octo-repo';

/** A PUT under a fault: what the client was answered, if anything came whole, and what was stored. */
async function putUnder(fault: Fault) {
  const simulator = await simulate();
  const { github } = simulator;
  const body = await sealed('x', await publicKey(simulator, secrets));
  const handle = github.faults.add({ match: { method: 'PUT', path: `${secrets}/*` }, fault });
  const reply = await askGithub(simulator, 'PUT', `${secrets}/API_KEY`, { body }).catch(() => null);
  return {
    reply,
    stored: github.secret(target, 'API_KEY')?.value,
    record: github.requests.at(-1),
    hits: handle.hits,
    token: github.token,
  };
}

describe('answers by status, in GitHub’s words', () => {
  test.each([
    [403, 'You have exceeded a secondary rate limit. Please wait a few minutes.', '60'],
    [429, undefined, '1'],
    [500, undefined, undefined],
    [502, undefined, undefined],
    [503, undefined, 'Thu, 01 Jan 2026 00:00:30 GMT'],
  ])('%d', async (status, message, retryAfter) => {
    const { reply, stored, record, hits } = await putUnder({
      kind: 'status',
      status,
      ...(message !== undefined && { message }),
      ...(retryAfter !== undefined && { retryAfter }),
      headers: { 'x-ratelimit-remaining': '0' },
    });
    expect(reply?.status).toBe(status);
    expect(reply?.json).toEqual({
      message: message ?? `simulated answer ${status}`,
      documentation_url: expect.stringMatching(/^https:\/\/docs\.github\.com\//),
      status: String(status),
    });
    expect(reply?.headers.get('retry-after')).toBe(retryAfter ?? null);
    expect(reply?.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(reply?.headers.get('date')).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
    expect(stored).toBeUndefined();
    expect(record).toMatchObject({ status, fault: 'status' });
    expect(hits).toBe(1);
  });

  test('other bodies; performed all the same', async () => {
    const html = await putUnder({ kind: 'status', status: 502, body: 'html', act: true });
    expect(html.reply).toMatchObject({ status: 502, text: expect.stringContaining('<html>') });
    expect(html.stored).toBe('x');
    const empty = await putUnder({ kind: 'status', status: 500, body: 'empty' });
    expect(empty.reply).toMatchObject({ status: 500, text: '' });
  });

  test('one that repeats the token', async () => {
    const { reply, stored, token } = await putUnder({ kind: 'echo-key' });
    expect(reply?.status).toBe(400);
    expect(reply?.json.message).toContain(`Bearer ${token}`);
    expect(stored).toBeUndefined();
  });

  test('a redirect', async () => {
    const { reply, stored } = await putUnder({ kind: 'redirect', location: 'http://127.0.0.1:1/' });
    expect([reply?.status, reply?.headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/']);
    expect(stored).toBeUndefined();
  });
});

describe('spoiled answers to what was performed', () => {
  const wrong: [string, Fault, (text: string) => boolean][] = [
    ['delay', { kind: 'delay', ms: 20 }, (text) => text === '{}'],
    ['transform', { kind: 'transform', transform: () => ({ a: 1 }) }, (t) => t === '{"a":1}'],
    ['set', { kind: 'set', set: { b: 2 } }, (text) => text === '{"b":2}'],
    ['truncated', { kind: 'truncated' }, (text) => text === '{'],
    ['drip', { kind: 'drip', everyMs: 5 }, (text) => text === '{}'],
    ['huge', { kind: 'huge', bytes: 200_000 }, (text) => text.length > 200_000],
    ['endless-pages', { kind: 'endless-pages' }, (text) => text === '{}'],
    ['repeated-cursor', { kind: 'repeated-cursor' }, (text) => text === '{}'],
  ];
  test.each(wrong)('%s', async (kind, fault, isRight) => {
    const { reply, stored, record } = await putUnder(fault);
    expect([reply?.status, isRight(reply?.text ?? ''), stored]).toEqual([201, true, 'x']);
    expect(record?.fault).toBe(kind);
  });

  test('headers replaced and left out', async () => {
    const { reply } = await putUnder({ kind: 'headers', headers: { date: null, x: 'y' } });
    expect([reply?.headers.get('date'), reply?.headers.get('x')]).toEqual([null, 'y']);
  });
});

describe('trouble on the connection', () => {
  test.each<[Fault, string | undefined]>([
    [{ kind: 'reset' }, undefined],
    [{ kind: 'garbage' }, undefined],
    [{ kind: 'act-then-cut' }, 'x'],
    [{ kind: 'cut' }, 'x'],
    [{ kind: 'cut', reset: true, chunked: true }, 'x'],
    [{ kind: 'half-close' }, 'x'],
  ])('%j: no answer, and stored is %s', async (fault, expected) => {
    const { reply, stored } = await putUnder(fault);
    expect(reply).toBeNull();
    expect(stored).toBe(expected);
  });

  test.each<[Fault, string | undefined]>([
    [{ kind: 'hang' }, undefined],
    [{ kind: 'hang', act: true }, 'x'],
    [{ kind: 'headers-only' }, 'x'],
    [{ kind: 'drip', forever: true, everyMs: 5 }, 'x'],
  ])('%j: no end', async (fault, expected) => {
    const simulator = await simulate();
    const { github } = simulator;
    const body = JSON.stringify(await sealed('x', await publicKey(simulator, secrets)));
    github.faults.add({ fault });
    const request = fetch(`${github.apiUrl}${secrets}/API_KEY`, {
      method: 'PUT',
      headers: { authorization: `token ${github.token}` },
      body,
      signal: AbortSignal.timeout(100),
    }).then((response) => response.text());
    await expect(request).rejects.toThrow(/abort|timeout/i);
    expect(github.secret(target, 'API_KEY')?.value).toBe(expected);
  });
});

describe('which requests', () => {
  test('by path below the prefix, count and method; the control API is untouched', async () => {
    const simulator = await simulate();
    const { github } = simulator;
    const fault: Fault = { kind: 'status', status: 503 };
    github.faults.add({ match: { path: '/repos/*/*/actions/secrets/public-key', nth: 2 }, fault });
    github.faults.add({ match: { path: /\/API_KEY$/, method: 'PUT', times: 1 }, fault });
    const statuses: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      statuses.push((await askGithub(simulator, 'GET', `${secrets}/public-key`)).status);
    }
    expect(statuses).toEqual([200, 503, 200]);
    expect((await store(simulator, secrets, 'API_KEY', 'x')).status).toBe(503);
    expect((await store(simulator, secrets, 'API_KEY', 'x')).status).toBe(201);

    github.faults.add({ fault });
    const control = await fetch(`${simulator.baseUrl}/projects`, {
      headers: { authorization: `Bearer ${simulator.apiKey}` },
    });
    expect(control.status).toBe(200);
  });

  test('hooks: before, once stored, and after the answer', async () => {
    const simulator = await simulate();
    const { github } = simulator;
    const seen: string[] = [];
    const note = (moment: string) => () => {
      seen.push(`${moment}: ${github.everyStored().length}`);
    };
    github.faults.add({
      match: { method: 'PUT' },
      before: async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        note('before')();
      },
      acted: note('acted'),
      after: note('after'),
    });
    await store(simulator, secrets, 'API_KEY', 'x');
    while (seen.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toEqual(['before: 0', 'acted: 1', 'after: 1']);
  });

  test('a hook can write in between', async () => {
    const simulator = await simulate();
    const { github } = simulator;
    github.faults.add({
      match: { method: 'PUT' },
      acted: () => github.putSecret(target, 'API_KEY', 'theirs'),
    });
    await store(simulator, secrets, 'API_KEY', 'ours');
    expect(github.secret(target, 'API_KEY')?.value).toBe('theirs');
  });
});
