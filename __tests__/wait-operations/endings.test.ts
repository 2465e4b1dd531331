import { expect, test } from '@jest/globals';
import { scene } from '../support/scene.ts';

test.concurrent('times out with everything that is known', () =>
  scene({}, async ({ operation, projectId, wait }) => {
    const done = operation({ runningMs: 100 });
    const slow = operation({ action: 'start_compute', status: 'running' });
    const step = await wait({
      'project-id': projectId,
      'operation-ids': JSON.stringify([done.id, slow.id]),
      timeout: '4.5s',
    });
    expect(step.exitCode).toBe(1);
    expect(step.outputs.result).toBe('timed-out');
    expect(step.ids).toEqual({ finished: [done.id], failed: [], pending: [slow.id] });
    expect(JSON.parse(step.outputs.operations ?? '')).toHaveLength(2);
    expect(Number(step.outputs['elapsed-seconds'])).toBeGreaterThanOrEqual(4.5);
    expect(step.errors).toEqual([
      expect.stringMatching(/Timed out after 4.5s.*start_compute.*Raise timeout/),
    ]);
    expect(step.summary).toContain('timed out');
  }));

test.concurrent('looks a last time at the deadline, not before it', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const { id, setStatus } = operation({ status: 'running' });
    simulator.faults.add({ match: { nth: 1 }, after: () => setStatus('finished') });
    const inputs = { 'project-id': projectId, 'operation-ids': id };
    // Sooner than the second look would come.
    const step = await wait({ ...inputs, timeout: '0.7s' }, { env: { TIME_LAPSE: '1' } });
    expect(step.outputs).toMatchObject({ result: 'finished', requests: '2' });
    expect(Number(step.outputs['elapsed-seconds'])).toBeGreaterThanOrEqual(0.7);
  }));

test.concurrent.each([
  ['given', ''],
  ['found', 'start_compute'],
])('a last look that answers 404 does not undo what was seen before: %s', (kind, required) =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const ids = [operation({ status: 'running' }), operation({ status: 'running' })].map(
      (one) => one.id,
    );
    // A listing is followed to its end, with one more request.
    const after = kind === 'given' ? 1 : 2;
    simulator.faults.add({ match: { after }, fault: { kind: 'status', status: 404 } });
    const step = await wait({
      'project-id': projectId,
      ...(kind === 'given' ? { 'operation-ids': ids.join() } : { 'require-actions': required }),
      timeout: '1.6s',
    });
    expect(step.outputs.result).toBe('timed-out');
    expect(step.ids.pending.sort()).toEqual(ids.sort());
    expect(step.errors).toEqual([expect.stringMatching(/Timed out after 1.6s: .*is running.*404/)]);
  }),
);

test.concurrent('a project that was never found is said to be unknown', () =>
  scene({}, async ({ simulator, projectId, wait }) => {
    simulator.faults.add({ fault: { kind: 'status', status: 404 } });
    const step = await wait({ 'project-id': projectId, timeout: '0' });
    expect(step.outputs.result).toBe('failed');
    expect(step.errors).toEqual([expect.stringContaining('does not know project')]);
  }));

test.concurrent('outlives an outage that is shorter than its timeout, whatever max-retries says', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const { id } = operation({ runningMs: 500 });
    for (const status of [500, 503, 429, 423, 408, 425, 502, 504]) {
      simulator.faults.add({ match: { times: 1 }, fault: { kind: 'status', status } });
    }
    simulator.faults.add({ match: { times: 1 }, fault: { kind: 'reset' } });
    simulator.faults.add({ match: { times: 1 }, fault: { kind: 'cut' } });
    simulator.faults.add({ match: { times: 1 }, fault: { kind: 'truncated' } });
    simulator.faults.add({ match: { times: 1 }, fault: { kind: 'garbage' } });
    simulator.faults.add({
      match: { times: 1 },
      fault: { kind: 'status', status: 200, body: 'html' },
    });
    simulator.faults.add({
      match: { times: 1 },
      fault: { kind: 'status', status: 204, body: 'empty' },
    });
    simulator.faults.add({
      match: { times: 1 },
      fault: { kind: 'set', set: { 'operation.status': 5 } },
    });
    const step = await wait({
      'project-id': projectId,
      'operation-ids': id,
      'max-retries': '0',
      'poll-interval': '2s',
    });
    expect(step.outputs.result).toBe('finished');
    expect(step.outputs.requests).toBe('16');
    // One line for the outage, one for its end.
    expect(step.log.filter((line) => line.includes('Still looking'))).toHaveLength(1);
    expect(step.log.filter((line) => line.includes('answers again'))).toHaveLength(1);
  }));

test.concurrent('never green over answers that do not come', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    operation({ status: 'finished' });
    const inputs = { 'project-id': projectId, timeout: '6s', 'request-timeout': '2s' };
    for (const fault of [
      { kind: 'cut' },
      { kind: 'cut', chunked: true },
      { kind: 'hang' },
      { kind: 'headers-only' },
      { kind: 'half-close' },
      { kind: 'drip', forever: true, everyMs: 5 },
    ] as const) {
      const { remove } = simulator.faults.add({ fault });
      const step = await wait(inputs);
      expect([fault.kind, step.exitCode, step.outputs.result]).toEqual([
        fault.kind,
        1,
        'timed-out',
      ]);
      expect(Number(step.outputs['elapsed-seconds'])).toBeLessThan(6 + 2 + 1);
      remove();
    }
  }));

