import { describe, expect, test } from '@jest/globals';
import { listing, NO_OUTPUTS } from '../support/listing.ts';

const OWN_TIME = { env: { TIME_LAPSE: '1' } };

describe('a listing that fails says why, and its outputs are no empty listing', () => {
  test.concurrent.each([
    ['a wrong key', 401, 'Wrong API key', /api-key/],
    ['an unknown path', 404, 'Not found', /base-url/],
    ['a refusal', 403, 'The service refused', /403/],
  ] as const)('%s', (_what, status, title, words) =>
    listing({}, async ({ add, list, asked, simulator }) => {
      add(1);
      simulator.faults.add({ fault: { kind: 'status', status } });
      const step = await list();
      expect(step.exitCode).toBe(1);
      expect(step.outputs).toEqual(NO_OUTPUTS);
      expect(step.errors).toEqual([expect.stringMatching(words)]);
      expect(step.title).toBe(title);
      expect(step.summary).toContain('could not be listed');
      expect(asked()).toHaveLength(1);
      expect(Object.keys(step.files).filter((name) => /projects\.json|\.part/.test(name))).toEqual(
        [],
      );
    }),
  );

  test.concurrent('on any page: nothing of what was read is handed on', () =>
    listing({}, async ({ add, list, simulator }) => {
      add(450);
      simulator.faults.add({ match: { after: 1 }, fault: { kind: 'status', status: 503 } });
      const workspaceFiles = { 'all.json': 'the older list' };
      const step = await list(
        { 'max-retries': '2', 'output-file': 'all.json' },
        { workspaceFiles },
      );
      expect(step.exitCode).toBe(1);
      expect(step.outputs).toEqual(NO_OUTPUTS);
      expect(step.title).toBe('The service did not answer');
      expect(simulator.requests).toHaveLength(4);
      const files = Object.entries(step.files).filter(([name]) => /all\.json|\.part/.test(name));
      expect(files).toEqual([['GITHUB_WORKSPACE/all.json', 'the older list']]);
    }));

  test.concurrent('a key that is revoked half-way', () =>
    listing({}, async ({ add, list, simulator }) => {
      add(450);
      simulator.faults.add({ match: { nth: 2 }, fault: { kind: 'status', status: 401 } });
      const step = await list();
      expect(step.title).toBe('Wrong API key');
      expect(step.outputs).toEqual(NO_OUTPUTS);
    }));

  test.concurrent('a service that asks for more patience than two minutes', () =>
    listing({}, async ({ add, list, asked, simulator }) => {
      add(1);
      simulator.faults.add({ fault: { kind: 'status', status: 429, retryAfter: 121 } });
      const step = await list();
      expect(step.exitCode).toBe(1);
      expect(step.errors).toEqual([expect.stringMatching(/429.*wait 2m 1s.*longer than the 2m/)]);
      expect(step.title).toBe('Rate limited');
      expect(asked()).toHaveLength(1);
    }));

  test.concurrent('an organisation that is not named', () =>
    listing({ projects: { orgIdRequired: true } }, async ({ list, asked, simulator }) => {
      const account = simulator.addAccount({ orgId: 'org-1' });
      const [key] = account.keys;
      simulator.addProject({ id: 'p-1', account });
      const inputs = { 'api-key': key?.key ?? '' };
      const step = await list(inputs);
      expect(step.errors).toEqual([expect.stringMatching(/org_id is required.*org-id/)]);
      expect(step.title).toBe('Organisation needed');
      expect(asked()).toHaveLength(1);
      const named = await list({ ...inputs, 'org-id': 'org-1' });
      expect(named.outputs['project-ids']).toBe('["p-1"]');
      expect(asked()[1]).toBe('/projects?limit=400&org_id=org-1');
    }));

  test.concurrent('an organisation that is named is not asked for again', () =>
    listing({}, async ({ list, asked, simulator }) => {
      const message = 'org_id org-9 is not known';
      simulator.faults.add({ fault: { kind: 'status', status: 400, message } });
      const step = await list({ 'org-id': 'org-9' });
      expect(step.errors).toEqual([expect.stringMatching(/org-9 is not known.*Check org-id/)]);
      expect(step.errors[0]).not.toContain('name the organisation');
      expect(step.title).toBe('The service refused');
      // Perhaps it was the page size after all.
      expect(asked()).toHaveLength(3);
    }));

  test.concurrent('a field of the wrong type is asked for again, then named', () =>
    listing({}, async ({ add, list, asked, simulator }) => {
      add(1);
      simulator.faults.add({ fault: { kind: 'set', set: { 'projects.0.name': 5 } } });
      const step = await list({ 'max-retries': '1' });
      expect(step.errors).toEqual([expect.stringContaining('"projects.0.name"')]);
      expect(asked()).toHaveLength(2);
    }));

  test.concurrent('a project that is nested without an end', () =>
    listing({}, async ({ add, list, simulator }) => {
      add(1);
      const text = `{"projects":[{"id":"deep","name":"n","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}`;
      simulator.faults.add({ fault: { kind: 'status', status: 200, body: { text } } });
      const step = await list({ 'max-retries': '0' });
      expect(step.exitCode).toBe(1);
      expect(step.outputs).toEqual(NO_OUTPUTS);
      expect(step.errors).toEqual([expect.stringMatching(/deep.*nested|is not JSON/)]);
    }));
});

