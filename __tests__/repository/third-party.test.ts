import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repository } from '../../harness/paths.ts';
import { packagesIn, thirdParty, thirdPartyPage } from '../../scripts/third-party.ts';

const text = 'Permission is hereby granted … '.repeat(10);
const texts = `a\nMIT\n${text}\n\n\n@x/b\nISC\nshort\n\n\nc\nMIT\n${text}\n`;
const some = { version: '1.0.0', homepage: 'https://example.com/x' };

test('THIRD-PARTY.md names what is in the bundle (if not: `npm run docs`)', () => {
  const page = readFileSync(join(repository, 'THIRD-PARTY.md'), 'utf8');
  expect(page).toBe(thirdParty());
  // What the action needs by its own package.json is in it, save for our stand-in.
  const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const needed = Object.keys(dependencies).filter((name) => name !== 'undici');
  for (const name of needed) expect(page).toContain(`| [${name}](https://`);
});

test('a package is found by the path that the bundler notes, once', () => {
  const bundle = [
    ';// CONCATENATED MODULE: ./node_modules/p-map/index.js',
    '/***/ "./node_modules/@x/b/lib/a.js":',
    './node_modules/@x/b/lib/c.js ./node_modules/undici/index.cjs',
  ].join('\n');
  expect(packagesIn(bundle)).toEqual(['@x/b', 'p-map']);
});

test('a licence text that is missing is noticed, and so is a licence that asks for more', () => {
  const row = thirdPartyPage([{ ...some, name: 'c', license: 'MIT' }], texts);
  expect(row).toContain('| [c](https://example.com/x) | 1.0.0 | MIT |');
  const page = (name: string, license: string) => () =>
    thirdPartyPage([{ ...some, name, license }], texts);
  expect(page('@x/b', 'ISC')).toThrow('lacks the licence text of @x/b');
  expect(page('d', 'MIT')).toThrow('lacks the licence text of d');
  expect(page('a', 'GPL-3.0-only')).toThrow('a is licensed as GPL-3.0-only');
});
