import { expect, test } from '@jest/globals';
import { scene } from '../support/scene.ts';

test.concurrent.each<[string, (url: string) => string]>([
  ['a port where nobody listens', () => 'http://127.0.0.1:1/api/v2'],
  ['https where http is spoken', (url) => url.replace('http:', 'https:')],
  ['another prefix', (url) => url.replace('/v2', '/v9')],
  ['a prefix that leads elsewhere', (url) => url.replace('/api/v2', '/v2')],
])('a base-url with %s is named as what may be wrong', (_what, changed) =>
  scene({}, async ({ simulator, projectId, wait }) => {
    const url = changed(simulator.baseUrl);
    const step = await wait({ 'base-url': url, 'project-id': projectId, timeout: '0' });
    expect(step.exitCode).toBe(1);
    expect(step.errors).toEqual([expect.stringMatching(/Check .*base-url/)]);
  }),
);

test.concurrent('a page for people instead of an answer points to base-url, too', () =>
  scene({}, async ({ simulator, projectId, wait }) => {
    simulator.faults.add({ fault: { kind: 'status', status: 200, body: 'html' } });
    const step = await wait({ 'project-id': projectId, timeout: '0' });
    expect(step.errors).toEqual([expect.stringMatching(/not JSON.*base-url/)]);
  }));

test.concurrent('a key that is empty is explained: pull requests of forks have no secrets', () =>
  scene({}, async ({ simulator, projectId, wait }) => {
    const step = await wait({ 'project-id': projectId, 'api-key': '' });
    expect(step.errors).toEqual([expect.stringMatching(/api-key: is required.*fork/)]);
    expect(simulator.requests).toEqual([]);
  }));

test.concurrent('a required action that ended too long ago is explained, unless since is set', () =>
  scene({}, async ({ simulator, operation, projectId, branchId, wait }) => {
    operation({ status: 'finished', createdAt: simulator.clock.now() - 3_600_000 });
    const inputs = {
      'project-id': projectId,
      'branch-id': branchId,
      'require-actions': 'create_branch',
      timeout: '0',
    };
    const old = await wait(inputs);
    expect(old.errors).toEqual([expect.stringMatching(/more than 10 minutes before.*since/)]);
    const since = await wait({ ...inputs, since: '10m' });
    expect(since.errors).toEqual([expect.not.stringContaining('10 minutes')]);
  }));
