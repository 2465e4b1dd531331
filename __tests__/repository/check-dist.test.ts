import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { compareFolders, describeDifferences } from '../../scripts/check-dist.ts';

const folder = mkdtempSync(join(tmpdir(), 'dist-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function made(name: string, files: Record<string, string>): string {
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, name, file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
  }
  return join(folder, name);
}

test('folders that agree to the byte have no differences', () => {
  const files = { 'index.js': 'a\n', 'deep/x.js': 'b' };
  const differences = compareFolders(made('one', files), made('two', files));
  expect(differences).toEqual({ missing: [], additional: [], different: [] });
  expect(describeDifferences(differences)).toBe('');
});

test('missing, additional and different files are named, with what to do', () => {
  const wanted = made('wanted', { 'index.js': 'a\n', '1.js': '', 'deep/x.js': 'b' });
  const found = made('found', { 'index.js': 'a\r\n', 'deep/x.js': 'b', 'deep/old.js': 'c' });
  const differences = compareFolders(wanted, found);
  expect(differences).toEqual({
    missing: ['1.js'],
    additional: ['deep/old.js'],
    different: ['index.js'],
  });
  expect(describeDifferences(differences)).toContain('npm run build');
  expect(describeDifferences(differences)).toContain('dist/deep/old.js');
});

test('a folder that is not there lacks everything', () => {
  const wanted = made('all', { 'index.js': '' });
  expect(compareFolders(wanted, join(folder, 'absent')).missing).toEqual(['index.js']);
});
