import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { waitSummary } from '../../src/runner/wait-summary.ts';
import { hostileText } from '../support/hostile-text.ts';
import { faultsOfSummary } from '../support/summary.ts';
import { BEGAN_AT, operation, report } from './reports.ts';

const rowsOf = (summary: string): string[] =>
  summary
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .slice(1);
const diagramOf = (summary: string): string[] =>
  (/^```mermaid\n([\s\S]*?)\n```$/m.exec(summary)?.[1] ?? '').split('\n').filter(Boolean);
const at = (ms: number): string => new Date(BEGAN_AT + ms).toISOString();

describe('the summary', () => {
  test('says how it ended', () => {
    const headings = (['finished', 'failed', 'timed-out', 'cancelled'] as const).map(
      (result) => waitSummary(report([operation('a', 'finished')], { result })).split('\n')[0],
    );
    expect(new Set(headings).size).toBe(4);
    for (const heading of headings) expect(heading).toMatch(/^### \S/);
    expect(headings[0]).toContain('ready');
    // Nothing was proven about a database that nobody looked at.
    expect(waitSummary(report([])).split('\n')[0]).not.toContain('ready');
    expect(waitSummary(report([], { message: 'Why it ended so.' }))).toContain('Why it ended so.');
  });

  test('has a row for each operation, with what the service said of it', () => {
    const summary = waitSummary(
      report([
        operation('o1', 'finished', { project_id: 'p7', branch_id: 'br-9' }),
        operation('o2', 'failed', { error: 'no space left', action: 'start_compute' }),
        operation('o3', 'running', { branch_id: null, created_at: at(2000) }),
        'o4',
      ]),
    );
    const rows = rowsOf(summary);
    expect(rows).toHaveLength(4);
    const row = (id: string): string => rows.find((line) => line.includes(`<code>${id}<`)) ?? '';
    for (const part of ['finished', 'p7', 'br-9', 'create_branch', '1s'])
      expect(row('o1')).toContain(part);
    for (const part of ['failed', 'start_compute']) expect(row('o2')).toContain(part);
    // Not in the table, whose ids would be broken by it.
    expect(summary).toContain('\nThe service says:\n\n- ❌ <code>o2</code>: no space left\n');
    expect(row('o3')).toMatch(/running.*3s\+/);
    expect(row('o4')).toContain('not seen');
  });

  test('has a bar for each, from its creation to its end, and one for the step', () => {
    const diagram = diagramOf(
      waitSummary(
        report([
          operation('o1', 'finished'),
          operation('o2', 'failed', { created_at: at(500), updated_at: at(500) }),
          operation('o3', 'running', { branch_id: 'br-2', created_at: at(-1000) }),
        ]),
      ),
    );
    expect(diagram.slice(0, 3)).toEqual([
      '%%{init: {"gantt": {"leftPadding": 82}}}%%',
      'gantt',
      '  dateFormat x',
    ]);
    const bar = (id: string): string => diagram.find((line) => line.includes(id)) ?? '';
    expect(bar('o1')).toMatch(new RegExp(`:done, ${BEGAN_AT}, ${BEGAN_AT + 1000}$`));
    // A bar without a length would not be drawn.
    expect(bar('o2')).toMatch(new RegExp(`:crit, ${BEGAN_AT + 500}, ${BEGAN_AT + 501}$`));
    expect(bar('o3')).toMatch(new RegExp(`:active, ${BEGAN_AT - 1000}, ${BEGAN_AT + 5000}$`));
    expect(diagram.filter((line) => line.includes(' section ')).map((line) => line.trim())).toEqual(
      ['section br-2', 'section br-1', 'section This step'],
    );
  });

  test('says what all operations share above the table, once', () => {
    const one = [operation('o1', 'finished'), operation('o2', 'finished')];
    const shared = waitSummary(report(one));
    expect(shared).toContain('\nProject <code>p1</code>, branch <code>br-1</code>\n');
    expect(shared).toContain('\n| Status | Action | Operation | Took |\n');
    const several = [...one, operation('o3', 'finished', { project_id: 'p2', branch_id: null })];
    const differing = waitSummary(report(several));
    expect(differing).toContain('\n| Status | Action | Operation | Project | Branch | Took |\n');
    expect(differing).not.toContain('Project <code>');
    expect([...faultsOfSummary(shared), ...faultsOfSummary(differing)]).toEqual([]);
  });

  test('has an axis that names no second twice', () => {
    const axis = (elapsedMs: number) =>
      diagramOf(waitSummary(report([operation('o1', 'finished')], { elapsedMs }))).includes(
        '  tickInterval 1second',
      );
    expect(axis(5000)).toBe(true);
    expect(axis(60_000)).toBe(false);
  });

  test('draws the wait to the last end that it saw: the service tells whole seconds', () => {
    const bar = (updated: number): string =>
      diagramOf(waitSummary(report([operation('o1', 'finished', { updated_at: at(updated) })]))).at(
        -1,
      ) ?? '';
    expect(bar(4000)).toBe(`  wait finished :active, ${BEGAN_AT}, ${BEGAN_AT + 5000}`);
    expect(bar(5400)).toBe(`  wait finished :active, ${BEGAN_AT + 400}, ${BEGAN_AT + 5400}`);
    // Hours off, its clock says nothing about the wait.
    expect(bar(9_000_000)).toBe(`  wait finished :active, ${BEGAN_AT + 1000}, ${BEGAN_AT + 6000}`);
  });

  test('draws nothing that has no time', () => {
    for (const fields of [
      { created_at: undefined },
      { created_at: 'soon' },
      { created_at: at(1000), updated_at: at(0) },
      { updated_at: '2026-02-30' },
    ])
      expect(diagramOf(waitSummary(report([operation('o1', 'finished', fields), 'o2'])))).toEqual(
        [],
      );
  });
});

describe('a wait of very many operations', () => {
  const long = '😀|<&'.repeat(100);
  const many = Array.from({ length: 20_000 }, (_, index) => {
    const status = index === 19_999 ? 'failed' : index === 15_000 ? 'running' : 'finished';
    return operation(`${String(index).padStart(5, '0')}${long}`, status, {
      action: long,
      project_id: long,
      branch_id: `${long}${index}`,
      error: long,
    });
  });

  test('fits into what GitHub takes, and shows first what went wrong', () => {
    const summary = waitSummary(report(many, { result: 'failed', message: long }));
    expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
    const rows = rowsOf(summary);
    expect(rows.length).toBeLessThanOrEqual(100);
    expect(rows[0]).toContain('19999');
    expect(rows[1]).toContain('15000');
    expect(rows[2]).toContain('00000');
    expect(summary).toContain(`${(20_000 - rows.length).toLocaleString('en-US')} operations more`);
    const bars = diagramOf(summary).filter((line) => / :(crit|active|done), /.test(line));
    expect(bars.length).toBeLessThanOrEqual(50);
    expect(bars.filter((line) => line.includes(' :crit, '))).toHaveLength(1);
  });
});

describe('names that mean something', () => {
  /** Every line that a gantt of this action may hold; the names are plain letters behind a mark. */
  const LINE =
    /^(%%\{init: \{"gantt": \{"leftPadding": \d{2,3}\}\}\}%%|gantt| {2}tickInterval 1second| {2}dateFormat x| {2}axisFormat %H:%M:%S| {2}section [A-Za-z0-9_. -]+| {2}[^\w\s] [A-Za-z0-9_. -]+ :(done|active|crit), \d+, \d+| {2}wait [a-z-]+ :active, \d+, \d+)$/;
  const name = fc.oneof(
    hostileText(),
    fc.constantFrom(
      ...['section x', 'title x', 'dateFormat YYYY', 'excludes weekends', 'click a call b()'],
      ...[
        'todayMarker off',
        'accTitle x',
        '2026-03-01',
        'gantt',
        'axisFormat %d',
        'end',
        'crit, a',
      ],
    ),
  );
  const seen = fc.record({ id: name, action: name, branch_id: name, error: name, status: name });

  test('break neither the table nor the diagram, and are no HTML', () => {
    fc.assert(
      fc.property(fc.array(seen, { minLength: 1, maxLength: 4 }), name, (operations, message) => {
        const unique = operations.map((one, index) => ({ ...one, id: `${one.id}${index}` }));
        const summary = waitSummary(
          report(
            unique.map(({ id, status, ...fields }) => operation(id, status, fields)),
            { message },
          ),
        );
        expect(summary.split('\n').filter((line) => line.startsWith('```'))).toHaveLength(2);
        const diagram = diagramOf(summary);
        expect(diagram.filter((line) => !LINE.test(line))).toEqual([]);
        expect(diagram.filter((line) => / :(done|active|crit), /.test(line))).toHaveLength(
          operations.length + 1,
        );
        const rows = rowsOf(summary);
        expect(rows).toHaveLength(operations.length);
        const places = new Set(operations.map(({ branch_id }) => branch_id)).size > 1 ? 1 : 0;
        for (const row of rows) expect(row.split('|')).toHaveLength(6 + places);
        const tags = summary.match(/<[^>]*>?/g) ?? [];
        expect(tags.filter((tag) => !/^<\/?(code|sub)>$/.test(tag))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
