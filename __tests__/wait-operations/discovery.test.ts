import { expect, test } from '@jest/globals';
import { scene } from '../support/scene.ts';

const HOUR = 3_600_000;

test.concurrent('waits until a branch is idle, and looks once more before it believes so', () =>
  scene({}, async ({ simulator, operation, projectId, branchId, wait }) => {
    const first = operation({ runningMs: 1500 });
    // Begins only after the first has ended: a look that shows the end does not show this one.
    const second = operation({
      action: 'start_compute',
      createdAt: simulator.clock.now() + 2100,
      runningMs: 3000,
    });
    const elsewhere = simulator.addOperation({
      projectId,
      action: 'apply_config',
      status: 'running',
    });
    const step = await wait({ 'project-id': projectId, 'branch-id': branchId });
    expect(step.outputs.result).toBe('finished');
    expect(step.ids.finished).toEqual([first.id, second.id]);
    expect(step.stdout).not.toContain(elsewhere.id);
  }));

test.concurrent('a fresh look comes at least a second after the one that showed the end', () =>
  scene({ lastPageCursor: 'none' }, async ({ simulator, operation, projectId, wait }) => {
    operation({ schedulingMs: 0, runningMs: 500 });
    const times: number[] = [];
    simulator.faults.add({ after: () => times.push(simulator.clock.now()) });
    const step = await wait({ 'project-id': projectId });
    expect(step.outputs.result).toBe('finished');
    expect(times).toHaveLength(3);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(1000);
  }));

test.concurrent('one that appears and fails between two looks is a failure', () =>
  scene({}, async ({ simulator, operation, projectId, branchId, wait }) => {
    operation({ runningMs: 1800 });
    const quick = operation({
      action: 'start_compute',
      createdAt: simulator.clock.now() + 1100,
      statuses: [{ afterMs: 0, status: 'failed', error: 'no memory' }],
    });
    const step = await wait({
      'project-id': projectId,
      'branch-id': branchId,
      'fail-fast': 'false',
    });
    expect(step.exitCode).toBe(1);
    expect(step.ids.failed).toEqual([quick.id]);
    expect(step.errors).toEqual([expect.stringContaining('no memory')]);
  }));

test.concurrent('failures of the past are the past', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    operation({ status: 'failed', createdAt: simulator.clock.now() - HOUR });
    const running = operation({ runningMs: 300 });
    const step = await wait({ 'project-id': projectId });
    expect(step.outputs.result).toBe('finished');
    expect(step.ids.finished).toEqual([running.id]);
  }));

test.concurrent('finding nothing ends well, and says what was looked for', () =>
  scene({}, async ({ projectId, wait }) => {
    const step = await wait({ 'project-id': projectId, 'branch-id': 'br-mistyped' });
    expect(step.exitCode).toBe(0);
    expect(step.outputs).toMatchObject({ result: 'finished', count: '0' });
    expect(step.warnings).toEqual([expect.stringMatching(/br-mistyped.*require-actions/)]);
  }));

test.concurrent('watches only the actions that are asked for', () =>
  scene({}, async ({ operation, projectId, wait }) => {
    const asked = operation({ action: 'start_compute', runningMs: 400 });
    operation({ action: 'check_availability', status: 'running' });
    const step = await wait({ 'project-id': projectId, actions: 'start_compute, create_branch' });
    expect(step.outputs.result).toBe('finished');
    expect(step.ids.finished).toEqual([asked.id]);
  }));

test.concurrent('a required action that is not listed yet is waited for', () =>
  scene({}, async ({ operation, projectId, branchId, wait }) => {
    const late = operation({ action: 'start_compute', visibleAfterMs: 4000, runningMs: 5000 });
    const inputs = { 'project-id': projectId, 'require-actions': 'start_compute' };
    const step = await wait({ ...inputs, 'branch-id': branchId });
    expect(step.outputs.result).toBe('finished');
    expect(step.ids.finished).toEqual([late.id]);
    expect(step.warnings).toEqual([]);
  }));

test.concurrent("yesterday's required action is not today's", () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    operation({
      action: 'start_compute',
      status: 'finished',
      createdAt: simulator.clock.now() - HOUR,
    });
    const inputs = { 'project-id': projectId, 'require-actions': 'start_compute' };
    const step = await wait({ ...inputs, timeout: '4s' });
    expect(step.exitCode).toBe(1);
    expect(step.outputs.result).toBe('timed-out');
    expect(step.errors).toEqual([
      expect.stringContaining('start_compute did not appear and finish'),
    ]);
    expect(step.warnings).toEqual([expect.stringContaining('another branch')]);
    const since = await wait({ ...inputs, since: '2h' });
    expect(since.outputs).toMatchObject({ result: 'finished', count: '1' });
  }));

test.concurrent('a required action that ended minutes ago counts, by its newest operation', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const now = simulator.clock.now();
    operation({ action: 'start_compute', status: 'failed', createdAt: now - 300_000 });
    const newest = operation({
      action: 'start_compute',
      status: 'finished',
      createdAt: now - 200_000,
    });
    const inputs = { 'project-id': projectId, 'require-actions': 'start_compute' };
    const green = await wait(inputs);
    expect(green.outputs.result).toBe('finished');
    expect(green.ids.finished).toEqual([newest.id]);
    const failed = operation({
      action: 'start_compute',
      status: 'failed',
      createdAt: now - 100_000,
    });
    const red = await wait(inputs);
    expect(red.outputs.result).toBe('failed');
    expect(red.ids.failed).toEqual([failed.id]);
  }));

