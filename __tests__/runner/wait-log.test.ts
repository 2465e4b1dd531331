import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ControlApiError } from '../../src/control-api/errors.ts';
import { showWaitEnd, waitLog } from '../../src/runner/wait-log.ts';
import type { WaitEvent } from '../../src/wait-operations/events.ts';
import { type Change, Ledger } from '../../src/wait-operations/ledger.ts';
import type { Discovery, WaitSettings } from '../../src/wait-operations/settings.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { hostileText } from '../support/hostile-text.ts';
import { githubStage } from './github-stage.ts';
import { operation, report } from './reports.ts';

const stage = githubStage();
afterAll(stage.close);
beforeEach(() => {
  stage.printed();
});

const SETTINGS: WaitSettings = {
  selection: { kind: 'given', operations: [] },
  pollIntervalMs: 5000,
  timeoutMs: 600_000,
  failFast: true,
  failedGraceMs: 0,
  requestTimeoutMs: 30_000,
};
const DISCOVERY: Discovery = {
  kind: 'discovery',
  projectId: 'p1',
  branchId: undefined,
  actions: [],
  requireActions: [],
  since: undefined,
};

/** What the runner makes of these events: the lines of the log, and the annotations. */
function show(...events: WaitEvent[]) {
  const { log } = stage.runner();
  stage.printed();
  const observe = waitLog(log, new FakeClock(), SETTINGS);
  for (const event of events) observe(event);
  return split();
}

function split() {
  const effects = stage.effects();
  return {
    lines: effects.flatMap((effect) => (effect.kind === 'print' ? [effect.text] : [])),
    issues: effects.flatMap((effect) =>
      effect.kind === 'issue' ? [`${effect.level}: ${effect.message}`] : [],
    ),
    others: effects.filter(({ kind }) => kind !== 'print' && kind !== 'issue'),
  };
}

/** The changes of operations that were running and are now so. */
function changes(count: number, to: string, fields = {}): Change[] {
  const ledger = new Ledger(0);
  return Array.from({ length: count }, (_, index) => {
    const watched = ledger.watch({ projectId: 'p1', id: `o${index}` });
    ledger.record(watched, operation(`o${index}`, 'running', fields), 0);
    const change = ledger.record(watched, operation(`o${index}`, to, fields), 0);
    if (change === undefined) throw new Error('Nothing changed.');
    return change;
  });
}

describe('the log', () => {
  test('has one line for a change, with what it was and what it is', () => {
    const { lines } = show({ type: 'changed', changes: changes(2, 'finished') });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/create_branch o0: running → finished$/);
  });

  test('has ten lines for a thousand changes; some of the rest open with a click', () => {
    const { lines } = show({ type: 'changed', changes: changes(1000, 'finished') });
    expect(lines).toHaveLength(10 + 1 + 200 + 1 + 1);
    expect(lines[10]).toBe('##[group]… and 990 changes more');
    expect(lines[11]).toContain('create_branch o10: running → finished');
    expect(lines.at(-2)).toBe('… and 790 changes more');
    expect(lines.at(-1)).toBe('##[endgroup]');
  });

  test('says why an operation failed, and that a skipped one counts as finished', () => {
    const failed = show({ type: 'changed', changes: changes(1, 'failed', { error: 'no space' }) });
    expect(failed.lines[0]).toMatch(/running → failed.*no space/);
    const skipped = show({ type: 'changed', changes: changes(1, 'skipped') });
    expect(skipped.lines[0]).toContain('skipped (counts as finished)');
  });

  test('begins each line with the time since the begin', async () => {
    const clock = new FakeClock();
    const { log } = stage.runner();
    stage.printed();
    const observe = waitLog(log, clock, SETTINGS);
    await clock.advance(65_000);
    observe({ type: 'recovered', afterMs: 3000 });
    expect(split().lines[0]).toMatch(/^ *1m 5s {2}The service answers again, after 3s/);
  });

  test('names a few of many that are pending, and the time that is left', () => {
    const pending = report(Array.from({ length: 500 }, (_, n) => operation(`o${n}`, 'running')));
    const { lines } = show({
      type: 'alive',
      pending: pending.operations,
      missing: [],
      elapsedMs: 30_000,
      restMs: 570_000,
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/500 operations: .*o0 .*o1 .*498 more; 9m 30s left/);
    expect(lines[0]?.length).toBeLessThan(200);
  });

  test('warns of a required action that any branch may satisfy, only then', () => {
    const begun = (discovery: Partial<Discovery>) =>
      show({ type: 'begun', given: undefined, discovery: { ...DISCOVERY, ...discovery } }).issues;
    expect(begun({ requireActions: ['create_branch'] })).toEqual([
      expect.stringMatching(/^warning: require-actions.*branch-id/),
    ]);
    expect(begun({ requireActions: ['create_branch'], branchId: 'br-1' })).toEqual([]);
    expect(begun({})).toEqual([]);
  });

  test('says what is waited for', () => {
    const discovery = { ...DISCOVERY, branchId: 'br-1', requireActions: ['create_branch'] };
    const { lines } = show({ type: 'begun', given: undefined, discovery });
    expect(lines[0]).toMatch(/br-1.*p1.*create_branch.*10m/);
    expect(show({ type: 'begun', given: 3 }).lines[0]).toMatch(/3 operations.*10m/);
  });
});

