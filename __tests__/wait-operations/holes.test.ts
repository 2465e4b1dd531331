import { expect, test } from '@jest/globals';
import { type Scene, scene } from '../support/scene.ts';

const HOUR = 3_600_000;

/** Operations of an earlier hour, none of them in the same moment. */
function history({ simulator, operation }: Scene, count: number): number {
  const begin = simulator.clock.now() - HOUR;
  for (let index = 0; index < count; index += 1) {
    operation({ status: 'finished', createdAt: begin - index * 1000 });
  }
  return begin;
}

test.concurrent('an operation behind the edge of the last page is not overlooked', () =>
  scene({}, async (stage) => {
    const { simulator, operation, projectId, wait } = stage;
    const begin = history(stage, 999);
    const oldest = begin - 1000 * 1000;
    // The thousandth ends the first page; the one behind it shares its moment, and the second page is empty.
    const [first, second] = [operation({ createdAt: oldest }), operation({ createdAt: oldest })];
    for (const one of [first, second]) one.setStatus('finished');
    const listed = await fetch(`${simulator.baseUrl}/projects/${projectId}/operations?limit=1000`, {
      headers: { authorization: `Bearer ${simulator.apiKey}` },
    }).then((answer) => answer.json() as Promise<{ operations: { id: string }[] }>);
    const hidden = listed.operations.at(-1)?.id === first.id ? second : first;
    hidden.setStatus('running');
    const once = await wait({ 'project-id': projectId, timeout: '0' });
    expect(once.outputs.result).toBe('timed-out');
    const step = await wait({ 'project-id': projectId, timeout: '8s' });
    expect(step.outputs).toMatchObject({ result: 'timed-out', 'pending-ids': `["${hidden.id}"]` });
  }));

test.concurrent('nor is one behind the edge of pages that are smaller than asked for', () =>
  scene(
    { pageSize: { default: 100, max: 100, over: 'cap' }, order: 'oldest-first' },
    async (stage) => {
      const { simulator, operation, projectId, wait } = stage;
      history(stage, 99);
      const now = simulator.clock.now() - 1000;
      const twins = [operation({ createdAt: now }), operation({ createdAt: now })];
      for (const one of twins) one.setStatus('finished');
      const listed = await fetch(
        `${simulator.baseUrl}/projects/${projectId}/operations?limit=100`,
        {
          headers: { authorization: `Bearer ${simulator.apiKey}` },
        },
      ).then((answer) => answer.json() as Promise<{ operations: { id: string }[] }>);
      const hidden = twins.find(({ id }) => id !== listed.operations.at(-1)?.id);
      hidden?.setStatus('running');
      const step = await wait({ 'project-id': projectId, timeout: '8s' });
      expect(step.outputs).toMatchObject({
        result: 'timed-out',
        'pending-ids': `["${hidden?.id}"]`,
      });
    },
  ));

test.concurrent('an age counts by the service’s clock, also where the runner’s is three days late', () =>
  scene({}, async ({ simulator, operation, projectId, branchId, wait }) => {
    simulator.clock.advance(3 * 24 * HOUR);
    const createdAt = simulator.clock.now() - HOUR;
    operation({ createdAt, status: 'finished' });
    const inputs = { 'project-id': projectId, 'branch-id': branchId, timeout: '1.5s' };
    const old = await wait({ ...inputs, 'require-actions': 'create_branch' });
    expect(old.outputs.result).toBe('timed-out');
    operation({ createdAt, action: 'start_compute', status: 'running' });
    const running = await wait(inputs);
    expect(running.outputs.result).toBe('timed-out');
    expect(running.ids.pending).toHaveLength(1);
  }));

test.concurrent('a required action of yesterday does not count when it is listed late', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    operation({
      action: 'start_compute',
      status: 'finished',
      createdAt: simulator.clock.now() - 20 * HOUR,
      visibleAfterMs: 20 * HOUR + 1500,
    });
    const inputs = { 'project-id': projectId, 'require-actions': 'start_compute', timeout: '4s' };
    const step = await wait(inputs);
    expect(step.outputs.result).toBe('timed-out');
  }));

test.concurrent('nor one whose age cannot be read', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    operation({ action: 'start_compute', status: 'finished' });
    const set = { 'operations.0.created_at': 'the day before yesterday' };
    simulator.faults.add({ fault: { kind: 'set', set } });
    const inputs = { 'project-id': projectId, 'require-actions': 'start_compute', timeout: '3s' };
    const step = await wait(inputs);
    expect(step.outputs.result).toBe('timed-out');
  }));

