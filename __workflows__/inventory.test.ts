import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { ActRun } from './support/act-run.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;
afterEach(() => stage?.close());

async function start(): Promise<Stage> {
  stage = await Stage.start();
  // More than one page of the listing.
  for (let number = 1; number <= 150; number++) {
    stage.simulator.addProject({ id: `project-${number}`, name: `p${number}`, pg_version: 17 });
  }
  return stage;
}

function take(): Promise<ActRun> {
  return stage.runExample('inventory.yml', {
    event: 'schedule',
    env: { STAND_IN_ARTIFACTS: stage.path('artifacts') },
  });
}

/** The projects in the uploaded file. */
function uploaded(): { id: string; pg_version: number }[] {
  const folder = stage.path('artifacts/projects');
  const files = readdirSync(folder);
  expect(files).toHaveLength(1);
  return JSON.parse(readFileSync(join(folder, files[0] ?? ''), 'utf8'));
}

test('the whole list is kept', async () => {
  await start();
  const run = await take();
  expect(run.step('inventory', 'projects').errors).toEqual([]);
  expect(run.exitCode).toBe(0);
  expect(new Set(uploaded().map(({ id }) => id)).size).toBe(150);
  expect(run.step('inventory', 'Look for old versions').printed).toEqual([
    'No project uses a version older than 15.',
  ]);
  expect(run.shown()).not.toContain(stage.simulator.apiKey);
});

test('a project with an old version makes the run red, and the list is kept all the same', async () => {
  const { simulator } = await start();
  simulator.addProject({ id: 'grandfather', name: 'old', pg_version: 14 });
  const run = await take();
  expect(run.exitCode).not.toBe(0);
  expect(run.job('inventory')).toEqual(['failure']);
  expect(run.step('inventory', 'Look for old versions').printed).toContain(
    'grandfather uses Postgres 14',
  );
  expect(uploaded()).toHaveLength(151);
});
