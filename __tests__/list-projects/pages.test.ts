import { describe, expect, test } from '@jest/globals';
import { listing, NO_OUTPUTS } from '../support/listing.ts';

const ids = (step: { outputs: Record<string, string> }): string[] =>
  JSON.parse(step.outputs['project-ids'] ?? 'null');

describe('every page is read', () => {
  test.concurrent.each(['none', 'empty', 'repeat', 'past-end'] as const)(
    'where the service announces pages and the last one says: %s',
    (lastPageCursor) =>
      listing({ lastPageCursor }, async ({ add, list, asked, simulator }) => {
        const added = add(950);
        const step = await list();
        expect(step.exitCode).toBe(0);
        expect(ids(step)).toEqual(added);
        expect(step.outputs.count).toBe('950');
        const pages = ['', '&cursor=p-399', '&cursor=p-799'];
        const last = lastPageCursor === 'past-end' ? ['&cursor=p-949'] : [];
        expect(asked()).toEqual([...pages, ...last].map((rest) => `/projects?limit=400${rest}`));
        expect(simulator.connections).toBe(1);
      }),
  );

  test.concurrent('where it does not, all come at once', () =>
    listing({ projects: { paged: false } }, async ({ add, list, asked }) => {
      const added = add(730);
      const step = await list();
      expect(ids(step)).toEqual(added);
      expect(asked()).toEqual(['/projects?limit=400']);
    }));

  test.concurrent('where it does not, and there are just as many as were asked for', () =>
    listing({ projects: { paged: false } }, async ({ add, list, asked }) => {
      const added = add(400);
      const step = await list();
      expect(ids(step)).toEqual(added);
      expect(asked()).toEqual(['/projects?limit=400', '/projects?limit=399']);
    }));

  test.concurrent('also where one of them cannot be read when it is asked again', () =>
    listing({ projects: { paged: false } }, async ({ add, list, simulator }) => {
      const added = add(400);
      const { projects } = simulator.settings;
      simulator.faults.add({
        match: { nth: 1 },
        after: () => {
          projects.unavailableIds = ['p-7'];
        },
      });
      expect(ids(await list())).toEqual(added);
    }));

  test.concurrent('and a service that cuts off without a word is found out', () =>
    listing({}, async ({ add, list, simulator }) => {
      add(401);
      simulator.faults.add({ fault: { kind: 'set', remove: ['pagination'] } });
      const step = await list();
      expect(step.exitCode).toBe(1);
      expect(step.outputs).toEqual(NO_OUTPUTS);
      expect(step.errors).toEqual([expect.stringContaining('400 projects at most')]);
    }));

  test.concurrent('also where only smaller pages are allowed, or none can be asked for', () =>
    listing({}, async ({ add, list, asked, simulator }) => {
      const added = add(15);
      const refused = { kind: 'status', status: 400, message: 'limit is too large' } as const;
      const large = simulator.faults.add({ match: { path: /limit=400/ }, fault: refused });
      expect(ids(await list())).toEqual(added);
      large.remove();
      simulator.requests.length = 0;
      simulator.faults.add({ match: { path: /limit/ }, fault: refused });
      expect(ids(await list())).toEqual(added);
      expect(asked()).toEqual([
        '/projects?limit=400',
        '/projects?limit=100',
        '/projects',
        '/projects?cursor=p-9',
        '/projects?cursor=p-14',
      ]);
    }));

  test.concurrent('also where the service quotes the whole query when it refuses the page size', () =>
    listing({}, async ({ list, simulator }) => {
      const account = simulator.addAccount({ orgId: 'org-1' });
      simulator.addProject({ id: 'p-1', account });
      const message = 'bad query "limit=400&org_id=org-1": limit is too large';
      const fault = { kind: 'status', status: 400, message } as const;
      simulator.faults.add({ match: { path: /limit=400/ }, fault });
      const step = await list({ 'api-key': account.keys[0]?.key ?? '', 'org-id': 'org-1' });
      expect(ids(step)).toEqual(['p-1']);
    }));

  test.concurrent('also what shares its timestamp with the last project of a page, where cursors are timestamps', () =>
    listing({ projects: { cursor: 'created_at' } }, async ({ add, list, asked }) => {
      const at = (second: number) => ({ created_at: new Date(second * 1000).toISOString() });
      const added = Array.from({ length: 398 }, (_, index) => add(1, at(index))).flat();
      // Of three in one moment two lie behind the edge of the first page.
      added.push(...add(4, at(500)), ...add(1, at(501)), ...add(398, at(502)));
      added.push(...Array.from({ length: 60 }, (_, index) => add(1, at(600 + index))).flat());
      const step = await list();
      expect(step.exitCode).toBe(0);
      expect(ids(step).toSorted()).toEqual(added.toSorted());
      // Read until pages of another size have nothing more.
      expect(new Set(asked().map((path) => /limit=\d+/.exec(path)?.[0]))).toEqual(
        new Set(['limit=400', 'limit=371', 'limit=342']),
      );
    }));

  test.concurrent('where cursors are timestamps and one page is enough, once', () =>
    listing(
      { projects: { cursor: 'created_at' }, lastPageCursor: 'none' },
      async ({ add, list, asked }) => {
        add(399);
        expect((await list()).outputs.count).toBe('399');
        expect(asked()).toHaveLength(1);
      },
    ));

  test.concurrent('once, where a cursor repeats itself', () =>
    listing({}, async ({ add, list, asked, simulator }) => {
      const added = add(900);
      simulator.faults.add({ fault: { kind: 'repeated-cursor' } });
      const step = await list();
      expect(ids(step)).toEqual(added.slice(0, 800));
      expect(asked()).toHaveLength(2);
    }));

  test.concurrent('and a listing that never ends is noticed', () =>
    listing({}, async ({ add, list, simulator }) => {
      add(1);
      simulator.faults.add({
        match: { path: /limit=400/ },
        fault: { kind: 'status', status: 400 },
      });
      simulator.faults.add({
        match: { path: /limit=100/ },
        fault: { kind: 'status', status: 400 },
      });
      simulator.faults.add({ fault: { kind: 'endless-pages' } });
      const step = await list({}, { env: { TIME_LAPSE: '100' } });
      expect(step.exitCode).toBe(1);
      expect(step.outputs).toEqual(NO_OUTPUTS);
      expect(step.errors).toEqual([expect.stringContaining('did not end after 1,000 pages')]);
      expect(step.title).toBe('The answer does not end');
      expect(simulator.requests).toHaveLength(1003);
    }));
});

