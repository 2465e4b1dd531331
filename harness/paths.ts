import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this repository. */
export const repository: string = fileURLToPath(new URL('..', import.meta.url)).replace(
  /[\\/]$/,
  '',
);

/**
 * The runner's own major version of Node, from the dev dependency `node`: the machine's may be another. Throws if it is
 * not installed.
 */
export function node24(): string {
  const binary = join(
    repository,
    'node_modules/node/bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (!existsSync(binary)) throw new Error(`${binary} is missing: run \`npm ci\` first.`);
  return binary;
}
