import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../harness/paths.ts';

/**
 * Builds the bundle that GitHub runs: `src/` → `lib/` (removed again) → the folder `out`, whose earlier content is replaced
 * only when everything succeeded. The bundle is CommonJS, which Node loads some milliseconds sooner than ES modules. The
 * same sources and dependencies give the same bytes, wherever the repository lies.
 * Throws with the tool's own output if a tool fails.
 */
export function build({ out = join(repository, 'dist'), root = repository } = {}): void {
  const lib = join(root, 'lib');
  const made = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    rmSync(lib, { recursive: true, force: true });
    run(root, 'node_modules/typescript/bin/tsc', ['-p', 'tsconfig.build.json']);
    // Without a `type` here the bundler would find this repository's, and make ES modules.
    writeFileSync(join(lib, 'package.json'), '{}\n');
    run(root, 'node_modules/@vercel/ncc/dist/ncc/cli.js', [
      'build',
      'lib/index.js',
      '--out',
      made,
      '--license',
      'licenses.txt',
      '--no-cache', // what an earlier build left elsewhere on the machine must not get into this one
      '--quiet',
    ]);
    writeFileSync(join(made, 'package.json'), '{ "type": "commonjs" }\n');
    rmSync(out, { recursive: true, force: true });
    cpSync(made, out, { recursive: true });
  } finally {
    rmSync(made, { recursive: true, force: true });
    rmSync(lib, { recursive: true, force: true });
  }
}

function run(root: string, script: string, args: string[]): void {
  // The tools run on the Node that runs this; both are scripts for it, so no shell and no PATH are involved.
  const { status, error, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, script), ...args],
    { cwd: root, encoding: 'utf8' },
  );
  if (error) throw error;
  if (status !== 0) throw new Error(`${script} failed (${status}).\n${stdout}${stderr}`.trim());
}

if (import.meta.main) {
  try {
    build();
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