describe('a partial answer', () => {
  test.concurrent('is asked for again, and what came late is there', () =>
    listing({}, async ({ add, list, asked, simulator }) => {
      const added = add(450);
      const { projects } = simulator.settings;
      projects.unavailableIds = ['p-3'];
      simulator.faults.add({
        match: { nth: 1 },
        after: () => {
          projects.unavailableIds = ['p-4'];
        },
      });
      simulator.faults.add({
        match: { nth: 2 },
        after: () => {
          projects.unavailableIds = ['p-420'];
        },
      });
      simulator.faults.add({
        match: { nth: 3 },
        after: () => {
          projects.unavailableIds = [];
        },
      });
      const step = await list();
      expect(step.exitCode).toBe(0);
      // The first two answers lack another project each: together they are whole.
      expect(ids(step).toSorted()).toEqual(added.toSorted());
      expect(asked().slice(0, 4)).toEqual([
        '/projects?limit=400',
        '/projects?limit=400',
        '/projects?limit=400&cursor=p-399',
        '/projects?limit=400&cursor=p-399',
      ]);
      expect(step.log.filter((line) => line.includes('could not read 1 project (p-'))).toHaveLength(
        2,
      );
    }));

  test.concurrent('is never passed off as whole', () =>
    listing({}, async ({ add, list, asked, simulator }) => {
      add(20);
      simulator.settings.projects.unavailableIds = ['p-3', 'p-7'];
      const step = await list({ 'max-retries': '2', 'project-name': 'other' });
      expect(step.exitCode).toBe(1);
      expect(step.outputs).toEqual(NO_OUTPUTS);
      expect(step.file).toBeUndefined();
      expect(asked()).toHaveLength(3);
      expect(step.errors).toEqual([
        expect.stringMatching(/asked 3 times.*2 projects \(p-3 and p-7\)/),
      ]);
      expect(step.title).toBe('Projects are missing');
      expect(step.summary).toContain('<code>p-7</code>');
    }));

  test.concurrent('in which nothing is left is no end of the listing', () =>
    listing({}, async ({ add, list, simulator }) => {
      simulator.settings.projects.unavailableIds = add(2);
      const step = await list({ 'max-retries': '0' });
      expect(step.exitCode).toBe(1);
      expect(step.errors).toEqual([expect.stringMatching(/asked once.*p-0 and p-1/)]);
    }));
});