test.concurrent('since also counts what had ended, by the clock of the service', () =>
  // The service is three hours ahead of the runner.
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    simulator.clock.advance(3 * HOUR);
    const now = simulator.clock.now();
    const recent = operation({ status: 'finished', createdAt: now - 5 * 60_000 });
    operation({ status: 'failed', createdAt: now - 30 * 60_000 });
    const step = await wait({ 'project-id': projectId, since: '15m' });
    expect(step.outputs.result).toBe('finished');
    expect(step.ids.finished).toEqual([recent.id]);
    const longer = await wait({ 'project-id': projectId, since: '40m' });
    expect(longer.outputs.result).toBe('failed');
    const moment = new Date(now - 40 * 60_000).toISOString().replace('Z', '');
    const absolute = await wait({ 'project-id': projectId, since: moment });
    expect(absolute.outputs.result).toBe('failed');
  }));

test.concurrent('what has been unfinished for days is not waited for, and named', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const stuck = operation({ status: 'running', createdAt: simulator.clock.now() - 30 * HOUR });
    const step = await wait({ 'project-id': projectId });
    expect(step.outputs).toMatchObject({ result: 'finished', count: '0' });
    expect(step.warnings).toContainEqual(expect.stringContaining(stuck.id));
    const longer = await wait({ 'project-id': projectId, since: '2d', timeout: '0' });
    expect(longer.ids.pending).toEqual([stuck.id]);
  }));

test.concurrent('an operation behind the edge of a page is not overlooked', () =>
  scene({ pageSize: { default: 10, max: 10, over: 'cap' } }, async (stage) => {
    const { simulator, operation, projectId, wait } = stage;
    const now = simulator.clock.now();
    for (let index = 0; index < 9; index += 1) {
      operation({ status: 'finished', createdAt: now - 1000 + index });
    }
    // The tenth and the eleventh share a moment: the cursor of the first page leads past the eleventh.
    const pair = [operation({ createdAt: now - 2000 }), operation({ createdAt: now - 2000 })];
    for (const one of pair) one.setStatus('running');
    operation({ status: 'finished', createdAt: now - 3000 });
    const overlooked = await wait({ 'project-id': projectId, timeout: '0' });
    expect(overlooked.outputs.result).toBe('timed-out');
    for (const one of pair) one.setStatus('finished');
    const behind = operation({ createdAt: now - 2000 });
    behind.setStatus('running');
    const step = await wait({ 'project-id': projectId, timeout: '3s' });
    expect(step.outputs.result).not.toBe('finished');
  }));

test.concurrent('stops reading where a service that lists newest first is past the window', () =>
  scene({ pageSize: { default: 100, max: 100, over: 'reject' } }, async (stage) => {
    const { simulator, operation, projectId, wait } = stage;
    const now = simulator.clock.now();
    for (let hour = 0; hour < 200; hour += 1) {
      operation({ status: 'finished', createdAt: now - hour * HOUR });
    }
    const inputs = { 'project-id': projectId, timeout: '0' };
    const newest = await wait(inputs);
    expect(newest.outputs).toMatchObject({ result: 'finished', requests: '2' });
    simulator.settings.order = 'oldest-first';
    const oldest = await wait(inputs);
    // A refused page size, two pages, one that is empty.
    expect(oldest.outputs.requests).toBe('4');
    expect(oldest.outputs.result).toBe('timed-out');
  }));

test.concurrent('one look is enough only if it is one page without anything unfinished', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    operation({ status: 'finished', createdAt: simulator.clock.now() - HOUR });
    const inputs = { 'project-id': projectId, timeout: '0' };
    expect((await wait(inputs)).outputs.result).toBe('finished');
    const running = operation({ status: 'running' });
    const step = await wait(inputs);
    expect(step.outputs).toMatchObject({ result: 'timed-out', 'pending-ids': `["${running.id}"]` });
  }));

test.concurrent('an end that only the last look shows is not idle', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const one = operation({ status: 'running' });
    simulator.faults.add({ after: () => one.setStatus('finished') });
    const step = await wait(
      { 'project-id': projectId, timeout: '0.6s' },
      { env: { TIME_LAPSE: '1' } },
    );
    expect(step.outputs).toMatchObject({ result: 'timed-out', 'finished-ids': `["${one.id}"]` });
    expect(step.errors).toEqual([expect.stringContaining('fresh look')]);
  }));

test.concurrent(
  'a listing that repeats itself ends, one that never ends is an error',
  () =>
    scene({ lastPageCursor: 'repeat' }, async ({ simulator, operation, projectId, wait }) => {
      operation({ runningMs: 300 });
      const step = await wait({ 'project-id': projectId });
      expect(step.outputs.result).toBe('finished');
      let page = 0;
      const transform = ({ operations: [one] }: { operations: object[] }) => {
        page += 1;
        const cursor = new Date(Date.UTC(2100, 0) + page).toISOString();
        return { operations: [{ ...one, id: `copy-${page}` }], pagination: { cursor } };
      };
      simulator.faults.add({ fault: { kind: 'transform', transform } });
      const endless = await wait(
        { 'project-id': projectId, timeout: '1d' },
        { env: { TIME_LAPSE: '100' } },
      );
      expect(endless.exitCode).toBe(1);
      expect(endless.errors).toEqual([expect.stringContaining('did not end after 1,000 pages')]);
    }),
  30_000,
);

test.concurrent('a project that does not exist is an error, by name', () =>
  scene({}, async ({ wait }) => {
    const step = await wait({ 'project-id': 'nowhere' });
    expect(step.outputs).toMatchObject({ result: 'failed', requests: '3' });
    expect(step.errors).toEqual([expect.stringContaining('Project nowhere')]);
    const once = await wait({ 'project-id': 'nowhere', timeout: '0' });
    expect(once.outputs).toMatchObject({ result: 'failed', requests: '1' });
  }));
