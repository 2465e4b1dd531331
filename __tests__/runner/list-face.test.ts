import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ControlApiError } from '../../src/control-api/errors.ts';
import type { Project } from '../../src/control-api/schemas.ts';
import type { ListEvent } from '../../src/list-projects/events.ts';
import { type Listed, listedProject } from '../../src/list-projects/report.ts';
import { listLog, showListEnd } from '../../src/runner/list-log.ts';
import { ListTexts } from '../../src/runner/list-outputs.ts';
import { listSummary } from '../../src/runner/list-summary.ts';
import { hostileText } from '../support/hostile-text.ts';
import { faultsOfSummary } from '../support/summary.ts';
import { githubStage } from './github-stage.ts';

const stage = githubStage();
afterAll(stage.close);

const NOW = Date.UTC(2026, 2, 1);

function report(projects: readonly Project[], fields: Partial<Listed> = {}): Listed {
  return {
    result: 'listed',
    count: projects.length,
    shown: projects.map(listedProject),
    cpuUsedSec: undefined,
    blind: [],
    regions: 1,
    read: projects.length,
    requests: 2,
    elapsedMs: 1234,
    endedAt: NOW,
    ...fields,
  };
}

const cells = (summary: string, name: string): string[] =>
  (summary.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '')
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());

describe('the summary of a listing', () => {
  test('has a row for each project: region, version, CPU hours, size limit, age', () => {
    const projects = [
      {
        id: 'p-1',
        name: 'shop',
        region_id: 'aws-us-east-2',
        pg_version: 17,
        cpu_used_sec: 5_000_000,
        branch_logical_size_limit: 1024,
        branch_logical_size_limit_bytes: 1_073_741_824,
        created_at: '2026-02-01T00:00:00Z',
      },
      { id: 'p-2', name: 'web', cpu_used_sec: 90, branch_logical_size_limit: 512 },
      { id: 'p-3', name: 'api', cpu_used_sec: 0, created_at: 'soon' },
    ];
    const summary = listSummary(report(projects, { cpuUsedSec: 5_000_090, regions: 2 }));
    expect(summary).toMatch(
      /^### 🗂️ 3 projects\n\nListed 3 projects \(2 requests, 1.2s\). They lie in 2 regions. Together they used 1,389 h of CPU time.\n/,
    );
    expect(cells(summary, 'shop')).toEqual([
      '<code>p-1</code>',
      'aws-us-east-2',
      '17',
      '1,389 h',
      '1 GiB',
      '28d',
    ]);
    expect(cells(summary, 'web')).toEqual([
      '<code>p-2</code>',
      '–',
      '–',
      'under 0.1 h',
      '512',
      '–',
    ]);
    expect(cells(summary, 'api')).toEqual(['<code>p-3</code>', '–', '–', '0 h', '–', '–']);
    // Of the limit without a unit.
    expect(summary).toContain('as the service gives it');
    expect(faultsOfSummary(summary)).toEqual([]);
  });

  test('says when nothing matches, and when there is nothing', () => {
    expect(listSummary(report([], { read: 7 }))).toMatch(
      /^### 🗂️ No project matches\n\nListed 7 projects, of which 0 match/,
    );
    expect(listSummary(report([]))).toMatch(/^### 🗂️ The account has no projects/);
  });

  test('is cut after a hundred rows, with a count, and far below 1 MiB', () => {
    const long = '😀|<&'.repeat(100);
    const projects = Array.from({ length: 200 }, (_, index) => ({
      id: `${index}${long}`,
      name: long,
      region_id: long,
      pg_version: 17,
    }));
    const summary = listSummary(report(projects, { count: 100_000, read: 100_000 }));
    expect(summary.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(102);
    expect(summary).toContain('… and 99,900 projects more.');
    expect(Buffer.byteLength(summary)).toBeLessThan(256 * 1024);
    expect(faultsOfSummary(summary)).toEqual([]);
  });

  test('names what is missing of a partial listing, each whole', () => {
    const missing = Array.from({ length: 60 }, (_, index) => `missing-${index}`);
    const failed = {
      result: 'failed',
      title: 'x',
      message: 'Some are missing.',
      missing,
      read: 5,
      requests: 9,
      elapsedMs: 1,
    } as const;
    const summary = listSummary(failed);
    expect(summary).toMatch(
      /^### ❌ The projects could not be listed\n\nSome are missing.\n\nNot listed:\n\n- <code>missing-0<\/code>\n/,
    );
    expect(summary).toContain('- … and 10 projects more');
    expect(faultsOfSummary(summary)).toEqual([]);
  });

  test('is broken by no field of any project', () => {
    const name = hostileText();
    const project = fc.record({
      id: name,
      name,
      region_id: name,
      pg_version: fc.integer(),
      created_at: name,
    });
    fc.assert(
      fc.property(
        fc.array(project, { maxLength: 5 }),
        fc.array(name),
        name,
        (projects, missing, message) => {
          expect(faultsOfSummary(listSummary(report(projects)))).toEqual([]);
          const failed = {
            result: 'cancelled',
            title: 'x',
            message,
            missing,
            read: 5,
            requests: 9,
            elapsedMs: 1,
          } as const;
          expect(faultsOfSummary(listSummary(failed))).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the log of a listing', () => {
  const printed = (...events: ListEvent[]) => {
    const { log } = stage.runner();
    stage.printed();
    const observe = listLog(log);
    for (const event of events) observe(event);
    return stage.effects();
  };
  const text = (effect: ReturnType<typeof printed>[number]): string =>
    effect.kind === 'print'
      ? effect.text
      : effect.kind === 'issue'
        ? `${effect.level}: ${effect.message}`
        : effect.kind;

  test('has a line for each event', () => {
    const error = new ControlApiError('busy', {
      attempt: 'list the projects',
      finding: 'the service answered 423',
    });
    expect(
      printed(
        { type: 'begun', orgId: undefined },
        { type: 'begun', orgId: 'org-1' },
        { type: 'retry', error, pauseMs: 60_000 },
        { type: 'partial', missing: ['p-1', 'p-2'], pauseMs: 500 },
        { type: 'alive', read: 12_000, requests: 30, elapsedMs: 30_000 },
      ).map(text),
    ).toEqual([
      'Listing the projects of the account.',
      'Listing the projects of organisation org-1.',
      'Failed to list the projects: the service answered 423. Trying again in 1m.',
      'The service could not read 2 projects (p-1 and p-2). Asking again in 500ms.',
      'Still listing: 12,000 projects and 30 requests in 30s.',
    ]);
  });

  test('names what is missing once, until it is something else', () => {
    const lines = printed(
      ...[['p-1'], ['p-1'], ['p-1', 'p-2'], ['p-1', 'p-2'], ['p-1']].map(
        (missing) => ({ type: 'partial', missing, pauseMs: 500 }) as const,
      ),
    ).map(text);
    expect(lines).toEqual([
      expect.stringContaining('1 project (p-1)'),
      expect.stringContaining('2 projects (p-1 and p-2)'),
      expect.stringContaining('1 project (p-1)'),
    ]);
  });

  const end = (listed: Listed, file: string, leftOut: string[] = []) => {
    const runner = stage.runner();
    stage.printed();
    showListEnd(runner, listed, file, leftOut);
    return stage.effects();
  };

  test('ends with the projects behind a title, and where all of them are', () => {
    const projects = [
      { id: 'p-1', name: 'shop', region_id: 'aws', pg_version: 17 },
      { id: 'p-2', name: 'web' },
    ];
    expect(end(report(projects, { count: 3, read: 9 }), '/tmp/all.json').map(text)).toEqual([
      '##[group]3 projects',
      'shop (p-1), aws, Postgres 17',
      'web (p-2)',
      '… and 1 project more',
      '##[endgroup]',
      'Listed 9 projects, of which 3 match (2 requests, 1.2s).',
      'In full: /tmp/all.json',
    ]);
  });

  test('says which outputs were left out', () => {
    const projects = [{ id: 'p-1', name: 'shop' }];
    const warnings = (leftOut: string[]) =>
      end(report(projects), '/a.json', leftOut)
        .map(text)
        .filter((line) => line.startsWith('warning'));
    expect(warnings(['projects'])).toEqual([
      'warning: The output projects is left out: with the others it would be larger than the 1 MiB that GitHub takes. The file /a.json has every project in full.',
    ]);
    expect(warnings(['projects', 'matrix'])).toEqual([
      expect.stringMatching(
        /^warning: The outputs projects and matrix are left out: with the others they/,
      ),
    ]);
  });
});

describe('the outputs of a listing', () => {
  const texts = (count: number, json: string, name = 'n') => {
    const collected = new ListTexts();
    for (let index = 0; index < count; index += 1)
      collected.add({ project: { id: `p-${index}`, name }, json });
    return collected.outputs(report([], { count }), '/a.json');
  };
  const size = (outputs: Readonly<Record<string, string>>): number =>
    Object.values(outputs).reduce((sum, one) => sum + Buffer.byteLength(one), 0);

  test('are all there as long as they fit, to the last byte', () => {
    const small = size(texts(1, '').outputs);
    const room = 1024 * 1024 - small;
    const exact = texts(1, 'x'.repeat(room));
    expect(exact.leftOut).toEqual([]);
    expect(size(exact.outputs)).toBe(1024 * 1024);
    expect(texts(1, 'x'.repeat(room + 1)).leftOut).toEqual(['projects']);
    // Bytes, not characters.
    expect(texts(1, 'ü'.repeat(Math.ceil(room / 2) + 1)).leftOut).toEqual(['projects']);
  });

  test('lose the largest first, whichever it is', () => {
    expect(texts(9000, '{"x":1}', 'n'.repeat(60)).leftOut).toEqual(['matrix']);
    expect(texts(15_000, 'x'.repeat(90)).leftOut).toEqual(['projects', 'matrix']);
    expect(texts(15_000, 'x'.repeat(90)).outputs['project-ids']).toContain('"p-14999"');
    const all = texts(200_000, 'x');
    expect(all.leftOut.toSorted()).toEqual(['matrix', 'project-ids']);
    expect(all.outputs).toMatchObject({ count: '200000', 'projects-file': '/a.json' });
  });

  test('that are kept are JSON', () => {
    const { outputs } = texts(3, '{"x":1}');
    expect(JSON.parse(outputs.projects ?? '')).toEqual([{ x: 1 }, { x: 1 }, { x: 1 }]);
    expect(JSON.parse(outputs['project-ids'] ?? '')).toEqual(['p-0', 'p-1', 'p-2']);
    expect(JSON.parse(outputs.matrix ?? '').include).toHaveLength(3);
  });
});
