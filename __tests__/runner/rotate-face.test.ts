import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ListedKey } from '../../src/rotate-key/generations.ts';
import type { RotateReport } from '../../src/rotate-key/report.ts';
import type { RotationEnd, RotationOrder } from '../../src/rotate-key/rotation.ts';
import { showRotateEnd } from '../../src/runner/rotate-log.ts';
import { afterJobSummary, rotateSummary } from '../../src/runner/rotate-summary.ts';
import { hostileText } from '../support/hostile-text.ts';
import { faultsOfSummary } from '../support/summary.ts';
import { githubStage } from './github-stage.ts';

const stage = githubStage();
afterAll(stage.close);

const DAY = 86_400_000;
const ORDER: RotationOrder = {
  keyName: 'octo-org/shop/deploy',
  oldKeyIds: undefined,
  revokeOld: 'immediately',
  keepPrevious: 1,
  rotateAfterMs: undefined,
  dryRun: false,
  targets: 2,
};
const key = (id: string, days: number): ListedKey => ({
  id,
  name: ORDER.keyName,
  ageMs: days * DAY,
});
const GENERATIONS = [key('12', 31), key('11', 61)];
const PLAN = {
  generations: GENERATIONS,
  fresh: false,
  revoke: [],
  keep: [],
  young: [],
  orphans: [],
};
const END: RotationEnd = {
  result: 'rotated',
  rotated: true,
  newKeyId: '9223372036854775807',
  plan: { ...PLAN, revoke: GENERATIONS.slice(1), keep: GENERATIONS.slice(0, 1) },
  stored: ['yes', 'yes'],
  revoked: ['11'],
  pending: [],
  updatedAt: [],
  appeared: [],
  valid: undefined,
  wrongKey: false,
  problems: [],
};

function report(
  end: Partial<RotationEnd> = {},
  order: Partial<RotationOrder> = {},
  fields: Partial<RotateReport> = {},
): RotateReport {
  return {
    order: { ...ORDER, ...order },
    secretName: 'DATABASE_API_KEY',
    targets: ['repository:octo-org/shop', 'environment:octo-org/shop/production'],
    end: { ...END, ...end },
    newKey: undefined,
    ...fields,
  };
}

/** The row of a key: what became of it, until when it is valid, its age. */
function rowOf(summary: string, id: string): string[] {
  const line = summary.split('\n').find((one) => one.startsWith(`| <code>${id}</code> `)) ?? '';
  return line
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.replace('&nbsp;', ' ').trim());
}

