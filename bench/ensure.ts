import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../harness/paths.ts';

/** Installs what the benchmark measures against, if it is not there. Throws with npm's own words if that fails. */
export function ensureRivals(): void {
  if (existsSync(join(repository, 'bench/node_modules/@neon/sdk/package.json'))) return;
  const { status, stderr, error } = spawnSync(
    'npm',
    ['ci', '--no-audit', '--no-fund', '--prefix', 'bench'],
    { cwd: repository, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  if (error) throw error;
  if (status !== 0) throw new Error(`npm ci --prefix bench failed:\n${stderr}`);
}
