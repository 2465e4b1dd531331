import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { repository } from '../harness/paths.ts';
import { TOOLS } from '../scripts/tools.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;
afterEach(() => stage?.close());

const WORKFLOW = `
name: engine
on: push
jobs:
  first:
    runs-on: ubuntu-latest
    outputs:
      value: \${{ steps.made.outputs.value }}
    steps:
      - id: made
        run: |
          echo "::add-mask::open-sesame"
          echo "value=open-sesame" >> "$GITHUB_OUTPUT"
          echo "plain: open-sesame"
          echo "encoded: $(printf open-sesame | base64)"
  second:
    needs: first
    runs-on: ubuntu-latest
    steps:
      - id: got
        env:
          VALUE: \${{ needs.first.outputs.value }}
        run: echo "length \${#VALUE}"
`;

test('the engine differs from GitHub’s runner as docs/compatibility.md says', async () => {
  stage = await Stage.start();
  const run = await stage.runText('engine.yml', WORKFLOW);
  expect(run.exitCode).toBe(0);
  // GitHub's runner would mask both lines, and hand over nothing.
  expect(run.step('first', 'made').printed).toEqual(['plain: ***', 'encoded: b3Blbi1zZXNhbWU=']);
  expect(run.step('second', 'got').printed).toEqual(['length 11']);

  const page = readFileSync(join(repository, 'docs/compatibility.md'), 'utf8');
  expect(page).toContain(`| act ${TOOLS.act.version.slice(1)} |`);
});
