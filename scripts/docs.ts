import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ActionDefinition, readAction } from '../harness/action-yml.ts';
import { repository } from '../harness/paths.ts';
import { thirdParty } from './third-party.ts';

const modes = ['wait-operations', 'rotate-key', 'list-projects'] as const;
type Section = 'common' | (typeof modes)[number];

/**
 * The tables of a README by section: `inputs:common`, `inputs:<mode>` and `outputs:<mode>`. Which mode an input or output
 * belongs to, its description says: it begins with the mode's name in backticks and a colon, and may go on with another
 * mode's part; what stands before the first such name belongs to every part. Without any it is common to all modes.
 */
export function tables(action: ActionDefinition): Record<string, string> {
  const rows: Record<string, string[]> = {};
  const add = (section: string, row: string) => {
    rows[section] ??= [];
    rows[section].push(row);
  };
  for (const [name, input] of Object.entries(action.inputs)) {
    for (const [section, text] of partsOf(input.description)) {
      const required = input.required || text.includes('(required in this mode)');
      const value = input.default === undefined ? '' : `\`${input.default}\``;
      add(
        `inputs:${section}`,
        `| \`${name}\` | ${required ? '**required**' : cell(value)} | ${cell(text)} |`,
      );
    }
  }
  for (const [name, output] of Object.entries(action.outputs)) {
    for (const [section, text] of partsOf(output.description)) {
      add(`outputs:${section}`, `| \`${name}\` | ${cell(text)} |`);
    }
  }
  const heads: Record<string, string> = {
    inputs: '| input | default | what |\n|---|---|---|',
    outputs: '| output | what |\n|---|---|',
  };
  return Object.fromEntries(
    Object.entries(rows).map(([section, lines]) => [
      section,
      [heads[section.split(':')[0] ?? ''], ...lines].join('\n'),
    ]),
  );
}

/**
 * A README with the tables of `action` between its markers, `<!-- inputs:common:start -->` and `<!-- inputs:common:end -->`.
 * A section whose markers are absent is left out. Throws on a marker without its partner or of an unknown section, which
 * would otherwise go stale unnoticed.
 */
export function withTables(readme: string, action: ActionDefinition): string {
  const known = tables(action);
  const section = /<!-- ((?:inputs|outputs):[a-z-]+):start -->\n[\s\S]*?<!-- \1:end -->/g;
  const written = readme.replace(section, (_whole, name: string) => {
    const table = known[name];
    if (table === undefined) throw new Error(`README.md has a section "${name}" without a table.`);
    return `<!-- ${name}:start -->\n\n${table}\n\n<!-- ${name}:end -->`;
  });
  const marker = /<!-- ((?:inputs|outputs):[a-z-]+):(?:start|end) -->/g;
  const left = marker.exec(written.replace(section, ''));
  if (left) throw new Error(`README.md has the marker "${left[0]}" without its partner.`);
  return written;
}

/** The sections that a README has markers for. */
export function sectionsOf(readme: string): string[] {
  return [...readme.matchAll(/<!-- ((?:inputs|outputs):[a-z-]+):start -->/g)].map(
    ([, name]) => name as string,
  );
}

function partsOf(description: string): [Section, string][] {
  const text = description.replace(/\s+/g, ' ').trim();
  const heading = new RegExp(`(?:^|(?<=\\. ))\`(${modes.join('|')})\`(?:, ([^:.]*))?: `, 'g');
  const headings = [...text.matchAll(heading)];
  if (headings.length === 0) return [['common', text]];
  // "How it ended. `mode`: …" becomes "How it ended: …".
  const shared = text.slice(0, headings[0]?.index).replace(/\. $/, ': ');
  return headings.map((found, index) => {
    const [whole, mode, condition] = found;
    const part = text.slice(found.index + whole.length, headings[index + 1]?.index).trim();
    const said = condition === undefined ? part : `${condition}: ${part}`;
    const sentence = shared === '' ? said.charAt(0).toUpperCase() + said.slice(1) : said;
    return [mode as Section, shared + sentence];
  });
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) {
  try {
    const readme = readFileSync(join(repository, 'README.md'), 'utf8');
    const pages = { 'README.md': withTables(readme, readAction()), 'THIRD-PARTY.md': thirdParty() };
    for (const [name, wanted] of Object.entries(pages)) {
      const file = join(repository, name);
      if (existsSync(file) && readFileSync(file, 'utf8') === wanted) {
        console.log(`${name} is what action.yml and dist/ say.`);
      } else if (process.argv.includes('--check')) {
        console.error(`${name} differs from action.yml or dist/. Run \`npm run docs\`.`);
        process.exitCode = 1;
      } else {
        writeFileSync(file, wanted);
        console.log(`Wrote ${name}.`);
      }
    }
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
