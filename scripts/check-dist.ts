import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { repository } from '../harness/paths.ts';
import { build } from './build.ts';

/** How a folder differs from what it should be; paths are relative, with `/`. */
export interface Differences {
  missing: string[];
  additional: string[];
  different: string[];
}

/** Compares two folders byte for byte, whether or not git knows the files. A folder that does not exist is empty. */
export function compareFolders(expected: string, actual: string): Differences {
  const wanted = filesBelow(expected);
  const found = filesBelow(actual);
  return {
    missing: [...wanted.keys()].filter((file) => !found.has(file)),
    additional: [...found.keys()].filter((file) => !wanted.has(file)),
    different: [...wanted]
      .filter(([file, bytes]) => found.get(file)?.equals(bytes) === false)
      .map(([file]) => file),
  };
}

/** The differences as sentences; nothing if there are none. */
export function describeDifferences({ missing, additional, different }: Differences): string {
  const lines = [
    ...missing.map((file) => `  missing:    dist/${file}`),
    ...additional.map((file) => `  additional: dist/${file}`),
    ...different.map((file) => `  different:  dist/${file}`),
  ];
  if (lines.length === 0) return '';
  return [
    'dist/ is not what the sources build:',
    ...lines,
    'Run `npm run build` and commit dist/ together with the change.',
  ].join('\n');
}

function filesBelow(folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const entries = (() => {
    try {
      return readdirSync(folder, { recursive: true, withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  })();
  for (const entry of entries.filter((found) => !found.isDirectory())) {
    const file = join(entry.parentPath, entry.name);
    files.set(relative(folder, file).replaceAll(sep, '/'), readFileSync(file));
  }
  return new Map([...files].sort(([left], [right]) => (left < right ? -1 : 1)));
}

if (import.meta.main) {
  const built = mkdtempSync(join(tmpdir(), 'check-dist-'));
  try {
    build({ out: built });
    const complaint = describeDifferences(compareFolders(built, join(repository, 'dist')));
    console.log(complaint === '' ? 'dist/ is what the sources build.' : complaint);
    if (complaint !== '') process.exitCode = 1;
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}
