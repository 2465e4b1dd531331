import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../harness/paths.ts';

/** A package of others that is in the bundle. */
export interface BundledPackage {
  name: string;
  version: string;
  license: string;
  homepage: string;
}

/** Licences that ask for no more than that their text goes along, which `dist/licenses.txt` does. */
const PERMISSIVE = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD'];

/** Ours, although it lies where packages lie: it stands in for a package that nothing here uses. */
const OWN = ['undici'];

/** The names of the packages whose code is in the bundle, by the comments that the bundler leaves. */
export function packagesIn(bundle: string): string[] {
  const names = [...bundle.matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//g)].map(
    ([, name]) => name as string,
  );
  return [...new Set(names)].filter((name) => !OWN.includes(name)).toSorted();
}

/**
 * `THIRD-PARTY.md` for these packages.
 * @param texts `dist/licenses.txt`, where each package's licence text stands below its name
 * @throws Error when a licence is not known to be permissive, or its text is missing
 */
export function thirdPartyPage(packages: BundledPackage[], texts: string): string {
  const rows = packages.map(({ name, version, license, homepage }) => {
    if (!PERMISSIVE.includes(license)) throw new Error(`${name} is licensed as ${license}.`);
    if (textOf(name, texts).length < 200) {
      throw new Error(`dist/licenses.txt lacks the licence text of ${name}.`);
    }
    return `| [${name}](${homepage}) | ${version} | ${license} |`;
  });
  return `# What others wrote

The bundle in \`dist/\` holds code of these packages. Their licence texts go along in [dist/licenses.txt](dist/licenses.txt).
This page is written by \`npm run docs\` from what the bundler put in.

| package | version | licence |
|---|---|---|
${rows.join('\n')}
`;
}

/** The page for the bundle as it lies in `dist/`. */
export function thirdParty(root = repository): string {
  const dist = join(root, 'dist');
  const bundle = readdirSync(dist)
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(dist, file), 'utf8'))
    .join('\n');
  const packages = packagesIn(bundle).map((name) => describe(name, root));
  return thirdPartyPage(packages, readFileSync(join(dist, 'licenses.txt'), 'utf8'));
}

function describe(name: string, root: string): BundledPackage {
  const file = join(root, 'node_modules', name, 'package.json');
  if (!existsSync(file)) throw new Error(`${name} is in the bundle, but not installed.`);
  const { version, license, repository: source } = JSON.parse(readFileSync(file, 'utf8'));
  const address = String(source?.url ?? source ?? '')
    .replace(/^git\+/, '')
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://')
    .replace(/^(?:github:)?([\w.-]+\/[\w.-]+)$/, 'https://github.com/$1')
    .replace(/\.git$/, '');
  return { name, version: String(version), license: String(license), homepage: address };
}

/** What stands in `licenses.txt` between a package's name and the next one's. */
function textOf(name: string, texts: string): string {
  const lines = texts.split('\n');
  const start = lines.indexOf(name);
  if (start < 0) return '';
  const rest = lines.slice(start + 1).join('\n');
  // Two empty lines stand before each name.
  return rest.split(/\n{3,}(?=[@a-z][\w@/.-]*\n)/)[0] ?? '';
}
