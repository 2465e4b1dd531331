import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { node24, repository } from '../harness/paths.ts';

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'simulator-action-'));
let simulator: number | undefined;
afterEach(() => {
  if (simulator !== undefined) process.kill(simulator);
  rmSync(folder, { recursive: true, force: true });
});

/** `npm ci` has nothing to do here; `npm run simulator -- FLAGS` starts this repository's. */
const NPM = `#!/usr/bin/env bash
case "$1" in
  ci) echo installed >'${folder}/installed' ;;
  run) shift 3; echo $$ >'${folder}/pid'; exec node '${repository}/simulator/main.ts' "$@" ;;
esac
`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('where none runs, one is started and outlives the step', async () => {
  writeFileSync(join(folder, 'npm'), NPM, { mode: 0o755 });
  const port = await freePort();
  const outputs = join(folder, 'outputs');
  const printed = execFileSync(join(repository, '.github/actions/simulator/start.sh'), {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: {
      PATH: [folder, dirname(node24()), process.env.PATH].join(delimiter),
      GITHUB_OUTPUT: outputs,
      RUNNER_TEMP: folder,
      PORT: String(port),
    },
  });
  simulator = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  expect(readFileSync(join(folder, 'installed'), 'utf8')).toBe('installed\n');
  const given = Object.fromEntries(
    readFileSync(outputs, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/=(.*)/s) as [string, string]),
  );
  expect(given).toEqual({
    'base-url': `http://127.0.0.1:${port}/api/v2`,
    'admin-url': `http://127.0.0.1:${port}/_simulator`,
    'api-key': expect.stringMatching(/^simulated_key_/),
    'project-id': 'demo-project',
  });
  expect(printed).toContain(`::add-mask::${given['api-key']}\n`);
  const answer = await fetch(`${given['base-url']}/projects/${given['project-id']}/operations`, {
    headers: { authorization: `Bearer ${given['api-key']}` },
  });
  expect(answer.status).toBe(200);
});