describe('the summary of a rotation', () => {
  test('says which key replaced which, what is valid and until when, and where it is stored', () => {
    const summary = rotateSummary(report());
    expect(summary).toMatch(/^### 🔑 The key was rotated\n/);
    expect(summary).toContain('The new key 9223372036854775807 of the name');
    expect(summary).toContain('replaces 12 ');
    expect(rowOf(summary, '9223372036854775807')).toEqual([
      '🔑 new',
      'the next rotation replaces it',
      'just created',
    ]);
    expect(rowOf(summary, '12')).toEqual(['✅ kept', 'a later rotation revokes it', '31d']);
    expect(rowOf(summary, '11')).toEqual(['🚫 revoked', '–', '61d']);
    expect(summary).toContain('| <code>repository&#58;octo-org&#47;shop</code> | ✅ stored |');
    expect(faultsOfSummary(summary)).toEqual([]);
  });

  test('has a picture of it: a dotted line from what is still valid', () => {
    const summary = rotateSummary(report());
    const [, diagram = ''] = /```mermaid\n([^`]*)```/.exec(summary) ?? [];
    expect(diagram.split('\n').map((line) => line.trim())).toEqual([
      'flowchart LR',
      'new["🔑 key 9223372036854775807"]',
      'old0["key 12<br/>✅ kept"]',
      'old0 -.->|replaced by| new',
      'old1["key 11<br/>🚫 revoked"]',
      'old1 --> new',
      'class old1 gone',
      'to0["DATABASE_API_KEY<br/>repository:<br/>octo-org/shop"]',
      'new ==>|stored in| to0',
      'to1["DATABASE_API_KEY<br/>environment:<br/>octo-org/shop/production"]',
      'new ==>|stored in| to1',
      'classDef gone stroke-dasharray:4,color:#888',
      '',
    ]);
  });

  test.each([
    [
      'left to the end of the job',
      { revoked: [], pending: ['11'] },
      { revokeOld: 'after-job' },
      '11',
      ['⏳ to be revoked', 'this job succeeds, or the next rotation'],
    ],
    [
      'never revoked',
      { revoked: [] },
      { revokeOld: 'never' },
      '11',
      ['✅ kept', 'somebody revokes it'],
    ],
    [
      'too young',
      { revoked: [], plan: { ...PLAN, keep: GENERATIONS, young: GENERATIONS.slice(0, 1) } },
      {},
      '12',
      ['⚠️ kept, because it is young', 'the next rotation revokes it'],
    ],
    [
      'without a holder',
      { appeared: ['13'] },
      {},
      '13',
      ['⚠️ appeared without an answer; nobody holds it', 'the next rotation revokes it'],
    ],
    [
      'after a fault, listed since',
      { result: 'failed', revoked: [], valid: ['11', '12'] },
      {},
      '12',
      ['✅ left valid', 'the next rotation, which brings everything in order'],
    ],
    [
      'after a fault, not listed since',
      { result: 'failed', revoked: [], valid: ['12'] },
      {},
      '11',
      ['❔ not in the list any more', '–'],
    ],
    [
      'after a fault, not checked since',
      { result: 'failed', revoked: [] },
      {},
      '12',
      ['✅ left valid', 'not checked after the fault'],
    ],
    [
      'of a dry run',
      { result: 'dry-run', newKeyId: undefined, revoked: [], stored: [] },
      {},
      '11',
      ['🚫 would be revoked', 'a rotation that is not dry'],
    ],
    [
      'that is fresh',
      { result: 'fresh', newKeyId: undefined, revoked: [], stored: [] },
      { rotateAfterMs: 45 * DAY },
      '12',
      ['🔑 fresh', 'it is rotated, which is due in 14d'],
    ],
    ['of another name', { revoked: ['99'] }, { oldKeyIds: ['99'] }, '99', ['🚫 revoked', '–']],
  ] as const)('a key %s', (_what, end, order, id, words) => {
    const summary = rotateSummary(
      report(end as Partial<RotationEnd>, order as Partial<RotationOrder>),
    );
    expect(rowOf(summary, id).slice(0, 2)).toEqual(words);
    expect(faultsOfSummary(summary)).toEqual([]);
  });

  test('of a thousand keys and targets is cut, with a count', () => {
    const generations = Array.from({ length: 1000 }, (_, index) => key(String(index + 1), index));
    const targets = generations.map(({ id }) => `repository:octo-org/shop-${id}`);
    const end = {
      plan: { ...PLAN, generations },
      revoked: [],
      stored: targets.map(() => 'yes' as const),
    };
    const summary = rotateSummary(report(end, {}, { targets }));
    expect(summary).toContain('… and 951 keys more.');
    expect(summary).toContain('… and 950 targets more.');
    expect(summary).toContain('more["995 more"]');
    expect(faultsOfSummary(summary)).toEqual([]);
  });

  test('is broken by no name and no message', () => {
    const name = hostileText();
    const names = fc.array(name, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        names,
        names,
        name,
        name,
        fc.boolean(),
        (places, problems, keyName, secretName, failed) => {
          const targets = places.map((place) => `environment:o/r/${place}`);
          const end = {
            stored: targets.map(
              (_target, index) => (['yes', 'perhaps', 'no'] as const)[index % 3] ?? 'no',
            ),
            problems: failed ? problems : [],
            result: failed ? 'failed' : 'rotated',
          } as const;
          const full = report(end, { keyName }, { targets, secretName });
          expect(faultsOfSummary(rotateSummary(full))).toEqual([]);
          expect(
            faultsOfSummary(afterJobSummary({ revoked: ['1'], valid: ['2'], problems }, ['2'])),
          ).toEqual([]);
          const runner = stage.runner();
          stage.printed();
          showRotateEnd(runner, full);
          const effects = stage.effects();
          expect(effects.filter(({ kind }) => kind !== 'print' && kind !== 'issue')).toEqual([]);
          const groups = effects.filter(
            (effect) => effect.kind === 'print' && /^##\[(end)?group\]/.test(effect.text),
          );
          expect(groups).toHaveLength(2);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the end of a rotation in the log', () => {
  const end = (...args: Parameters<typeof report>) => {
    const runner = stage.runner();
    stage.printed();
    showRotateEnd(runner, report(...args));
    return stage.effects();
  };

  test('opens the keys with a click, and says once how it ended', () => {
    const lines = end().flatMap((effect) => (effect.kind === 'print' ? [effect.text] : []));
    expect(lines).toEqual([
      '##[group]Keys of the name octo-org/shop/deploy',
      '9223372036854775807: new, just created; valid until the next rotation replaces it',
      '12: kept, 31d old; valid until a later rotation revokes it',
      '11: revoked, 61d old',
      '##[endgroup]',
      'The new key 9223372036854775807 of the name octo-org/shop/deploy works, replaces 12 and is stored in repository:octo-org/shop and environment:octo-org/shop/production; key 11 is revoked.',
    ]);
  });

  test('has an annotation that names a wrong key as such', () => {
    const nothing = {
      plan: undefined,
      newKeyId: undefined,
      stored: [],
      revoked: [],
      rotated: false,
    };
    const titleOf = (wrongKey: boolean) =>
      end({ ...nothing, result: 'failed', wrongKey, problems: ['It went wrong.'] }).map((effect) =>
        effect.kind === 'issue' ? effect.properties.title : effect.kind,
      );
    expect(titleOf(true)).toEqual(['Wrong API key']);
    expect(titleOf(false)).toEqual(['Rotation failed']);
  });
});