test.concurrent('waits as long as the service asks; beyond the deadline it looks at the deadline', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const { id } = operation({ schedulingMs: 0, runningMs: 2000 });
    const times: number[] = [];
    simulator.faults.add({ before: () => void times.push(simulator.clock.now()) });
    const busy = (retryAfter: number) =>
      simulator.faults.add({
        match: { times: 1 },
        fault: { kind: 'status', status: 429, retryAfter },
      });
    busy(5);
    const inputs = { 'project-id': projectId, 'operation-ids': id };
    const step = await wait(inputs);
    expect(step.outputs).toMatchObject({ result: 'finished', requests: '2' });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(5000);
    busy(5);
    const patient = await wait({ ...inputs, 'max-retries': '0' });
    expect(patient.outputs).toMatchObject({ result: 'finished', requests: '2' });
    expect((times[3] ?? 0) - (times[2] ?? 0)).toBeGreaterThanOrEqual(5000);
    busy(86_400);
    const late = await wait({ ...inputs, timeout: '3s' });
    expect(late.outputs).toMatchObject({ result: 'finished', requests: '2' });
    expect(Number(late.outputs['elapsed-seconds'])).toBeGreaterThanOrEqual(3);
  }));

test.concurrent(
  'ends at once where asking again does not help',
  () =>
    scene({}, async ({ simulator, operation, projectId, wait }) => {
      const { id } = operation();
      const elsewhere = await fetch(simulator.baseUrl).then(() => simulator.baseUrl);
      simulator.requests.length = 0;
      const cases = [
        [{ kind: 'status', status: 401 }, /api-key/],
        [{ kind: 'echo-key', status: 401 }, /\*\*\*/],
        [{ kind: 'status', status: 403, message: 'not yours' }, /403 \(not yours/],
        [{ kind: 'status', status: 400 }, /400/],
        [{ kind: 'status', status: 409 }, /409/],
        [
          { kind: 'redirect', location: `${elsewhere}/projects`, status: 302 },
          /Redirects are not followed/,
        ],
        [{ kind: 'redirect', location: `${elsewhere}/projects`, status: 307 }, /base-url/],
        [{ kind: 'huge', bytes: 33 * 1024 * 1024 }, /32 MiB/],
      ] as const;
      for (const [fault, message] of cases) {
        const { remove } = simulator.faults.add({ fault });
        const step = await wait({ 'project-id': projectId, 'operation-ids': id });
        expect([fault, step.outputs.result, step.outputs.requests]).toEqual([fault, 'failed', '1']);
        expect(step.errors).toEqual([expect.stringMatching(message)]);
        expect(step.ids.pending).toEqual([id]);
        remove();
      }
    }),
  30_000,
);

test.concurrent('a key that is revoked half-way ends the wait', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const { id } = operation({ status: 'running' });
    simulator.faults.add({ match: { after: 2 }, fault: { kind: 'status', status: 401 } });
    const step = await wait({ 'project-id': projectId, 'operation-ids': id });
    expect(step.outputs).toMatchObject({ result: 'failed', requests: '3' });
    expect(step.annotations[0]?.properties.title).toBe('Wrong API key');
  }));

test.concurrent.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends the wait within a second, with its outputs',
  (signal) =>
    scene({}, async ({ operation, projectId, wait }) => {
      const { id } = operation({ status: 'running' });
      let at = 0;
      const step = await wait(
        { 'project-id': projectId, 'operation-ids': id },
        {
          // In the machine's own time.
          env: { TIME_LAPSE: '1' },
          signalAfter: {
            signal,
            when: (line) => {
              const begun = line.includes('running');
              if (begun) at = performance.now();
              return begun;
            },
          },
        },
      );
      expect(performance.now() - at).toBeLessThan(1000);
      expect(step.exitCode).toBe(1);
      expect(step.signal).toBeNull();
      expect(step.outputs.result).toBe('cancelled');
      expect(step.ids).toEqual({ finished: [], failed: [], pending: [id] });
      expect(step.errors).toEqual([expect.stringContaining('Cancelled')]);
      expect(step.summary).toContain('cancelled');
    }),
);

test.concurrent('is cancelled also while the service does not answer', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    operation({ status: 'running' });
    simulator.faults.add({ fault: { kind: 'hang' } });
    const step = await wait(
      { 'project-id': projectId },
      { env: { TIME_LAPSE: '1' }, signalAfter: { signal: 'SIGTERM', when: 700 } },
    );
    expect(step.outputs.result).toBe('cancelled');
    expect(step.durationMs).toBeLessThan(1700);
  }));

test.concurrent('shows a sign of life, and no wall of looks', () =>
  scene({}, async ({ operation, projectId, wait }) => {
    const { id } = operation({ status: 'running' });
    const step = await wait({ 'project-id': projectId, 'operation-ids': id, timeout: '65s' });
    expect(Number(step.outputs.requests)).toBeGreaterThan(10);
    expect(step.log.filter((line) => line.includes('Still waiting'))).toHaveLength(2);
    expect(step.log.length).toBeLessThan(8);
  }));

test.concurrent('a refusal says what to do next', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const { id } = operation({ status: 'running' });
    simulator.faults.add({ fault: { kind: 'status', status: 403 } });
    const step = await wait({ 'project-id': projectId, 'operation-ids': id });
    expect(step.annotations[0]).toMatchObject({
      message: expect.stringMatching(/403.* Check base-url, and what the key may do\.$/),
      properties: { title: 'The service refused' },
    });
  }));
