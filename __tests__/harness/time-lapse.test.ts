import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parseAction } from '../../harness/action-yml.ts';
import { runStep } from '../../harness/run-step.ts';

const folder = mkdtempSync(join(tmpdir(), 'time-lapse-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const timeLapse = new URL('../../harness/time-lapse.mjs', import.meta.url).href;
const action = parseAction('runs: {using: node24, main: main.js}');

async function lapsed(script: string, factor?: string) {
  const entry = join(folder, 'script.mjs');
  writeFileSync(entry, script);
  return runStep({
    inputs: {},
    action,
    entry,
    nodeArgs: ['--import', timeLapse],
    env: factor === undefined ? {} : { TIME_LAPSE: factor },
  });
}

test('ten minutes pass in seconds, on every clock', async () => {
  const step = await lapsed(
    `
    import { setTimeout as sleep, setInterval as ticks } from 'node:timers/promises';
    import timers from 'node:timers';
    import { promisify } from 'node:util';
    const begun = { date: Date.now(), made: new Date(), monotonic: performance.now(), old: process.hrtime(), big: process.hrtime.bigint() };
    await new Promise((resolve) => setTimeout(resolve, 100_000, 'value'));
    await sleep(100_000);
    await promisify(setTimeout)(100_000);
    await new Promise((resolve) => timers.setTimeout(resolve, 100_000));
    const interval = await new Promise((resolve) => { const timer = setInterval(() => resolve(timer), 100_000); });
    clearInterval(interval);
    await new Promise((resolve) => AbortSignal.timeout(100_000).addEventListener('abort', resolve) ?? setTimeout(() => {}, 200_000));
    console.log(JSON.stringify([
      (Date.now() - begun.date) / 1000,
      (new Date() - begun.made) / 1000,
      (performance.now() - begun.monotonic) / 1000,
      process.hrtime(begun.old)[0],
      Number(process.hrtime.bigint() - begun.big) / 1e9,
    ]));`,
    '500',
  );
  expect(step.stderr).toBe('');
  const seconds = JSON.parse(String(step.log[0])) as number[];
  for (const passed of seconds) {
    expect(passed).toBeGreaterThan(599);
    // Generous, because a millisecond of a busy machine is half a second here.
    expect(passed).toBeLessThan(1_200);
  }
  expect(step.durationMs).toBeLessThan(10_000);
});

test('dates stay dates', async () => {
  const step = await lapsed(
    `
    console.log(new Date(0).toISOString(), Date.parse('1970-01-01T00:00:01Z'), Date.UTC(1970, 0, 2));
    console.log(new Date() instanceof Date, structuredClone(new Date(1)) instanceof Date, {} instanceof Date);
    console.log(typeof Date(), new Date().constructor === Date, Math.abs(Date.now() - new Date()) < 1000);
    class Later extends Date {}
    console.log(new Later(5).getTime());`,
    '50',
  );
  expect(step.log).toEqual([
    '1970-01-01T00:00:00.000Z 1000 86400000',
    'true true false',
    'string true true',
    '5',
  ]);
});

test('a delay that Node cannot keep stays one', async () => {
  const step = await lapsed(
    `const begun = performance.now();
     setTimeout(() => console.log(performance.now() - begun < 60_000), 2 ** 31);`,
    '50',
  );
  expect(step.stdout).toBe('true\n');
  expect(step.stderr).toContain('TimeoutOverflowWarning');
});

test('without a factor nothing runs', async () => {
  expect(await lapsed(`console.log('ran')`)).toMatchObject({
    succeeded: false,
    log: expect.not.arrayContaining(['ran']),
  });
});
