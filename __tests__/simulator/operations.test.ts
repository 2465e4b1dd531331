import { describe, expect, test } from '@jest/globals';
import type { OperationFields, Simulator, SimulatorOptions } from '../../simulator/server.ts';
import { get, ids, simulate, startOfTime } from './support.ts';

async function simulateProject(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await simulate(options);
  simulator.addProject({ id: 'p' });
  return simulator;
}

const operation = (fields: Partial<OperationFields> = {}): OperationFields => ({
  projectId: 'p',
  action: 'apply_config',
  ...fields,
});

const list = async (simulator: Simulator, query = '') =>
  (await get(simulator, `/projects/p/operations${query}`)).json;

describe('an operation', () => {
  test('is scheduling, running, finished, by the clock alone', async () => {
    const simulator = await simulateProject({ durations: { schedulingMs: 100, runningMs: 900 } });
    const { id } = simulator.addOperation(operation());
    const seen: unknown[] = [];
    for (const ms of [0, 99, 1, 899, 1, 5000]) {
      simulator.clock.advance(ms);
      const { status, updated_at, total_duration_ms } = (
        await get(simulator, `/projects/p/operations/${id}`)
      ).json.operation;
      seen.push([status, Date.parse(updated_at) - startOfTime, total_duration_ms]);
    }
    expect(seen).toEqual([
      ['scheduling', 0, 0],
      ['scheduling', 0, 99],
      ['running', 100, 100],
      ['running', 100, 999],
      ['finished', 1000, 1000],
      ['finished', 1000, 1000],
    ]);
    simulator.clock.advance(-5500);
    expect((await list(simulator)).operations[0].status).toBe('running');
  });

  test.each(['failed', 'error', 'cancelled', 'skipped'] as const)('can end %s', async (outcome) => {
    const simulator = await simulateProject();
    simulator.addOperation(operation({ schedulingMs: 10, runningMs: 20, outcome, error: 'why' }));
    expect((await list(simulator)).operations[0]).not.toHaveProperty('error');
    simulator.clock.advance(30);
    const failures = outcome === 'failed' || outcome === 'error' ? 1 : 0;
    expect((await list(simulator)).operations).toMatchObject([
      { status: outcome, error: 'why', failures_count: failures },
    ]);
  });

  test('follows a script, unknown statuses and second tries included', async () => {
    const simulator = await simulateProject();
    const handle = simulator.addOperation(
      operation({
        statuses: [
          { afterMs: 0, status: 'failed', error: 'once' },
          { afterMs: 20, status: 'finished' },
          { afterMs: 10, status: 'thinking' },
        ],
      }),
    );
    const seen: string[] = [];
    for (const ms of [0, 10, 10]) {
      simulator.clock.advance(ms);
      seen.push(handle.status);
    }
    expect(seen).toEqual(['failed', 'thinking', 'finished']);
    expect((await list(simulator)).operations).toMatchObject([{ failures_count: 1 }]);
  });

  test('can be given every field, and lack what may be absent', async () => {
    const simulator = await simulateProject();
    const id = '5f8a1e0c-0000-4000-8000-000000000000';
    const handle = simulator.addOperation(
      operation({ id, branchId: null, status: 'running', extra: { retry_at: 'soon' } }),
    );
    const [body] = (await list(simulator)).operations;
    expect(body).toMatchObject({ id, status: 'running', retry_at: 'soon' });
    expect(body).not.toHaveProperty('branch_id');
    expect(body).not.toHaveProperty('endpoint_id');
    expect(body).toEqual(JSON.parse(JSON.stringify(handle)));
    expect(() => simulator.addOperation(operation({ id }))).toThrow('is there already');
    expect(() => simulator.addOperation(operation({ projectId: 'q' }))).toThrow('no project "q"');
  });

  test('can be moved and removed by hand', async () => {
    const simulator = await simulateProject();
    const handle = simulator.addOperation(operation({ status: 'running' }));
    simulator.clock.advance(50);
    handle.setStatus('failed', 'by hand');
    expect((await list(simulator)).operations).toMatchObject([
      { status: 'failed', error: 'by hand', updated_at: '2026-01-01T00:00:00.050Z' },
    ]);
    handle.remove();
    expect((await list(simulator)).operations).toEqual([]);
    expect((await get(simulator, `/projects/p/operations/${handle.id}`)).status).toBe(404);
  });

  test('may be known by id before it is listed, and not exist before it is created', async () => {
    const simulator = await simulateProject();
    const hidden = simulator.addOperation(operation({ visibleAfterMs: 100 }));
    const future = simulator.addOperation(operation({ createdAt: startOfTime + 200 }));
    const seen: unknown[] = [];
    for (const ms of [0, 100, 100]) {
      simulator.clock.advance(ms);
      const known = await Promise.all(
        [hidden, future].map(({ id }) => get(simulator, `/projects/p/operations/${id}`)),
      );
      seen.push([ids((await list(simulator)).operations), known.map(({ status }) => status)]);
    }
    expect(seen).toEqual([
      [[], [200, 404]],
      [[hidden.id], [200, 404]],
      [
        [future.id, hidden.id],
        [200, 200],
      ],
    ]);
  });
});

