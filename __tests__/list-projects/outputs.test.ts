import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listing, NO_OUTPUTS } from '../support/listing.ts';

describe('the outputs', () => {
  test.concurrent('have every project as the API gave it, with all digits', () =>
    listing({}, async ({ simulator, list, asked }) => {
      simulator.addProject({
        id: 'big',
        name: 'größe "1"',
        pg_version: 17,
        region_id: 'aws-eu-central-1',
        cpu_used_sec: 3600,
        quota: { bytes: [1, { deep: null }] },
      });
      const exact = '9223372036854775807';
      const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(exact);
      simulator.faults.add({
        fault: {
          kind: 'transform',
          transform: ({ projects: [one] }) => ({
            projects: [{ ...one, branch_logical_size_limit: raw }],
          }),
        },
      });
      const step = await list();
      expect(step.exitCode).toBe(0);
      expect(step.outputs.projects).toContain(`"branch_logical_size_limit":${exact}`);
      expect(step.outputs.projects).toContain('"quota":{"bytes":[1,{"deep":null}]}');
      expect(step.file).toBe(step.outputs.projects);
      const [project, ...others] = JSON.parse(step.outputs.projects ?? '');
      expect(others).toEqual([]);
      expect(project).toMatchObject({
        id: 'big',
        name: 'größe "1"',
        platform_id: 'aws',
        locked: false,
      });
      expect(JSON.parse(step.outputs.matrix ?? '')).toEqual({
        include: [{ id: 'big', name: 'größe "1"', region_id: 'aws-eu-central-1', pg_version: 17 }],
      });
      expect(step.outputs['project-ids']).toBe('["big"]');
      expect(step.outputs.count).toBe('1');
      expect(step.outputs['projects-file']).toMatch(/\/temp\/[0-9a-f-]{36}-projects\.json$/);
      expect(Object.keys(step.outputs).toSorted()).toEqual(Object.keys(NO_OUTPUTS).toSorted());
      expect(step.summary).toContain('größe');
      expect(asked()[0]).toBe('/projects?limit=400');
    }));

  test.concurrent('of an account without projects are an empty listing, and green', () =>
    listing({}, async ({ list }) => {
      const step = await list();
      expect(step.exitCode).toBe(0);
      expect(step.outputs).toMatchObject({
        projects: '[]',
        'project-ids': '[]',
        matrix: '{"include":[]}',
        count: '0',
      });
      expect(step.file).toBe('[]');
      expect(step.annotations).toEqual([]);
      expect(step.summary).toContain('no projects');
    }));

  test.concurrent('have the wanted projects only, and the matrix is null where the service says nothing', () =>
    listing({}, async ({ add, list, simulator }) => {
      add(2, { region_id: 'aws-us-east-2', pg_version: 16 });
      add(2, { region_id: 'azure-gwc', platform_id: 'azure', pg_version: 17 });
      simulator.faults.add({
        fault: { kind: 'set', remove: ['projects.0.region_id', 'projects.0.pg_version'] },
      });
      const ids = async (inputs: Record<string, string>) =>
        (await list(inputs)).outputs['project-ids'];
      expect(await ids({ 'region-id': 'azure-gwc\naws-eu-west-2' })).toBe('["p-2","p-3"]');
      expect(await ids({ 'platform-id': 'azure', 'project-name': '!*3' })).toBe('["p-2"]');
      expect(await ids({ 'pg-version': '[16, 18]' })).toBe('["p-1"]');
      expect(await ids({ 'project-name': 'name of p-?,!*-0' })).toBe('["p-1","p-2","p-3"]');
      const none = await list({ 'project-name': 'NAME*' });
      expect([none.exitCode, none.outputs.count]).toEqual([0, '0']);
      expect(none.summary).toContain('No project matches');
      const first = await list({ 'project-name': '*-0' });
      expect(first.outputs.matrix).toBe(
        '{"include":[{"id":"p-0","name":"name of p-0","region_id":null,"pg_version":null}]}',
      );
    }));

  test.concurrent('have no project of another organisation, where the service passes over org-id', () =>
    listing({}, async ({ list, simulator }) => {
      const account = simulator.addAccount({ orgId: 'org-1' });
      simulator.addProject({ id: 'p-0', account });
      simulator.addProject({ id: 'p-1', account, org_id: 'org-2' });
      // It does not say whose it is.
      simulator.addProject({ id: 'p-2', account, org_id: undefined });
      const step = await list({ 'api-key': account.keys[0]?.key ?? '', 'org-id': 'org-1' });
      expect(step.outputs['project-ids']).toBe('["p-0","p-2"]');
      expect(step.log.at(-2)).toMatch(/^Listed 3 projects, of which 2 match/);
    }));

  test.concurrent('a filter by a field that the service never gives is told', () =>
    listing({}, async ({ add, list, simulator }) => {
      add(3);
      const blank = { 'projects.*.region_id': null };
      simulator.faults.add({ match: { nth: 1 }, fault: { kind: 'set', set: blank } });
      const step = await list({ 'region-id': 'aws-us-east-2', 'pg-version': '17' });
      expect(step.outputs.count).toBe('0');
      expect(step.warnings).toEqual([
        'No project matches region-id, because the service gives none of its 3 projects such a field. Filter by project-name instead.',
      ]);
      const seen = await list({ 'region-id': 'nowhere' });
      expect(seen.warnings).toEqual([]);
    }));

  test.concurrent('over 1 MiB leave out the largest first, and the file has everything', () =>
    listing({}, async ({ add, list }) => {
      const added = add(1500, { note: 'x'.repeat(400) });
      const step = await list();
      expect(step.exitCode).toBe(0);
      expect(step.outputs).not.toHaveProperty('projects');
      expect(JSON.parse(step.outputs.matrix ?? '').include).toHaveLength(1500);
      expect(JSON.parse(step.outputs['project-ids'] ?? '')).toEqual(added);
      expect(step.outputs.count).toBe('1500');
      expect(JSON.parse(step.file ?? '')).toHaveLength(1500);
      expect(step.warnings).toEqual([
        expect.stringMatching(/^The output projects is left out.*1 MiB.*-projects\.json has/),
        expect.stringMatching(/^The matrix has 1,500 entries.*256/),
      ]);
    }));

  test.concurrent('warn of a matrix from 257 on, and do not cut it', () =>
    listing({}, async ({ add, list }) => {
      add(256);
      expect((await list()).warnings).toEqual([]);
      add(1);
      const step = await list();
      expect(step.warnings).toEqual([expect.stringContaining('257 entries')]);
      expect(JSON.parse(step.outputs.matrix ?? '').include).toHaveLength(257);
    }));
});

