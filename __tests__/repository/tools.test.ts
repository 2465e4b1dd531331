import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { node24, repository } from '../../harness/paths.ts';
import { TOOLS, toolFolder } from '../../scripts/tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A `go` that notes what it is asked, and installs a program or fails. */
function goThat(installs: 'installs' | 'fails'): string {
  return `#!/bin/sh
if [ "$1" = version ]; then echo 'go version go1.26.0 linux/amd64'; exit; fi
echo "$@" "$GOTOOLCHAIN" >>'${folder}/asked'
${installs === 'fails' ? "echo 'no such host' >&2; exit 3" : 'mkdir -p "$GOBIN"; echo made >"$GOBIN/act"'}
`;
}

/** Runs the script on a machine that has these programs alone. */
function install(cache: string, programs: Record<string, string>, tool = 'act') {
  const bin = mkdtempSync(join(folder, 'bin-'));
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), text, { mode: 0o755 });
  }
  return spawnSync(node24(), [join(repository, 'scripts/tools.ts'), tool], {
    encoding: 'utf8',
    // What the stand-ins are made of, but neither Go nor Python.
    env: { PATH: `${bin}:${pathOfShell()}`, XDG_CACHE_HOME: cache, HOME: folder },
  });
}

/** A folder with the shell and the few programs that the stand-ins use. */
function pathOfShell(): string {
  const shell = mkdtempSync(join(folder, 'shell-'));
  for (const name of ['mkdir', 'cat']) {
    writeFileSync(join(shell, name), `#!/bin/sh\nPATH=/usr/bin:/bin exec ${name} "$@"\n`, {
      mode: 0o755,
    });
  }
  return shell;
}

/** What a cache takes for installed. */
function completeIn(cache: string): string[] {
  const files = readdirSync(cache, { recursive: true, encoding: 'utf8' });
  return files.filter((name) => name.endsWith('complete'));
}

describe('a tool', () => {
  test('is installed once, at its pinned version, outside of the tree', () => {
    const cache = mkdtempSync(join(folder, 'cache-'));
    const first = install(cache, { go: goThat('installs') });
    expect(first.stderr).toBe('');
    expect(first.status).toBe(0);
    const file = join(
      toolFolder({ XDG_CACHE_HOME: cache }),
      `act-${TOOLS.act.version}`,
      'bin',
      'act',
    );
    expect(first.stdout).toContain(file);
    expect(file.startsWith(repository)).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('made\n');
    expect(completeIn(cache)).toHaveLength(1);
    const asked = `install ${TOOLS.act.source}@${TOOLS.act.version} auto\n`;
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(asked);
    // The second time nothing is asked, and Go is not even needed.
    expect(install(cache, {}).status).toBe(0);
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(asked);
  });

  test('that cannot be installed fails the script, and does not look installed afterwards', () => {
    const cache = mkdtempSync(join(folder, 'cache-'));
    const failed = install(cache, { go: goThat('fails') });
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain('no such host');
    expect(failed.stdout).toBe('');
    expect(completeIn(cache)).toEqual([]);
    expect(install(cache, { go: goThat('installs') }).status).toBe(0);
  });

  test('without Go, and without the Python that could bring it, says what is needed', () => {
    const cache = mkdtempSync(join(folder, 'cache-'));
    const failed = install(cache, {});
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain('Python 3 with the modules venv and ensurepip is needed');
    expect(completeIn(cache)).toEqual([]);
  });

  test('that is not known is an error', () => {
    const failed = install(folder, {}, 'hammer');
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain('There is no tool hammer.');
  });
});
