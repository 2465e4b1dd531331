import { expect, test } from '@jest/globals';
import { scene } from '../support/scene.ts';

/** The body of an answer that started these operations. */
function body(...operations: unknown[]): string {
  return JSON.stringify({ branch: { id: 'br-new-1' }, connection_uris: ['secret'], operations });
}

test.concurrent('waits for what a branch creation answered, and says all it saw', () =>
  scene({}, async ({ simulator, projectId, wait, paths }) => {
    const answer = await fetch(`${simulator.baseUrl}/projects/${projectId}/branches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${simulator.apiKey}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const text = await answer.text();
    const ids = JSON.parse(text).operations.map(({ id }: { id: string }) => id);
    simulator.requests.length = 0;
    const step = await wait(
      { 'operations-file': 'branch.json' },
      { workspaceFiles: { 'branch.json': `\ufeff${text}` } },
    );
    expect(step.exitCode).toBe(0);
    expect(step.outputs.result).toBe('finished');
    expect(step.ids).toEqual({ finished: ids, failed: [], pending: [] });
    expect(step.outputs.count).toBe('2');
    expect(Number(step.outputs.requests)).toBe(simulator.requests.length);
    expect(Number(step.outputs['elapsed-seconds'])).toBeGreaterThan(0);
    const operations = JSON.parse(step.outputs.operations ?? '');
    expect(operations.map(({ status }: { status: string }) => status)).toEqual([
      'finished',
      'finished',
    ]);
    expect(operations[0].total_duration_ms).toBeGreaterThan(0);
    expect(new Set(paths())).toContain(`/projects/${projectId}/operations`);
    expect(step.summary).toContain('The database is ready');
    expect(step.summary).toContain('```mermaid');
    // Nothing of the body but the operations is shown: it carries passwords.
    const password = JSON.parse(text).connection_uris[0].connection_uri;
    expect(password).toContain('postgres');
    expect(step.stdout + step.stderr + step.summary).not.toContain(password);
    expect(step.post?.stdout).toBe('');
  }));

test.concurrent('needs no request for operations that had ended', () =>
  scene({}, async ({ wait, paths }) => {
    const done = { id: 'o1', project_id: 'p1', status: 'finished', action: 'create_branch' };
    const skipped = { id: 'o2', project_id: 'p2', status: 'skipped' };
    const step = await wait({ operations: body(done, skipped, done) });
    expect(step.outputs).toMatchObject({ result: 'finished', count: '2', requests: '0' });
    expect(step.exitCode).toBe(0);
    expect(paths()).toEqual([]);
    const failed = await wait({
      operations: body(done, { id: 'o3', project_id: 'p', status: 'failed' }),
    });
    expect(failed.exitCode).toBe(1);
    expect(failed.outputs).toMatchObject({ result: 'failed', 'failed-ids': '["o3"]' });
    expect(paths()).toEqual([]);
  }));

test.concurrent('an empty list is nothing to wait for, and says so', () =>
  scene({}, async ({ wait, paths }) => {
    const step = await wait({ operations: '{"operations":[]}' });
    expect(step.outputs).toMatchObject({ result: 'finished', count: '0' });
    expect(step.warnings).toEqual([expect.stringContaining('is empty')]);
    expect(paths()).toEqual([]);
  }));

test.concurrent('reads one operation by its id, from the first look on', () =>
  scene({}, async ({ operation, projectId, wait, paths }) => {
    const { id } = operation({ runningMs: 2500 });
    const step = await wait({ 'project-id': projectId, 'operation-ids': id });
    expect(step.outputs.result).toBe('finished');
    expect(paths().length).toBeGreaterThan(1);
    expect(new Set(paths())).toEqual(new Set([`/projects/${projectId}/operations/${id}`]));
  }));

test.concurrent('waits across projects, each read in the cheaper way', () =>
  scene({}, async ({ simulator, operation, projectId, wait, paths }) => {
    const other = simulator.addProject({ id: 'other-1' });
    const lone = simulator.addOperation({ projectId: other.id, action: 'apply_config' });
    const many = Array.from({ length: 3 }, () => operation());
    const step = await wait({ operations: JSON.stringify([lone, ...many, lone]) });
    expect(step.outputs).toMatchObject({ result: 'finished', count: '4' });
    expect(paths().slice(0, 2).sort()).toEqual([
      `/projects/${other.id}/operations/${lone.id}`,
      `/projects/${projectId}/operations`,
    ]);
  }));

test.concurrent('a look at a thousand operations costs no more than the pages of the listing', () =>
  scene({ pageSize: { default: 100, max: 100, over: 'reject' } }, async (stage) => {
    const { operation, simulator, wait } = stage;
    const operations = Array.from({ length: 1000 }, (_, index) =>
      operation({ createdAt: simulator.clock.now() - index * 10, status: 'running' }),
    );
    // More than an environment variable takes: that is what the file is for.
    const workspaceFiles = { 'all.json': JSON.stringify(operations) };
    const step = await wait({ 'operations-file': 'all.json', timeout: '0' }, { workspaceFiles });
    expect(step.ids.pending).toHaveLength(1000);
    // One answered 400, because this service's pages are smaller, then ten.
    expect(simulator.requests.map(({ status }) => status)).toEqual([400, ...Array(10).fill(200)]);
  }));

test.concurrent('an operation that the listing does not show is read by its id', () =>
  scene({}, async ({ operation, wait, paths, projectId }) => {
    const shown = operation();
    const hidden = operation({ action: 'start_compute', visibleAfterMs: 3_600_000 });
    const step = await wait({ operations: body(shown, hidden) });
    expect(step.ids.finished).toEqual([shown.id, hidden.id]);
    expect(paths()).toContain(`/projects/${projectId}/operations/${hidden.id}`);
  }));

test.concurrent('an operation that does not exist is an error after three looks, by name', () =>
  scene({}, async ({ operation, wait, projectId, paths }) => {
    const { id } = operation({ status: 'running' });
    const step = await wait({ 'project-id': projectId, 'operation-ids': 'nobody' });
    expect(step.exitCode).toBe(1);
    expect(step.errors).toEqual([expect.stringMatching(/nobody.*quiet-sea-12345678.*404/)]);
    expect(step.outputs).toMatchObject({ result: 'failed', 'pending-ids': '["nobody"]' });
    expect(paths()).toHaveLength(3);
    const both = await wait({ 'project-id': projectId, 'operation-ids': `${id} nobody` });
    expect(both.errors).toEqual([expect.stringContaining('nobody')]);
    expect(both.ids.pending).toEqual([id, 'nobody']);
    // With one look there are no three, but what was never found is not merely slow.
    const once = await wait({ 'project-id': projectId, 'operation-ids': 'nobody', timeout: '0' });
    expect(once.outputs.result).toBe('failed');
    expect(once.outputs.requests).toBe('1');
  }));

test.concurrent('a project that does not exist is an error after three looks, by name', () =>
  scene({}, async ({ wait, paths }) => {
    const step = await wait({ 'project-id': 'nowhere', 'operation-ids': 'a, b, c' });
    expect(step.errors).toEqual([expect.stringContaining('Project nowhere was not found')]);
    expect(step.outputs.result).toBe('failed');
    expect(paths()).toHaveLength(3);
  }));

test.concurrent('stops at the first failure, or waits for all before it fails', () =>
  scene({}, async ({ operation, wait, projectId }) => {
    const bad = operation({ outcome: 'failed', runningMs: 100, error: 'no space left' });
    const slow = operation({ runningMs: 6000 });
    const inputs = { 'project-id': projectId, 'operation-ids': `${bad.id},${slow.id}` };
    const fast = await wait(inputs);
    expect(fast.outputs.result).toBe('failed');
    expect(fast.ids).toEqual({ finished: [], failed: [bad.id], pending: [slow.id] });
    expect(fast.errors).toEqual([expect.stringMatching(new RegExp(`${bad.id}.*no space left`))]);
    const patient = await wait({ ...inputs, 'fail-fast': 'false' });
    expect(patient.exitCode).toBe(1);
    expect(patient.ids).toEqual({ finished: [slow.id], failed: [bad.id], pending: [] });
  }));

test.concurrent('with failed-grace a failure counts only if it stays', () =>
  scene({}, async ({ operation, wait, projectId }) => {
    const course = [
      { afterMs: 0, status: 'running' },
      { afterMs: 1500, status: 'failed' },
      { afterMs: 6000, status: 'running' },
      { afterMs: 8000, status: 'finished' },
    ];
    const recovers = operation({ statuses: course });
    const inputs = { 'project-id': projectId, 'operation-ids': recovers.id };
    const green = await wait({ ...inputs, 'failed-grace': '20s' });
    expect(green.outputs.result).toBe('finished');
    expect(green.log.join('\n')).toContain('failed-grace');
    const stays = operation({ status: 'error' });
    const red = await wait({ ...inputs, 'operation-ids': stays.id, 'failed-grace': '4s' });
    expect(red.outputs).toMatchObject({ result: 'failed', 'failed-ids': `["${stays.id}"]` });
    expect(Number(red.outputs['elapsed-seconds'])).toBeGreaterThanOrEqual(4);
    const cancelled = operation({ status: 'cancelled' });
    const now = await wait({ ...inputs, 'operation-ids': cancelled.id, 'failed-grace': '1h' });
    expect(now.outputs).toMatchObject({ result: 'failed', requests: '1' });
    const unsure = await wait({
      ...inputs,
      'operation-ids': stays.id,
      'failed-grace': '1h',
      timeout: '3s',
    });
    expect(unsure.outputs).toMatchObject({ result: 'timed-out', 'pending-ids': `["${stays.id}"]` });
    const given = await wait({ operations: body(stays), 'failed-grace': '1s' });
    expect(given.outputs.result).toBe('failed');
    expect(Number(given.outputs.requests)).toBeGreaterThan(0);
  }));

test.concurrent('knows the statuses of the field, and takes an unknown one for unfinished', () =>
  scene({}, async ({ operation, wait, projectId }) => {
    const course = (...statuses: string[]) =>
      statuses.map((status, index) => ({ afterMs: index * 1500, status }));
    const odd = operation({ statuses: course('dreaming', 'cancelling', 'dreaming', 'skipped') });
    const step = await wait({ 'project-id': projectId, 'operation-ids': odd.id });
    expect(step.outputs.result).toBe('finished');
    expect(step.warnings).toEqual([expect.stringContaining('"dreaming"')]);
    expect(step.log.join('\n')).toContain('skipped (counts as finished)');
    const error = operation({ status: 'error' });
    const failed = await wait({ 'project-id': projectId, 'operation-ids': error.id });
    expect(failed.outputs.result).toBe('failed');
  }));