test.concurrent('a clock of the service that stands in 1970 makes nothing recent', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const createdAt = simulator.clock.now() - 20 * HOUR;
    operation({ action: 'start_compute', status: 'finished', createdAt });
    const headers = { date: 'Thu, 01 Jan 1970 00:00:00 GMT' };
    simulator.faults.add({ fault: { kind: 'headers', headers } });
    const inputs = { 'project-id': projectId, 'require-actions': 'start_compute', timeout: '2s' };
    const step = await wait(inputs);
    expect(step.outputs.result).toBe('timed-out');
  }));

test.concurrent('a failure that counted is not taken back', () =>
  scene({}, async ({ operation, projectId, wait }) => {
    const flaps = operation({
      statuses: [
        { afterMs: 0, status: 'running' },
        { afterMs: 1500, status: 'failed' },
        { afterMs: 9500, status: 'finished' },
      ],
    });
    operation({ runningMs: 13_000 });
    const step = await wait({ 'project-id': projectId, 'fail-fast': 'false' });
    expect(step.exitCode).toBe(1);
    expect(step.ids.failed).toEqual([flaps.id]);
  }));

test.concurrent('a required action that failed ends the wait, with fail-fast or without', () =>
  scene({}, async ({ operation, projectId, wait }) => {
    operation({ action: 'start_compute', status: 'failed' });
    const inputs = { 'project-id': projectId, 'require-actions': 'start_compute' };
    const step = await wait({ ...inputs, 'fail-fast': 'false' });
    expect(step.outputs.result).toBe('failed');
    expect(Number(step.outputs['elapsed-seconds'])).toBeLessThan(20);
  }));

test.concurrent('a few operations in order do not prove that the newest come first', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const now = simulator.clock.now();
    operation({ status: 'finished', createdAt: now - 9000 });
    operation({ status: 'finished', createdAt: now - 30 * HOUR });
    const running = operation({ status: 'running', createdAt: now - 5000 });
    let pages = 0;
    simulator.faults.add({
      fault: {
        kind: 'transform',
        transform: (body: { operations: { id: string }[] }) => {
          pages += 1;
          const isRunning = ({ id }: { id: string }) => id === running.id;
          return pages % 2 === 1
            ? {
                operations: body.operations.filter((one) => !isRunning(one)),
                pagination: { cursor: new Date(now).toISOString() },
              }
            : { operations: [running], pagination: {} };
        },
      },
    });
    const step = await wait({ 'project-id': projectId, timeout: '0' });
    expect(step.ids.pending).toEqual([running.id]);
  }));

test.concurrent('a key that a service echoes in its data is nowhere, in whatever form', () =>
  scene(
    { apiKey: 'n.k+abc/def=gh:i~j"k\\l'.padEnd(60, 'xyz') },
    async ({ simulator, operation, projectId, wait }) => {
      const { apiKey } = simulator;
      const { id } = operation({
        status: 'failed',
        action: `do_${apiKey}`,
        error: `${'x'.repeat(280)} ${apiKey}`,
        extra: { [apiKey]: [apiKey], url: encodeURIComponent(apiKey) },
      });
      // The scene searches everything that the step left behind.
      const step = await wait({ 'project-id': projectId, 'operation-ids': id });
      expect(step.outputs.result).toBe('failed');
      expect(step.outputs.operations).toContain('***');
      const mistaken = await wait({
        'project-id': apiKey,
        operations: `{"error":"${apiKey.slice(0, 20)}"}`,
      });
      expect(mistaken.errors).toEqual([expect.stringContaining('project-id: "***"')]);
    },
  ));

test.concurrent('a time-out says what the last fault of the service was', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const { id } = operation({ status: 'running' });
    const inputs = { 'project-id': projectId, 'operation-ids': id, timeout: '15s' };
    const { remove } = simulator.faults.add({
      fault: { kind: 'status', status: 429, retryAfter: 500, message: 'too many requests' },
    });
    const limited = await wait(inputs);
    expect(limited.errors).toEqual([expect.stringMatching(/Timed out.*429.*too many requests/)]);
    expect(limited.log.filter((line) => line.includes('Still looking'))).toHaveLength(1);
    remove();
    const refused = await wait({
      ...inputs,
      'base-url': 'http://127.0.0.1:1/api/v2',
      timeout: '0',
    });
    expect(refused.errors).toEqual([expect.stringContaining('ECONNREFUSED')]);
    expect(refused.errors[0]).not.toContain('Raise timeout');
  }));