describe('whatever the service calls things', () => {
  test('the log prints one line for each event and obeys nothing', () => {
    const text = hostileText();
    fc.assert(
      fc.property(text, text, text, text, text, (id, action, status, error, message) => {
        const seen = operation(id || 'x', status, { action, error, branch_id: message });
        const [watched] = report([seen]).operations;
        if (watched === undefined) throw new Error('Nothing is watched.');
        const fault = new ControlApiError('busy', {
          attempt: 'look',
          finding: 'the service answered 423',
        });
        const change = { operation: watched, from: status, to: `${status}!`, ended: false };
        const { lines, issues, others } = show(
          { type: 'changed', changes: [{ ...change, inGrace: false }] },
          { type: 'changed', changes: [{ ...change, from: undefined, inGrace: true }] },
          { type: 'unknown-status', status, operation: watched },
          { type: 'stuck', ids: [id, id] },
          { type: 'outage', error: fault },
          { type: 'alive', pending: [watched], missing: [], elapsedMs: 1, restMs: 1 },
        );
        expect(others).toEqual([]);
        expect(lines).toHaveLength(4);
        expect(issues).toHaveLength(2);
        for (const shown of [...lines, ...issues])
          expect(shown).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the end', () => {
  const end = (...args: Parameters<typeof report>) => {
    const runner = stage.runner();
    stage.printed();
    showWaitEnd(runner, report(...args), false);
    return split();
  };

  test('of a good wait is a line and no annotation', () => {
    const { lines, issues } = end([operation('a', 'finished')], { message: 'It is ready.' });
    expect(lines).toEqual(['It is ready.']);
    expect(issues).toEqual([]);
  });

  test('of a wait that found nothing warns, and says what was looked for', () => {
    const selection = { ...DISCOVERY, branchId: 'br-typo' };
    const { issues } = end([], { selection });
    expect(issues).toEqual([expect.stringMatching(/^warning: .*br-typo.*p1.*require-actions/)]);
  });

  test('of a failed wait names each failed operation, ten annotations in all', () => {
    const failed = Array.from({ length: 30 }, (_, n) => operation(`bad-${n}`, 'failed'));
    const { lines, issues } = end(failed, { result: 'failed', message: 'All is lost.' });
    expect(issues).toHaveLength(10);
    expect(issues.at(-1)).toBe('error: All is lost.');
    expect(lines).toHaveLength(21);
    for (const { id } of failed)
      expect([...lines, ...issues].filter((text) => text.includes(`${id},`))).toHaveLength(1);
  });

  test('of a wait with one failed operation says it once', () => {
    const { issues } = end([operation('bad', 'failed')], {
      result: 'failed',
      message: 'bad failed',
    });
    expect(issues).toEqual(['error: bad failed']);
  });

  test('says that an output was left out', () => {
    const runner = stage.runner();
    stage.printed();
    showWaitEnd(runner, report([operation('a', 'finished')]), true);
    expect(split().issues).toEqual([expect.stringMatching(/^warning: .*operations.*1 MiB/)]);
  });
});
