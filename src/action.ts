import { runList } from './action/list.ts';
import { runAfterJob, runRotate } from './action/rotate.ts';
import { runWait } from './action/wait.ts';
import type { World } from './action/world.ts';
import { InputError } from './inputs/form.ts';
import { readInputs } from './inputs.ts';
import { noListOutputs } from './runner/list-outputs.ts';
import { noRotateOutputs } from './runner/rotate-outputs.ts';
import type { Runner } from './runner/runner.ts';
import { noWaitOutputs } from './runner/wait-outputs.ts';
import { Secret } from './secret.ts';

/**
 * Runs the step: masks, reads the inputs, and does what `mode` says.
 * @returns whether the step succeeded
 */
export async function runAction(world: World): Promise<boolean> {
  const { runner } = world;
  if (runner.isPost) return runAfterJob(world);
  for (const name of ['api-key', 'github-token']) runner.mask(new Secret(runner.input(name)));
  runner.onBreakdown(() => runner.setOutputs(emptyOutputs(runner)));
  try {
    const settings = readInputs(runner, runner.repository);
    for (const warning of settings.warnings) {
      runner.log.warning(warning, { title: 'Input without effect' });
    }
    if (settings.wait) return await runWait(world, settings, settings.wait);
    if (settings.rotate) return await runRotate(world, settings, settings.rotate);
    if (settings.list) return await runList(world, settings, settings.list);
    throw new Error('A mode without settings');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    runner.setOutputs(emptyOutputs(runner));
    runner.fail(error.message, { title: 'Bad input' });
    return false;
  }
}

/** The outputs of a step that did not get to its work. */
function emptyOutputs(runner: Runner): Readonly<Record<string, string>> {
  const mode = runner.input('mode');
  if (mode === 'rotate-key') return noRotateOutputs();
  return mode === 'list-projects' ? noListOutputs() : noWaitOutputs();
}
