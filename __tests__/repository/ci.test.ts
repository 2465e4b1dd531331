import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { repository } from '../../harness/paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'ci-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a copy of `.ci/run` where `npm` only notes its arguments, and behaves as told for `npm test` and one command. */
function run(counted: Record<string, number> | undefined, failing = 'nothing', leaves = '') {
  const root = mkdtempSync(join(folder, 'clone-'));
  mkdirSync(join(root, '.ci'));
  copyFileSync(join(repository, '.ci/run'), join(root, '.ci/run'));
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  const bin = mkdtempSync(join(folder, 'bin-'));
  const results = JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    numTotalTests: Object.values(counted ?? {}).reduce((sum, count) => sum + count, 0),
    ...counted,
  });
  writeFileSync(
    join(bin, 'npm'),
    `#!/usr/bin/env bash
echo "npm $*"
case "$*" in
  test*)
    printf 'Tests:       \\033[1mcoloured\\033[0m\\n'
    for argument; do case $argument in --outputFile=*) printf '%s' '${results}' > "\${argument#*=}" ;; esac; done ;;
esac
${leaves === '' ? '' : `touch '${leaves}'`}
case "$*" in *'${failing}'*) exit 3 ;; esac
exit 0
`,
  );
  chmodSync(join(bin, 'npm'), 0o755);
  const { status, stdout } = spawnSync(join(root, '.ci/run'), {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
  });
  return { status, stdout, last: stdout.trimEnd().split('\n').at(-1) };
}

describe('.ci/run', () => {
  test('goes through every stage and ends with jest’s count', () => {
    const { status, stdout, last } = run({ numPassedTests: 7 });
    expect(status).toBe(0);
    expect(last).toBe('7 passed, 0 failed');
    const stages = [...stdout.matchAll(/^── (.+): passed, \d+ s$/gm)].map(([, name]) => name);
    expect(stages).toEqual([
      'install',
      'lint',
      'types',
      'dist',
      'docs',
      'tests',
      'clients',
      'demo',
      'workflow files',
      'workflows',
      'clean tree',
    ]);
    // Jest's own summary stands at the end as well as in its stage, there without colours.
    expect(stdout).toContain('\nTests:       coloured\n');
  });

  test('says how many tests were skipped', () => {
    const counted = { numPassedTests: 7, numPendingTests: 2, numTodoTests: 1 };
    expect(run(counted).last).toBe('7 passed, 0 failed, 3 skipped');
  });

  test('fails with failing tests, and goes no further', () => {
    const { status, stdout, last } = run({ numPassedTests: 7, numFailedTests: 1 }, 'test --');
    expect(status).not.toBe(0);
    expect(last).toBe('7 passed, 1 failed');
    expect(stdout).toContain('Failed: tests.');
    expect(stdout).not.toContain('run demo');
  });

  test('fails without any test', () => {
    const { status, last } = run({});
    expect(status).not.toBe(0);
    expect(last).toBe('0 passed, 0 failed');
  });

  test('fails at the first stage that fails, with the closing line all the same', () => {
    const { status, stdout, last } = run({ numPassedTests: 7 }, 'run lint');
    expect(status).toBe(3);
    expect(stdout).toContain('── lint: failed (3)');
    expect(stdout).not.toContain('npm test');
    expect(stdout).toContain('The tests did not run.');
    expect(last).toBe('0 passed, 0 failed');
  });

  test('fails when a stage after the tests fails, with their count', () => {
    const { status, last } = run({ numPassedTests: 7 }, 'run demo');
    expect(status).toBe(3);
    expect(last).toBe('7 passed, 0 failed');
  });

  test('fails when something is left in the tree', () => {
    const { status, stdout, last } = run({ numPassedTests: 7 }, 'nothing', 'left-behind');
    expect(status).not.toBe(0);
    expect(stdout).toContain('left-behind');
    expect(last).toBe('7 passed, 0 failed');
  });
});
