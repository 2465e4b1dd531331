import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { KEY_NAME, RotationScene, SECRET, TARGETS } from '../__tests__/support/rotation.ts';
import { repository } from '../harness/paths.ts';
import { Stage } from './support/stage.ts';

const SERVICE = 'https://console.neon.tech/api/v2';

let stage: Stage;
afterEach(() => stage?.close());

/** The whole workflow of this name in README.md, with the simulator's address in place of the service's. */
function workflow(name: string): string {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block]) => String(block));
  const [text = ''] = blocks.filter((block) => block.startsWith(`name: ${name}\n`));
  expect(text).toContain(SERVICE);
  return text.replaceAll(SERVICE, stage.simulator.baseUrl);
}

test('the first workflow of the README waits, then migrates', async () => {
  stage = await Stage.start({ scripts: ['migrate.sh'] });
  const { simulator } = stage;
  simulator.addProject({ id: 'shop', name: 'shop' });
  // The README keeps the script in the repository's own folder.
  stage.write('repository/migrate.sh', '#!/bin/sh\nexec ./scripts/migrate.sh\n', 0o755);
  const run = await stage.runText('deploy.yml', workflow('deploy'), {
    variables: { DATABASE_PROJECT_ID: 'shop' },
  });
  expect(run.job('deploy')).toEqual(['success']);
  expect(run.step('deploy', 'Wait until the database is ready').outputs.count).toBe('2');
  const [migration] = stage.scriptRuns();
  expect(migration).toMatchObject({ script: 'migrate.sh', unfinished: 0 });
  expect(migration?.databaseUrl).toMatch(/^postgresql:/);
  expect(run.shown()).not.toContain(migration?.databaseUrl);
});

test('the rotation of the README rotates', async () => {
  const { simulator } = await RotationScene.start(2);
  stage = await Stage.start({ simulator });
  const { github } = simulator;
  const stored = () => TARGETS.slice(0, 2).map((target) => github.secret(target, SECRET)?.value);
  const [old = ''] = stored();
  const run = await stage.runText('rotate.yml', workflow('rotate the database key'), {
    event: 'schedule',
    secrets: { DATABASE_API_KEY: old, ROTATION_APP_PRIVATE_KEY: 'the-private-key' },
    variables: { ROTATION_APP_CLIENT_ID: 'the-client-id' },
    env: { GITHUB_API_URL: github.apiUrl, STAND_IN_TOKEN: github.token },
  });
  expect(run.job('rotate')).toEqual(['success']);
  const [fresh = ''] = stored();
  expect(fresh).not.toBe(old);
  expect(stored()).toEqual([fresh, fresh]);
  const valid = simulator.account.keys.filter(({ name }) => name === KEY_NAME);
  expect(valid.map(({ key }) => key)).toEqual([old, fresh]);
});
