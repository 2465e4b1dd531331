import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { NO_OUTPUTS } from '../support/listing.ts';
import { scene } from '../support/scene.ts';

/** Loads a sabotage into the process of the committed bundle, in the machine's own time. */
function sabotaged(name: string) {
  const path = fileURLToPath(new URL(`sabotage/${name}.mjs`, import.meta.url));
  return { nodeArgs: ['--import', path], env: { TIME_LAPSE: '1' } };
}

/** Outputs are there for the steps behind, whatever happened. */
const BROKEN_OFF = { result: 'failed', 'finished-ids': '[]', 'failed-ids': '[]' };

test.concurrent.each([
  ['callback', 'sabotage in a callback'],
  ['rejection', 'sabotage in a promise'],
  ['exit', 'it stopped before it was decided'],
  ['never', 'it stopped before it was decided'],
])('a step that breaks off fails: %s', (name, message) =>
  scene({}, async ({ operation, projectId, wait }) => {
    const { id } = operation({ status: 'running' });
    const inputs = { 'project-id': projectId, 'operation-ids': id };
    const step = await wait(inputs, sabotaged(name));
    expect(step.exitCode).toBe(1);
    expect(step.outputs).toMatchObject({ ...BROKEN_OFF, 'pending-ids': `["${id}"]`, count: '1' });
    expect(step.errors).toEqual([expect.stringContaining(message)]);
    expect(step.post).toBeUndefined();
  }),
);

test.concurrent('an answer whose end never comes is no answer', () =>
  scene({}, async ({ operation, projectId, wait }) => {
    operation({ status: 'finished' });
    const inputs = { 'project-id': projectId, timeout: '1s', 'request-timeout': '0.4s' };
    const step = await wait(inputs, sabotaged('cut-body'));
    expect(step.exitCode).toBe(1);
    expect(step.outputs.result).toBe('timed-out');
  }));

// Where there are no such pipes (Windows) there is nothing to show it with.
if (process.platform !== 'win32') {
  test.concurrent('a thread that is stuck in a lookup does not keep a failed step', () =>
    scene({}, async ({ operation, projectId, wait }) => {
      const { id } = operation({ status: 'running' });
      let endedAt = Number.NaN;
      let toldAt = Number.NaN;
      const inputs = { 'project-id': projectId, 'operation-ids': id, timeout: '0' };
      const step = await wait(inputs, {
        ...sabotaged('stuck-thread'),
        onSpawn: (child) => {
          child.stdout?.on('data', () => {
            toldAt = performance.now();
          });
          child.once('exit', () => {
            endedAt = performance.now();
          });
        },
      });
      expect(step.exitCode).toBe(1);
      expect(step.outputs).toMatchObject({ result: 'timed-out', 'pending-ids': `["${id}"]` });
      expect(step.errors).toEqual([expect.stringContaining('running')]);
      expect(endedAt - toldAt).toBeLessThan(1000);
    }));
}

test.concurrent('nothing that was sabotaged would have failed by itself', () =>
  scene({}, async ({ operation, projectId, wait }) => {
    const { id } = operation({ status: 'finished' });
    const inputs = { 'project-id': projectId, 'operation-ids': id };
    const step = await wait(inputs, { env: { TIME_LAPSE: '1' } });
    expect(step.exitCode).toBe(0);
  }));

test.concurrent('a post step does nothing, also behind a main step that failed', () =>
  scene({}, async ({ simulator, wait }) => {
    const failed = await wait({ 'project-id': 'nowhere', timeout: '0' }, { continueOnError: true });
    expect(failed.exitCode).toBe(1);
    const { length } = simulator.requests;
    expect(length).toBe(1);
    expect(failed.post).toMatchObject({ exitCode: 0, stdout: '', outputs: {} });
  }));

test.concurrent.each([
  ['callback', 'sabotage in a callback'],
  ['rejection', 'sabotage in a promise'],
  ['exit', 'it stopped before it was decided'],
  ['never', 'it stopped before it was decided'],
])('a listing that breaks off fails, and its outputs are no empty listing: %s', (name, message) =>
  scene({}, async ({ simulator, wait }) => {
    simulator.faults.add({ fault: { kind: 'delay', ms: 1500 } });
    const step = await wait({ mode: 'list-projects' }, sabotaged(name));
    expect(step.exitCode).toBe(1);
    expect(step.outputs).toEqual(NO_OUTPUTS);
    expect(step.errors).toEqual([expect.stringContaining(message)]);
  }),
);

test.concurrent('bad inputs are named in one error, before any request', () =>
  scene({}, async ({ simulator, wait }) => {
    const step = await wait({ timeout: 'soon', 'poll-interval': '0.5s', 'project-id': '../keys' });
    expect(step.exitCode).toBe(1);
    expect(step.errors).toHaveLength(1);
    for (const name of ['timeout', 'poll-interval', 'project-id']) {
      expect(step.errors[0]).toMatch(new RegExp(`- ${name}: .*Allowed: .*Example: `));
    }
    expect(step.outputs).toMatchObject({ ...BROKEN_OFF, 'pending-ids': '[]', requests: '0' });
    expect(simulator.requests).toEqual([]);
  }));

test.concurrent('with debug logging it says why it tries again, and still no key', () =>
  scene({}, async ({ simulator, operation, projectId, wait }) => {
    const { id } = operation({ status: 'finished' });
    simulator.faults.add({ match: { times: 2 }, fault: { kind: 'echo-key', status: 503 } });
    const step = await wait({ 'project-id': projectId, 'operation-ids': id }, { debug: true });
    expect(step.outputs.result).toBe('finished');
    expect(step.stdout).toContain('::debug::');
    expect(step.stdout).toContain('Trying again');
  }));
