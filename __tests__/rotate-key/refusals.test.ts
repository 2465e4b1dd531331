import { expect, test } from '@jest/globals';
import { play, said } from '../support/rotation.ts';

/** Each single input is tried in `__tests__/inputs/rotate.test.ts`; here is what a workflow's author sees. */

const FAULT = /^- ([a-z-]+): \S.*\. Allowed: \S.*\. Example: \S.*$/u;

test.concurrent('all that is wrong is told at once, before any request', () =>
  play(1, async (scene) => {
    const bad = {
      'base-url': 'http://example.com/api/v2',
      'request-timeout': 'soon',
      'max-retries': 'many',
      summary: 'maybe',
      'key-name': 'x'.repeat(65),
      'old-key-ids': '12, abc',
      'revoke-old': 'later',
      'keep-previous': '-1',
      'rotate-after': '30 days',
      'dry-run': 'yes',
      'secret-name': 'GITHUB_KEY',
      'secret-targets': 'repository, vault',
      'github-token': 'two words',
    };
    const step = await scene.rotate(bad);
    expect(step.exitCode).toBe(1);
    const [heading, ...faults] = said('error', step).split('\n');
    expect(heading).toBe(`${Object.keys(bad).length} bad inputs.`);
    expect(faults.map((fault) => FAULT.exec(fault)?.[1] ?? fault).toSorted()).toEqual(
      Object.keys(bad).toSorted(),
    );
    expect(scene.points()).toEqual([]);
    expect(step.post).toBeUndefined();
  }));

test.concurrent('what has no effect is warned of, and does no harm', () =>
  play(1, async (scene) => {
    const step = await scene.rotate({
      'revoke-old': 'never',
      'keep-previous': '1',
      'old-key-ids': scene.first,
      'project-id': 'p1',
    });
    expect(step.outputs.result).toBe('rotated');
    for (const name of ['keep-previous', 'old-key-ids', 'project-id'])
      expect(said('warning', step)).toMatch(new RegExp(`^${name} has no effect`, 'm'));
  }));

test.concurrent('a token without secret-name is warned of', () =>
  play(0, async (scene) => {
    const step = await scene.rotate({ 'github-token': scene.simulator.github.token });
    expect(step.outputs.result).toBe('rotated');
    expect(said('warning', step)).toContain('github-token has no effect without secret-name');
    expect(scene.simulator.github.requests).toEqual([]);
  }));