describe('the file', () => {
  test.concurrent('is where output-file says, in folders that are made for it', () =>
    listing({}, async ({ add, list }) => {
      add(3);
      const step = await list({ 'output-file': 'build/lists/all.json' });
      expect(step.outputs['projects-file']).toMatch(/\/build\/lists\/all\.json$/);
      expect(step.files['GITHUB_WORKSPACE/build/lists/all.json']).toBe(step.outputs.projects);
    }));

  test.concurrent('replaces an older one', () =>
    listing({}, async ({ add, list }) => {
      add(1);
      const workspaceFiles = { 'all.json': 'x'.repeat(100_000) };
      const step = await list({ 'output-file': 'all.json' }, { workspaceFiles });
      expect(step.files['GITHUB_WORKSPACE/all.json']).toBe(step.outputs.projects);
    }));

  test.concurrent('that cannot be written fails the step before anything is asked', () =>
    listing({}, async ({ add, list, asked }) => {
      add(1);
      const workspaceFiles = { taken: 'a file', 'folder/inside': '' };
      for (const [path, code] of [
        ['taken/all.json', 'EEXIST|ENOTDIR'],
        ['folder', 'EISDIR'],
      ] as const) {
        const step = await list({ 'output-file': path }, { workspaceFiles });
        expect(step.exitCode).toBe(1);
        expect(step.errors).toEqual([
          expect.stringMatching(
            new RegExp(`^output-file: "${path}" cannot be written \\((${code})\\)`),
          ),
        ]);
        expect(step.title).toBe('File not written');
        expect(step.outputs).toEqual(NO_OUTPUTS);
        expect(asked()).toEqual([]);
      }
    }));
});

