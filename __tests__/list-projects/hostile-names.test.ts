import { expect, test } from '@jest/globals';
import { listing } from '../support/listing.ts';
import { faultsOfSummary } from '../support/summary.ts';

/** What somebody with the right to name projects may try. */
const NAMES = [
  '::error::pwned',
  'x\n::add-mask::shop',
  'x\r::stop-commands::t',
  '##[add-mask]shop',
  '##[error]x',
  '%0A::error::x',
  '\u001b[2J\u001b[31mred',
  '| a | b |\n| --- |',
  '<img src=x onerror=alert(1)><script>x</script>',
  '![x](https://evil.example/x.png) [y](javascript:z) www.evil.example @someone #1 :tada:',
  '```mermaid\ngantt\n```',
  '\u202eevil\u2066',
  `${'long '.repeat(2000)}`,
  '`*_~~**__',
  '{{ github.token }}',
  '',
];

test.concurrent('names from an account are data in the log, the summary and the outputs', () =>
  listing({}, async ({ list, simulator }) => {
    for (const [index, name] of NAMES.entries())
      simulator.addProject({ id: `p-${index}`, name, region_id: name, platform_id: name });
    const step = await list({}, { debug: true });
    expect(step.exitCode).toBe(0);
    // The key is masked; the group and its end are the action's own. Nothing else was a command.
    const names = step.commands.map(({ name, syntax }) => `${syntax}${name}`);
    expect(names.filter((name) => name !== '::debug')).toEqual([
      '::add-mask',
      '::group',
      '::endgroup',
    ]);
    expect(step.masks).toEqual([simulator.apiKey]);
    expect(step.annotations.filter(({ level }) => level !== 'debug')).toEqual([]);
    expect(faultsOfSummary(step.summary.trimEnd())).toEqual([]);
    expect(step.stdout).not.toMatch(/[\u001b\u202e]/);
    const given = JSON.parse(step.outputs.projects ?? '').map((one: { name: string }) => one.name);
    expect(given).toEqual(NAMES);
    const matrix = JSON.parse(step.outputs.matrix ?? '').include;
    expect(matrix.map((one: { name: string }) => one.name)).toEqual(NAMES);
  }));

test.concurrent('and so are the messages of the service', () =>
  listing({}, async ({ list, simulator }) => {
    for (const message of NAMES) {
      const { remove } = simulator.faults.add({ fault: { kind: 'status', status: 403, message } });
      const step = await list();
      remove();
      expect(step.exitCode).toBe(1);
      expect(step.commands.map(({ name }) => name)).toEqual(['add-mask', 'error']);
      expect(faultsOfSummary(step.summary.trimEnd())).toEqual([]);
    }
  }));
