import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseHttpDate } from '../../src/control-api/service-clock.ts';
import { INPUTS, type Mode } from '../../src/inputs/catalog.ts';
import { parseTarget } from '../../src/inputs/rotate.ts';
import { targetName } from '../../src/rotate-key/settings.ts';
import { anyText, hostileText } from '../support/hostile-text.ts';
import { scene } from '../support/scene.ts';
import { BAD, GOOD } from './bad.ts';
import { refusal } from './form.ts';

const MODES = Object.keys(BAD) as Mode[];
/** Input, rule and example, on one line. */
const FAULT = /^([a-z-]+): \S.*\. Allowed: \S.*\. Example: \S.*$/u;

const namesOf = (faults: readonly string[]): (string | undefined)[] =>
  // One input may break two rules.
  [...new Set(faults.map((fault) => FAULT.exec(fault)?.[1]))];

describe.each(MODES)('in mode %s', (mode) => {
  test('every input has bad values, but for those that hold JSON or a path', () => {
    const inputs = Object.entries(INPUTS).filter(([, one]) => [undefined, mode].includes(one.mode));
    const missing = inputs.map(([name]) => name).filter((name) => !(name in BAD[mode]));
    const elsewhere = ['mode', 'operation-ids', 'operations', 'operations-file'];
    expect(missing.filter((name) => !elsewhere.includes(name))).toEqual([]);
  });

  test.each(Object.entries(BAD[mode]))('a bad %s alone is named', (name, values) => {
    for (const value of values) {
      const { faults } = refusal({ mode, ...GOOD[mode], [name]: value });
      expect([value, namesOf(faults)]).toEqual([value, [name]]);
    }
  });

  test.concurrent('the bundle names all that is bad in one call at once, and sends nothing', () =>
    scene({}, async ({ simulator, wait }) => {
      const most = Math.max(...Object.values(BAD[mode]).map(({ length }) => length));
      for (let nth = 0; nth < most; nth += 2) {
        const bad = Object.fromEntries(
          Object.entries(BAD[mode]).map(([name, values]) => [
            name,
            values[nth % values.length] ?? '',
          ]),
        );
        const step = await wait({ mode, ...GOOD[mode], ...bad });
        expect(step.exitCode).toBe(1);
        expect(step.errors).toHaveLength(1);
        const told = (step.errors[0] ?? '').split('\n').filter((line) => line.startsWith('- '));
        const named = new Set(namesOf(told.map((line) => line.slice(2))));
        expect([...named].sort()).toEqual(Object.keys(bad).sort());
      }
      expect(simulator.requests).toEqual([]);
    }));
});

describe('contradictions are refused', () => {
  test.each([
    [{ 'secret-name': '', 'secret-targets': 'environment:x' }, 'secret-targets'],
    [{ 'secret-name': 'KEY', 'github-token': '' }, 'github-token'],
    [{ 'secret-targets': '[]' }, 'secret-targets'],
  ])('%j', (given, name) => {
    const { faults } = refusal({ mode: 'rotate-key', ...GOOD['rotate-key'], ...given });
    expect(namesOf(faults)).toEqual([name]);
  });
});

describe('parsers take what they name, and nothing else', () => {
  const text = fc.oneof(hostileText(), anyText(30));
  const kind = fc.constantFrom('repository', 'environment', 'organization', 'dependabot', 'other');

  test('a target is read back as it is written', () => {
    let taken = 0;
    const part = fc.oneof(fc.constantFrom('octo-org/shop', 'octo-org', 'o/r/prod', 'a/..'), text);
    fc.assert(
      fc.property(kind, part, (given, rest) => {
        const target = parseTarget(`${given}:${rest}`, 'octo-org/shop');
        if (target === undefined) return;
        taken += 1;
        const written = targetName(target);
        expect(written).not.toMatch(/[\p{Cc}]/u);
        expect(targetName(parseTarget(written, 'other/other') ?? target)).toBe(written);
        if ('repo' in target) expect(['.', '..']).not.toContain(target.repo);
      }),
      { numRuns: 500 },
    );
    expect(taken).toBeGreaterThan(20);
  });

  test('an HTTP date is read back as it is written, other text is none', () => {
    const earliest = new Date(0);
    const date = fc.date({ min: earliest, max: new Date('2200-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (one) => {
        expect(parseHttpDate(one.toUTCString())).toBe(Math.floor(one.getTime() / 1000) * 1000);
      }),
    );
    fc.assert(fc.property(text, (any) => expect(parseHttpDate(any)).toBeNaN()));
  });
});