describe('the listing', () => {
  /** Operations of the ages given in seconds, by age. */
  const withAges = async (ages: number[], options: SimulatorOptions = {}) => {
    const simulator = await simulateProject(options);
    const handles = ages.map((age) =>
      simulator.addOperation(operation({ createdAt: startOfTime - age * 1000 })),
    );
    return { simulator, idOf: (index: number) => handles[index]?.id };
  };

  /** All pages, the last of which is empty or without a cursor. */
  const readPages = async (simulator: Simulator, limit: number) => {
    const pages: unknown[][] = [];
    let query = `?limit=${limit}`;
    for (;;) {
      const { operations, pagination } = await list(simulator, query);
      pages.push(ids(operations));
      if (operations.length === 0 || !pagination?.cursor) return pages;
      query = `?limit=${limit}&cursor=${encodeURIComponent(pagination.cursor)}`;
    }
  };

  test('is newest first, or oldest first, in pages', async () => {
    const { simulator, idOf } = await withAges([3, 1, 2]);
    expect(await readPages(simulator, 2)).toEqual([[idOf(1), idOf(2)], [idOf(0)], []]);
    simulator.settings.order = 'oldest-first';
    expect(await readPages(simulator, 2)).toEqual([[idOf(0), idOf(2)], [idOf(1)], []]);
  });

  test.each(['newest-first', 'oldest-first'] as const)(
    '%s loses an operation that shares its timestamp with the edge of a page',
    async (order) => {
      const { simulator } = await withAges([1, 1, 2, 2], { order });
      expect((await readPages(simulator, 3)).flat()).toHaveLength(3);
      expect((await readPages(simulator, 2)).flat()).toHaveLength(4);
      expect((await readPages(simulator, 4)).flat()).toHaveLength(4);
    },
  );

  test.each([
    ['none', undefined],
    ['empty', { cursor: '' }],
    ['repeat', { cursor: '2025-12-31T23:59:59.000Z' }],
    ['past-end', { cursor: '2025-12-31T23:59:58.000Z' }],
  ] as const)('says %s on its last page', async (lastPageCursor, pagination) => {
    const { simulator } = await withAges([1, 2], { lastPageCursor });
    const first = await list(simulator, '?limit=1');
    expect(first.pagination).toEqual({ cursor: '2025-12-31T23:59:59.000Z' });
    const last = await list(simulator, `?limit=1&cursor=${first.pagination.cursor}`);
    expect(last.operations).toHaveLength(1);
    expect(last.pagination).toEqual(pagination);
  });

  test('has a default and a largest page size', async () => {
    const { simulator } = await withAges([1, 2, 3, 4], { pageSize: { default: 2, max: 3 } });
    expect((await list(simulator)).operations).toHaveLength(2);
    expect((await list(simulator, '?limit=3')).operations).toHaveLength(3);
    for (const limit of ['4', '0', '-1', '1.5', 'x', '']) {
      expect((await get(simulator, `/projects/p/operations?limit=${limit}`)).status).toBe(400);
    }
    simulator.settings.pageSize.over = 'cap';
    expect((await list(simulator, '?limit=4')).operations).toHaveLength(3);
  });

  test.each(['yesterday', '5', '2026-99-01T00:00:00Z'])('refuses the cursor %s', async (cursor) => {
    const { simulator } = await withAges([1]);
    expect((await get(simulator, `/projects/p/operations?cursor=${cursor}`)).status).toBe(400);
  });

  test('gives ten thousand operations in ten pages, each once', async () => {
    const ages = Array.from({ length: 10_000 }, (_, index) => (index * 7919) % 10_000);
    const { simulator } = await withAges(ages, { lastPageCursor: 'none' });
    const pages = await readPages(simulator, 1000);
    expect(pages.map((page) => page.length)).toEqual(Array(10).fill(1000));
    expect(new Set(pages.flat()).size).toBe(10_000);
  });
});