describe('the file in a place of its own', () => {
  const inFolder = async (play: (folder: string) => Promise<void>): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'list-'));
    try {
      await play(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test.concurrent('that cannot be put there at the end makes the listing a failed one everywhere', () =>
    inFolder((folder) =>
      listing({}, async ({ add, list, simulator }) => {
        add(1500, { note: 'x'.repeat(400) });
        const path = join(folder, 'all.json');
        simulator.faults.add({ match: { nth: 2 }, before: () => mkdirSync(path) });
        const step = await list({ 'output-file': path });
        expect(step.exitCode).toBe(1);
        expect(step.outputs).toEqual(NO_OUTPUTS);
        expect(step.errors).toEqual([
          expect.stringMatching(/^output-file: ".*" cannot be written/),
        ]);
        expect(step.title).toBe('File not written');
        expect(step.warnings).toEqual([]);
        expect(step.summary).toMatch(/^### ❌ [^\n]*\n\n[^\n]*cannot be written/);
        expect(step.log.filter((line) => line.startsWith('Listed'))).toEqual([]);
        expect(readdirSync(folder)).toEqual(['all.json']);
      }),
    ));

  test.concurrent('takes the place of no device', () =>
    inFolder((folder) =>
      listing({}, async ({ add, list, asked }) => {
        add(1);
        // As root, /dev/null itself would be gone.
        const path = join(folder, 'null');
        symlinkSync('/dev/null', path);
        const step = await list({ 'output-file': path });
        expect(step.exitCode).toBe(1);
        expect(step.errors).toEqual([expect.stringContaining('(not a regular file)')]);
        expect(asked()).toEqual([]);
        expect(lstatSync(path).isSymbolicLink()).toBe(true);
      }),
    ));

  test.concurrent('is refused at once by a file system that makes no folders', () =>
    listing({}, async ({ list, asked }) => {
      const step = await list({ 'output-file': '/proc/nowhere/all.json' }, { killAfterMs: 10_000 });
      expect(step.exitCode).toBe(1);
      expect(step.title).toBe('File not written');
      expect(asked()).toEqual([]);
    }));

  test.concurrent('may have a name as long as names may be', () =>
    inFolder((folder) =>
      listing({}, async ({ add, list }) => {
        add(1);
        const name = `${'x'.repeat(250)}.json`;
        const step = await list({ 'output-file': join(folder, name) });
        expect(step.exitCode).toBe(0);
        expect(readdirSync(folder)).toEqual([name]);
      }),
    ));
});

test('100,000 projects are read in little memory, and none is lost', () =>
  listing({}, async ({ add, list, simulator }) => {
    const fields = { settings: { quota: { active_time_seconds: 3600, note: 'x'.repeat(200) } } };
    const added = add(100_000, fields);
    const step = await list({ 'output-file': 'all.json' }, { measure: true, killAfterMs: 55_000 });
    expect(step.exitCode).toBe(0);
    expect(step.outputs.count).toBe('100000');
    expect(simulator.requests).toHaveLength(251);
    const file = JSON.parse(step.files['GITHUB_WORKSPACE/all.json'] ?? '');
    expect(file.map(({ id }: { id: string }) => id)).toEqual(added);
    expect(step.outputs).not.toHaveProperty('projects');
    expect(step.outputs).not.toHaveProperty('matrix');
    expect((step.maxRssKb ?? Number.NaN) / 1024).toBeLessThan(300);
  }));
