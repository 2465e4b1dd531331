import type { CommonSettings } from '../inputs.ts';
import { listProjects } from '../list-projects/list.ts';
import type { ListSettings } from '../list-projects/settings.ts';
import { listLog, showFileFault, showListEnd } from '../runner/list-log.ts';
import { ListTexts, noListOutputs } from '../runner/list-outputs.ts';
import { listSummary } from '../runner/list-summary.ts';
import type { NewFile } from '../runner/runner.ts';
import { connect, USER_AGENT, type World } from './world.ts';

/** `mode: list-projects`. Resolves to whether the whole listing was read and written. */
export async function runList(
  world: World,
  common: CommonSettings,
  settings: ListSettings,
): Promise<boolean> {
  const { runner } = world;
  runner.onBreakdown(() => runner.setOutputs(noListOutputs()));
  let file: NewFile;
  try {
    // Before anything is asked: a listing that nobody can keep need not be read.
    file = runner.createFile(settings.outputFile, 'projects.json');
  } catch (fault) {
    runner.setOutputs(noListOutputs());
    showFileFault(runner, settings.outputFile, fault);
    return false;
  }
  try {
    return await listInto(file, world, common, settings);
  } finally {
    file.discard();
  }
}

async function listInto(
  file: NewFile,
  world: World,
  common: CommonSettings,
  settings: ListSettings,
): Promise<boolean> {
  const { runner, clock, random } = world;
  const { maxRetries } = common;
  const http = world.createHttp(USER_AGENT);
  try {
    const { createApi, serviceClock } = connect(world, common, http);
    const api = createApi(common.apiKey);
    const observe = listLog(runner.log);
    const texts = new ListTexts();
    let separator = '[';
    const parts = { api, clock, serviceClock, random, maxRetries, observe };
    const report = await listProjects(settings, parts, runner.cancelled, (wanted) => {
      file.write(separator + wanted.map(({ json }) => json).join(','));
      separator = ',';
      for (const project of wanted) texts.add(project);
    });
    let fault: unknown;
    if (report.result === 'listed') {
      file.write(separator === '[' ? '[]' : ']');
      fault = faultOf(() => file.finish());
    }
    const path = fault === undefined ? file.path : undefined;
    const { outputs, leftOut } = texts.outputs(report, path);
    runner.setOutputs(outputs);
    if (common.summary) await runner.writeSummary(listSummary(report));
    showListEnd(runner, report, path, leftOut);
    if (fault !== undefined) showFileFault(runner, settings.outputFile, fault);
    return report.result === 'listed' && fault === undefined;
  } finally {
    http.close();
  }
}

function faultOf(act: () => void): unknown {
  try {
    act();
    return undefined;
  } catch (fault) {
    return fault;
  }
}
