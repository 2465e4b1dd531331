import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repository } from '../../harness/paths.ts';

/** What an ellipsis of the page stands for in a template of the source; a number of the page may be one, too. */
const PLACE = String.raw`\$\{[^\n]{1,200}?\}`;

/** All sources without their comments. */
function sources(): string {
  const folder = join(repository, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
}

/** Messages that a page quotes: the lines of its `text` blocks, and the first cells of tables of what a message says. */
function quotes(page: string): string[] {
  const blocks = [...page.matchAll(/^```text\n(.*?)^```$/gms)].map(([, block]) => String(block));
  const cells = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell]) => String(cell));
  return [...blocks.flatMap((block) => block.trimEnd().split('\n')), ...cells];
}

/** Whether the code can say this: its fixed parts stand in one string or template, in this order. */
function isSaid(quote: string, code: string): boolean {
  const pattern = quote
    .replace(/^(?:… ?)+|(?: ?…\.?)+$/g, '')
    .split(/…|\b\d{3}\b/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join(PLACE);
  return pattern.length >= 7 && new RegExp(pattern).test(code);
}

/** The titles of annotations in the code, also where a condition chooses among them. */
function titles(code: string): string[] {
  const places = code.matchAll(
    /\btitle: [^\n}]*|(?:Problem|failedBy)\(\s*'[^']+'|^ *(?:case '[a-z-]+'|default):\n *return '[^']+';/gm,
  );
  const found = [...places].flatMap(([place]) => [...place.matchAll(/'([A-Z][^']+)'/g)]);
  return [...new Set(found.map(([, title]) => String(title)))];
}

/** The titles that a page has headings for. */
function headings(page: string): string[] {
  return [...page.matchAll(/^### (.+)$/gm)].map(([, heading]) => String(heading));
}

const code = sources();
const page = readFileSync(join(repository, 'docs/troubleshooting.md'), 'utf8');

describe('docs/troubleshooting.md', () => {
  test('quotes what the code says', () => {
    const quoted = quotes(page);
    expect(quoted.length).toBeGreaterThan(40);
    expect(quoted.filter((quote) => !isSaid(quote, code))).toEqual([]);
  });

  test('has a heading for every annotation that the code shows, and for no other', () => {
    // A success has no annotation.
    const notHeadings = ['Finished'];
    const known = titles(code);
    expect(known.length).toBeGreaterThan(20);
    expect(known.filter((title) => !notHeadings.includes(title)).toSorted()).toEqual(
      headings(page).toSorted(),
    );
  });
});

describe('a message that the code does not say', () => {
  const said = `fail(\`Key \${id} of \${name} is gone\`);\nfinding: 'the answer was cut off',\n`;

  test.each(['Key … of … is gone', 'the answer was cut off', '… is gone', 'Key 123 of …'])(
    '%s is said',
    (quote) => expect(isSaid(quote, said)).toBe(true),
  );

  test.each([
    'Key … is gone',
    'the answer was cut',
    'Key … of … is lost',
    '… …',
    'gone',
    'of the answer',
  ])('%s is noticed, if it differs', (quote) => expect(isSaid(`${quote}!`, said)).toBe(false));

  test('and titles are found in every form in which the code gives them', () => {
    const text =
      "{ title: 'One' } { title: bad ? 'Six' : 'Seven', } new WaitProblem(\n 'Two', x) failedBy('Three', e)\n  case 'a-b':\n    return 'Four';\n  default:\n return 'Five';\n";
    expect(titles(text)).toEqual(['One', 'Six', 'Seven', 'Two', 'Three', 'Four', 'Five']);
  });
});
