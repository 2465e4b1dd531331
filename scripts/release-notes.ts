import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../harness/paths.ts';

/**
 * The notes of a release: the section of the changelog whose heading is `## X.Y.Z` or `## [X.Y.Z] - date`.
 * @param tag `vX.Y.Z`
 * @throws Error when the tag is not of this form or not the package's version, or the section is missing or empty
 */
export function releaseNotes(tag: string, changelog: string, packageVersion: string): string {
  const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1];
  if (version === undefined) throw new Error(`The tag ${tag} is not of the form vX.Y.Z.`);
  if (version !== packageVersion) {
    throw new Error(`The tag ${tag} is not the version of package.json, ${packageVersion}.`);
  }
  for (const section of changelog.split(/^(?=## )/m)) {
    const [heading = '', ...lines] = section.split('\n');
    if (/^## \[?([^\]\s]+)/.exec(heading)?.[1] !== version) continue;
    const notes = lines.join('\n').trim();
    if (notes === '') break;
    return notes;
  }
  throw new Error(`CHANGELOG.md says nothing about ${version}.`);
}

if (import.meta.main) {
  try {
    const read = (file: string) => readFileSync(join(repository, file), 'utf8');
    const { version } = JSON.parse(read('package.json')) as { version: string };
    console.log(releaseNotes(process.argv[2] ?? '', read('CHANGELOG.md'), version));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
