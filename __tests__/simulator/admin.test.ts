import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { ask, get, ids, simulate } from './support.ts';

const program = new URL('../../simulator/main.ts', import.meta.url).pathname;
const run = promisify(execFile);

describe('the controls over HTTP', () => {
  const control = async (...options: Parameters<typeof simulate>) => {
    const simulator = await simulate(...options);
    const call = (method: string, path: string, body?: unknown) =>
      ask(simulator, method, simulator.adminUrl + path, { key: null, body });
    return { simulator, call };
  };

  test('add projects, branches, operations and keys', async () => {
    const { simulator, call } = await control();
    expect((await call('POST', '/projects', { id: 'p', name: 'x' })).status).toBe(201);
    const branch = await call('POST', '/branches', { projectId: 'p', name: 'dev' });
    const operation = await call('POST', '/operations', {
      projectId: 'p',
      branchId: branch.json.id,
      action: 'apply_config',
      outcome: 'failed',
      runningMs: 0,
      schedulingMs: 0,
    });
    expect(operation.json).toMatchObject({ branch_id: branch.json.id, status: 'failed' });
    const { key } = (await call('POST', '/keys', { name: 'k' })).json;
    const listed = await ask(simulator, 'GET', '/projects/p/operations', { key });
    expect(ids(listed.json.operations)).toEqual([operation.json.id]);

    const state = (await call('GET', '/state')).json;
    expect(state).toMatchObject({
      apiKey: simulator.apiKey,
      projects: [{ id: 'p', branches: [{ name: 'main' }, { name: 'dev' }], operationCount: 1 }],
      requestCount: 1,
    });
  });

  test('inject faults and end them', async () => {
    const { simulator, call } = await control();
    const status = async () => (await get(simulator, '/projects')).status;
    const fault = { kind: 'status', status: 503 };
    const { id } = (await call('POST', '/faults', { match: { pathPattern: '^/proj' }, fault }))
      .json;
    await call('POST', '/faults', { match: { path: '/api_keys' }, fault });
    expect(await status()).toBe(503);
    expect((await call('GET', '/faults')).json).toMatchObject([{ id, hits: 1 }, { hits: 0 }]);
    expect((await call('DELETE', `/faults/${id}`)).status).toBe(200);
    expect((await call('DELETE', `/faults/${id}`)).status).toBe(404);
    expect(await status()).toBe(200);
    await call('DELETE', '/faults');
    expect((await call('GET', '/faults')).json).toEqual([]);
  });

  test('show the record, and forget it', async () => {
    const { simulator, call } = await control();
    await get(simulator, '/projects?limit=5');
    expect((await call('GET', '/requests')).json).toMatchObject([
      { path: '/projects', query: { limit: '5' }, status: 200 },
    ]);
    await call('DELETE', '/requests');
    expect(simulator.requests).toEqual([]);
  });

  test('move the clock and change settings', async () => {
    const { simulator, call } = await control();
    const moved = await call('POST', '/clock', { advanceMs: 60_000 });
    expect(moved.json).toEqual({ now: '2026-01-01T00:01:00.000Z' });
    await call('PATCH', '/settings', { durations: { runningMs: 7 }, order: 'oldest-first' });
    expect(simulator.settings).toMatchObject({
      durations: { schedulingMs: 200, runningMs: 7 },
      order: 'oldest-first',
    });
  });

  test('reset to the start, with the same key', async () => {
    const { simulator, call } = await control({
      order: 'oldest-first',
      seed: (started) => started.addProject({ id: 'seeded' }),
    });
    simulator.settings.order = 'newest-first';
    simulator.settings.durations.runningMs = 5;
    simulator.addProject({ id: 'later' });
    simulator.addKey(simulator.account, { name: 'later' });
    simulator.faults.add({ fault: { kind: 'reset' } });
    expect((await call('POST', '/reset')).status).toBe(200);
    expect(ids((await get(simulator, '/projects')).json.projects)).toEqual(['seeded']);
    expect(simulator.account.keys).toHaveLength(1);
    expect(simulator.requests).toHaveLength(1);
    expect(simulator.settings).toMatchObject({
      order: 'oldest-first',
      durations: { runningMs: 800 },
    });
    // New operations obey the settings that are there now.
    const operation = simulator.addOperation({ projectId: 'seeded', action: 'apply_config' });
    simulator.clock.advance(1000);
    expect(operation.status).toBe('finished');
    simulator.settings.durations.runningMs = 5000;
    const slow = simulator.addOperation({ projectId: 'seeded', action: 'apply_config' });
    simulator.clock.advance(1000);
    expect(slow.status).toBe('running');
  });

  test.each([
    ['POST', '/operations', { projectId: 'nowhere', action: 'x' }, 400, 'no project "nowhere"'],
    ['POST', '/faults', { match: {} }, 400, 'give {'],
    ['POST', '/faults', { fault: { kind: 'rain' } }, 400, 'not a kind of fault'],
    ['POST', '/clock', {}, 400, 'advanceMs'],
    ['PATCH', '/settings', { colour: 'blue' }, 400, 'not a setting'],
    ['GET', '/nowhere', undefined, 404, 'no such control'],
  ])('%s %s %j is told as an error', async (method, path, body, status, message) => {
    const reply = await (await control()).call(method, path, body);
    expect(reply).toMatchObject({ status, json: { error: expect.stringContaining(message) } });
  });
});

describe('the program', () => {
  test('says how to use it, does, and stops on Ctrl-C', async () => {
    const child = spawn(process.execPath, [program, '--port', '0', '--project-id', 'my-project']);
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    while (!printed.includes('More controls')) await once(child.stdout, 'data');
    const commands = printed.split('\n').filter((line) => line.startsWith('  curl'));
    expect(commands).toHaveLength(4);
    expect(printed).toContain('my-project');
    const [list, create, inject] = commands.map((command) => () => run('sh', ['-c', command]));
    expect(JSON.parse((await create?.())?.stdout ?? '').operations).toHaveLength(2);
    expect(JSON.parse((await list?.())?.stdout ?? '').operations).toHaveLength(3);
    await inject?.();
    expect(JSON.parse((await list?.())?.stdout ?? '')).toMatchObject({ code: 'SIMULATED_503' });
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('tells what is wrong with its flags, and --help which there are', async () => {
    const { port } = new URL((await simulate()).baseUrl);
    const wrong: [string[], string][] = [
      [['--port', 'x'], '--port is a whole number from 0 to 65535, not "x"'],
      [['--port', '70000'], '--port is a whole number'],
      [['--running-ms', '-1'], '--running-ms'],
      [['--nope'], "Unknown option '--nope'"],
      [['--project-id', 'A/B'], '--project-id is'],
      [['--port', port], 'the port is in use; choose another with --port\nSee --help.\n'],
    ];
    const outcomes = wrong.map(async ([flags, message]) => {
      await expect(run(process.execPath, [program, ...flags])).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
    });
    const { stdout } = await run(process.execPath, [program, '--help']);
    expect(stdout).toMatch(/--port NUMBER[\s\S]*--fail ACTION/);
    await Promise.all(outcomes);
  });
});