test.concurrent('does not hurry once the grace of a failure is over', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const { id } = operation({ status: 'failed' });
    simulator.faults.add({ match: { after: 1 }, fault: { kind: 'status', status: 503 } });
    const step = await wait({
      'project-id': projectId,
      'operation-ids': id,
      'failed-grace': '2s',
      'max-retries': '0',
      timeout: '20s',
    });
    expect(step.outputs.result).toBe('timed-out');
    expect(Number(step.outputs.requests)).toBeLessThan(18);
  }));

test.concurrent('an id that the JSON names counts once, in the project that the JSON names', () =>
  scene({}, async ({ operation, projectId, wait }) => {
    const { id } = operation({ status: 'finished' });
    const operations = JSON.stringify([{ id, project_id: projectId }]);
    const step = await wait({ operations, 'operation-ids': id, 'project-id': 'other' });
    expect(step.outputs).toMatchObject({ result: 'finished', count: '1' });
  }));

test.concurrent('a service that writes an id in small letters means the same operation', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const { id } = operation({ id: 'ABCDEF', status: 'finished' });
    simulator.faults.add({ fault: { kind: 'set', set: { 'operation.id': 'abcdef' } } });
    const step = await wait({ 'project-id': projectId, 'operation-ids': id });
    expect(step.outputs).toMatchObject({ result: 'finished', 'finished-ids': '["ABCDEF"]' });
  }));

test.concurrent('one operation of the history that is out of shape does not hide the others', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const watched = [operation(), operation()];
    operation({ status: 'finished', createdAt: simulator.clock.now() - HOUR });
    simulator.faults.add({
      match: { path: '/projects/*/operations' },
      fault: { kind: 'set', set: { 'operations.2.updated_at': null } },
    });
    const step = await wait({
      'project-id': projectId,
      'operation-ids': watched.map(({ id }) => id).join(' '),
      'max-retries': '1',
    });
    expect(step.outputs.result).toBe('finished');
  }));

test.concurrent('a variable that looks like the state of a main step does not skip it', () =>
  scene({}, async ({ operation, projectId, wait }) => {
    const { id } = operation({ status: 'failed' });
    const env = { 'STATE_cloud-database-control-main': 'true', TIME_LAPSE: '1' };
    const step = await wait({ 'project-id': projectId, 'operation-ids': id }, { env });
    expect(step.exitCode).toBe(1);
    expect(step.outputs.result).toBe('failed');
  }));

test.concurrent('a finished operation that runs again is not finished', () =>
  // One request a look.
  scene({ lastPageCursor: 'none' }, async ({ simulator, operation, projectId, wait }) => {
    const flaps = operation({ status: 'running' });
    // The second look shows the end, the fresh look after it that there was none.
    simulator.faults.add({ match: { nth: 1 }, after: () => flaps.setStatus('finished') });
    simulator.faults.add({ match: { nth: 2 }, after: () => flaps.setStatus('running') });
    const step = await wait({ 'project-id': projectId, timeout: '12s' });
    expect(step.outputs).toMatchObject({ result: 'timed-out', 'pending-ids': `["${flaps.id}"]` });
  }));

test.concurrent('a last look right after the one that showed the end is no fresh look', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const one = operation({ status: 'running' });
    // The second look shows the end; the deadline comes less than a second later.
    simulator.faults.add({ match: { nth: 1 }, after: () => one.setStatus('finished') });
    const step = await wait(
      { 'project-id': projectId, timeout: '1.4s' },
      { env: { TIME_LAPSE: '1' } },
    );
    expect(step.outputs).toMatchObject({ result: 'timed-out', 'finished-ids': `["${one.id}"]` });
  }));

test.concurrent("one project's Retry-After hides nothing of another's", () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const bad = operation({ schedulingMs: 0, runningMs: 100, outcome: 'failed' });
    const other = simulator.addProject({ id: 'other-1' });
    const slow = simulator.addOperation({ projectId: other.id, action: 'x', status: 'running' });
    simulator.faults.add({
      match: { path: '/projects/other-1/operations/*' },
      fault: { kind: 'status', status: 429, retryAfter: 100 },
    });
    bad.setStatus('failed');
    const step = await wait({
      operations: JSON.stringify([
        { id: bad.id, project_id: projectId },
        { id: slow.id, project_id: other.id },
      ]),
    });
    expect(step.ids.failed).toEqual([bad.id]);
    expect(Number(step.outputs['elapsed-seconds'])).toBeLessThan(100);
  }));
