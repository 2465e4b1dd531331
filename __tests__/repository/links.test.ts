import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repository } from '../../harness/paths.ts';

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

function anchorsOf(markdown: string): string[] {
  const prose = markdown.replace(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => anchorOf(String(heading)));
}

/** Links of a page to other files and to headings that lead nowhere. */
function deadLinks(file: string, read: (file: string) => string | undefined): string[] {
  const page = (read(file) ?? '').replace(/^```.*?^```$/gms, '');
  return [...page.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
    ([, path = '', anchor]) => {
      const text = read(path === '' ? file : join(dirname(file), path));
      const dead =
        text === undefined || (anchor !== undefined && !anchorsOf(text).includes(anchor));
      return dead ? [`${file}: ${path}${anchor === undefined ? '' : `#${anchor}`}`] : [];
    },
  );
}

test('every link of a page to another, or to a heading, leads somewhere', () => {
  const pages = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
    { cwd: repository, encoding: 'utf8' },
  )
    .trim()
    .split('\n');
  expect(pages).toContain('README.md');
  const read = (file: string) => {
    const path = join(repository, file);
    // A folder or a picture has no headings.
    if (!existsSync(path)) return undefined;
    return file.endsWith('.md') ? readFileSync(path, 'utf8') : '';
  };
  expect(pages.flatMap((page) => deadLinks(page, read))).toEqual([]);
});

test('and one that does not is noticed', () => {
  const files: Record<string, string> = {
    'a.md': '# Top\n[x](docs/b.md) [y](docs/b.md#two-words) [z](#top) [w](https://example.com/q)',
    'docs/b.md':
      '## Two words\n```\n# no heading\n```\n[up](../a.md#none) [gone](c.md) [n](#no-heading)',
  };
  const read = (file: string) => files[file];
  expect(deadLinks('a.md', read)).toEqual([]);
  expect(deadLinks('docs/b.md', read)).toEqual([
    'docs/b.md: ../a.md#none',
    'docs/b.md: c.md',
    'docs/b.md: #no-heading',
  ]);
});

test('every npm script that a page names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const named = ['README.md', 'CONTRIBUTING.md', 'docs/compatibility.md'].flatMap((page) => {
    const text = readFileSync(join(repository, page), 'utf8');
    return [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, script]) => String(script));
  });
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});