describe('passing faults pass', () => {
  test.concurrent('whatever they are', () =>
    listing({}, async ({ add, list, simulator }) => {
      const added = add(450);
      for (const status of [408, 423, 425, 429, 500, 502, 503, 504])
        simulator.faults.add({ match: { times: 1 }, fault: { kind: 'status', status } });
      for (const kind of ['reset', 'cut', 'truncated', 'garbage', 'half-close'] as const)
        simulator.faults.add({ match: { times: 1 }, fault: { kind } });
      const step = await list({ 'max-retries': '20' });
      expect(step.exitCode).toBe(0);
      expect(JSON.parse(step.outputs['project-ids'] ?? '')).toEqual(added);
    }));

  test.concurrent('and a long pause is said, with a sign of life', () =>
    listing({}, async ({ add, list, simulator }) => {
      add(1);
      const fault = { kind: 'status', status: 503, retryAfter: 65 } as const;
      simulator.faults.add({ match: { times: 1 }, fault });
      const step = await list();
      expect(step.exitCode).toBe(0);
      expect(step.log.filter((line) => /503.*Trying again in 1m/.test(line))).toHaveLength(1);
      expect(step.log.filter((line) => line.startsWith('Still listing'))).toHaveLength(2);
    }));
});

describe('a cancelled listing', () => {
  test.concurrent.each(['SIGINT', 'SIGTERM'] as const)('by %s ends within a second', (signal) =>
    listing({}, async ({ add, list, simulator }) => {
      add(450);
      simulator.faults.add({ match: { nth: 2 }, fault: { kind: 'hang' } });
      let at = 0;
      const step = await list(
        {},
        {
          ...OWN_TIME,
          onSpawn: (child) => {
            simulator.faults.add({
              match: { nth: 2 },
              before: () => {
                at = performance.now();
                child.kill(signal);
              },
            });
          },
        },
      );
      expect(performance.now() - at).toBeLessThan(1000);
      expect(step.exitCode).toBe(1);
      expect(step.signal).toBeNull();
      expect(step.outputs).toEqual(NO_OUTPUTS);
      expect(step.title).toBe('Cancelled');
      expect(step.summary).toContain('cancelled');
      expect(Object.keys(step.files).filter((name) => /projects\.json|\.part/.test(name))).toEqual(
        [],
      );
    }),
  );

  test.concurrent('also while it pauses', () =>
    listing({}, async ({ add, list, simulator }) => {
      add(1);
      simulator.faults.add({ fault: { kind: 'status', status: 503, retryAfter: 60 } });
      const step = await list(
        {},
        {
          ...OWN_TIME,
          signalAfter: { signal: 'SIGINT', when: (line) => line.includes('Trying again') },
        },
      );
      expect(step.title).toBe('Cancelled');
      expect(step.durationMs).toBeLessThan(5000);
    }));
});

describe('bad inputs', () => {
  test.concurrent('are refused before a request, all in one error', () =>
    listing({}, async ({ list, asked }) => {
      const step = await list({
        'region-id': '../keys',
        'platform-id': '["aws"',
        'pg-version': '17.2',
        'org-id': 'a/b',
        'output-file': 'lists/',
        'project-name': ',',
        'max-retries': 'many',
      });
      expect(step.exitCode).toBe(1);
      expect(step.outputs).toEqual(NO_OUTPUTS);
      expect(step.errors).toHaveLength(1);
      for (const name of [
        'region-id',
        'platform-id',
        'pg-version',
        'org-id',
        'output-file',
        'project-name',
        'max-retries',
      ])
        expect(step.errors[0]).toMatch(new RegExp(`- ${name}: .*Allowed: .*Example: `));
      expect(asked()).toEqual([]);
    }));

  test.concurrent('of other modes have no effect, and an empty list wants nothing: both are said', () =>
    listing({}, async ({ add, list }) => {
      add(1);
      const step = await list({ 'region-id': '[]', 'project-id': 'p-0', 'key-name': 'x' });
      expect(step.exitCode).toBe(0);
      expect(step.outputs.count).toBe('0');
      expect(step.warnings.toSorted()).toEqual([
        'key-name has no effect in mode list-projects.',
        'project-id has no effect in mode list-projects.',
        'region-id is an empty list, so no project is wanted.',
      ]);
    }));

  test.concurrent('the key in the wrong place is named without being shown', () =>
    listing({}, async ({ list, asked, simulator }) => {
      const step = await list({ 'output-file': `lists/${simulator.apiKey}.json` });
      expect(step.exitCode).toBe(1);
      expect(step.errors).toEqual([expect.stringContaining('output-file: holds the value')]);
      expect(asked()).toEqual([]);
    }));
});

test.concurrent('with debug logging the reasons are there, and still no key', () =>
  listing({}, async ({ add, list, simulator }) => {
    add(1);
    simulator.faults.add({ match: { times: 2 }, fault: { kind: 'echo-key', status: 503 } });
    const step = await list({}, { debug: true });
    expect(step.exitCode).toBe(0);
    expect(step.stdout).toContain('::debug::');
  }));

test.concurrent('a key that the service echoes in a name reaches neither the outputs nor the file', () =>
  listing({}, async ({ list, simulator }) => {
    simulator.addProject({
      id: 'p-1',
      name: `my ${simulator.apiKey}`,
      note: { deep: [simulator.apiKey] },
    });
    const step = await list();
    expect(step.exitCode).toBe(0);
    expect(step.outputs.projects).toContain('"name":"my ***"');
    expect(step.file).toContain('{"deep":["***"]}');
  }));

test.concurrent('a summary that cannot be written is a warning of one sentence', () =>
  listing({}, async ({ add, list }) => {
    add(1);
    const step = await list({}, { env: { GITHUB_STEP_SUMMARY: '/nowhere/summary' } });
    expect(step.exitCode).toBe(0);
    expect(step.warnings).toEqual([expect.stringMatching(/could not be written: .*[^.]\.$/)]);
  }));

test.concurrent('summary: false writes none', () =>
  listing({}, async ({ add, list }) => {
    add(1);
    expect((await list({ summary: 'false' })).summary).toBe('');
  }));
