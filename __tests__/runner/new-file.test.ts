import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Secret } from '../../src/secret.ts';
import { githubStage } from './github-stage.ts';

const stage = githubStage();
afterAll(stage.close);

describe('a new file', () => {
  const below = (folder: string) => readdirSync(join(stage.workspace, folder)).toSorted();

  test('is in its place once it is whole, without secrets, and not before', () => {
    const runner = stage.runner();
    runner.mask(new Secret('caller-key-1'));
    const file = runner.createFile('lists/deep/all.json', 'x');
    expect(file.path).toBe(join(stage.workspace, 'lists/deep/all.json'));
    file.write('one caller-key-1, ');
    file.write('two');
    expect(below('lists/deep')).not.toContain('all.json');
    file.finish();
    expect(below('lists/deep')).toEqual(['all.json']);
    expect(readFileSync(file.path, 'utf8')).toBe('one ***, two');
    file.discard();
    expect(below('lists/deep')).toEqual(['all.json']);
  });

  test('that is not finished leaves what was there before, and nothing else', () => {
    const path = join(stage.workspace, 'old.json');
    writeFileSync(path, 'old');
    const before = below('.');
    const file = stage.runner().createFile('old.json', 'x');
    file.write('half');
    file.discard();
    expect(below('.')).toEqual(before);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  test('of its own lies in RUNNER_TEMP, each time another', () => {
    process.env.RUNNER_TEMP = join(stage.workspace, 'temp');
    const paths = [1, 2].map(() => {
      const file = stage.runner().createFile(undefined, 'all.json');
      file.finish();
      return file.path;
    });
    for (const path of paths) expect(path).toMatch(/[/\\]temp[/\\][0-9a-f-]{36}-all\.json$/);
    expect(new Set(paths).size).toBe(2);
  });

  test('says why it cannot be: at once, or when it is finished', () => {
    const runner = stage.runner();
    mkdirSync(join(stage.workspace, 'folder'));
    writeFileSync(join(stage.workspace, 'taken'), '');
    const code = (act: () => unknown): unknown => {
      try {
        return act();
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
    };
    expect(code(() => runner.createFile('folder', 'x'))).toBe('EISDIR');
    expect(['ENOTDIR', 'EEXIST']).toContain(code(() => runner.createFile('taken/x', 'x')));
    const late = runner.createFile('late', 'x');
    mkdirSync(join(stage.workspace, 'late'));
    expect(code(() => late.finish())).toMatch(/^(EISDIR|EPERM|ENOTEMPTY)$/);
    expect(below('.').filter((name) => name.includes('.part'))).toEqual([]);
  });
});

test('a group opens with its title and closes behind its lines, and none of them is a command', () => {
  const { log } = stage.runner();
  stage.printed();
  log.group('a\n::error::x ##[add-mask]', ['b', '::endgroup::', '##[endgroup]c']);
  expect(stage.effects()).toEqual([
    { kind: 'print', text: '##[group]a ::error::x ## [add-mask]' },
    { kind: 'print', text: 'b' },
    { kind: 'print', text: ': :endgroup::' },
    { kind: 'print', text: '## [endgroup]c' },
    { kind: 'print', text: '##[endgroup]' },
  ]);
});
