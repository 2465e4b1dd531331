import type { Clock } from './clock.ts';
import { ControlApi } from './control-api/client.ts';
import type { Http } from './control-api/http.ts';
import { ServiceClock } from './control-api/service-clock.ts';
import { Throttle } from './control-api/throttle.ts';
import { formatDuration } from './durations.ts';
import { InputError } from './inputs/form.ts';
import { type CommonSettings, readInputs } from './inputs.ts';
import type { Runner } from './runner/runner.ts';
import { showWaitEnd, waitLog } from './runner/wait-log.ts';
import { noWaitOutputs, waitOutputs } from './runner/wait-outputs.ts';
import { waitSummary } from './runner/wait-summary.ts';
import { Secret } from './secret.ts';
import type { WaitSettings } from './wait-operations/settings.ts';
import { Wait } from './wait-operations/wait.ts';

/** Everything that the action takes from outside. */
export interface World {
  readonly runner: Runner;
  readonly clock: Clock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly createHttp: (userAgent: string) => Http;
}

const USER_AGENT = 'cloud-database-control';

/**
 * Runs the step: masks, reads the inputs, and does what `mode` says.
 * @returns whether the step succeeded
 */
export async function runAction(world: World): Promise<boolean> {
  const { runner } = world;
  // Only a rotation leaves anything to do for the end of the job.
  if (runner.isPost) return true;
  for (const name of ['api-key', 'github-token']) runner.mask(new Secret(runner.input(name)));
  runner.onBreakdown(() => runner.setOutputs(noWaitOutputs()));
  try {
    const settings = readInputs(runner);
    for (const warning of settings.warnings)
      runner.log.warning(warning, { title: 'Input without effect' });
    if (settings.wait) return await runWait(world, settings, settings.wait);
    runner.setOutputs({ result: 'failed' });
    runner.fail(`Mode ${settings.mode} is not available in this version. Use wait-operations.`, {
      title: 'Not available',
    });
    return false;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    runner.setOutputs(noWaitOutputs());
    runner.fail(error.message, { title: 'Bad input' });
    return false;
  }
}

async function runWait(
  world: World,
  common: CommonSettings,
  settings: WaitSettings,
): Promise<boolean> {
  const { runner, clock, random } = world;
  const http = world.createHttp(USER_AGENT);
  try {
    const { api, serviceClock } = createApi(world, common, http);
    const observe = waitLog(runner.log, clock, settings);
    const wait = new Wait(settings, { api, clock, serviceClock, random, observe });
    runner.onBreakdown(() => runner.setOutputs(waitOutputs(wait.report()).outputs));
    const report = await wait.run(runner.cancelled);
    const { outputs, leftOut } = waitOutputs(report);
    runner.setOutputs(outputs);
    if (common.summary) await runner.writeSummary(waitSummary(report));
    showWaitEnd(runner, report, leftOut);
    return report.result === 'finished';
  } finally {
    http.close();
  }
}

/** One client, one throttle, one clock of the service for the whole process. */
function createApi(world: World, common: CommonSettings, http: Http) {
  const { clock, random, runner } = world;
  const serviceClock = new ServiceClock(clock);
  const api = new ControlApi({
    ...common,
    http,
    clock,
    random,
    serviceClock,
    throttle: new Throttle(clock),
    onRetry: (error, pause) =>
      runner.log.debug(`${error.message}. Trying again in ${formatDuration(pause)}.`),
  });
  return { api, serviceClock };
}
