import type { CommonSettings } from '../inputs.ts';
import { showWaitEnd, waitLog } from '../runner/wait-log.ts';
import { waitOutputs } from '../runner/wait-outputs.ts';
import { waitSummary } from '../runner/wait-summary.ts';
import type { WaitSettings } from '../wait-operations/settings.ts';
import { Wait } from '../wait-operations/wait.ts';
import { connect, USER_AGENT, type World } from './world.ts';

/** `mode: wait-operations`. Resolves to whether every operation is proven to have finished. */
export async function runWait(
  world: World,
  common: CommonSettings,
  settings: WaitSettings,
): Promise<boolean> {
  const { runner, clock, random } = world;
  const http = world.createHttp(USER_AGENT);
  try {
    const { createApi, serviceClock } = connect(world, common, http);
    const api = createApi(common.apiKey);
    const observe = waitLog(runner.log, clock, settings);
    const wait = new Wait(settings, { api, clock, serviceClock, random, observe });
    runner.onBreakdown(() => {
      // Whatever had been decided: a step that broke off is red, and its outputs say so.
      runner.setOutputs({ ...waitOutputs(wait.report()).outputs, result: 'failed' });
    });
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
