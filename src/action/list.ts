import type { CommonSettings } from '../inputs.ts';
import { listProjects } from '../list-projects/list.ts';
import type { ListReport } from '../list-projects/report.ts';
import type { ListSettings } from '../list-projects/settings.ts';
import { fileFault, listLog, showListEnd } from '../runner/list-log.ts';
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
    const { title, message } = fileFault(settings.outputFile, fault);
    runner.fail(message, { title });
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
    const listed = await listProjects(settings, parts, runner.cancelled, (wanted) => {
      file.write(separator + wanted.map(({ json }) => json).join(','));
      separator = ',';
      for (const project of wanted) texts.add(project);
    });
    if (listed.result === 'listed') file.write(separator === '[' ? '[]' : ']');
    const report = kept(listed, file, settings.outputFile);
    const { outputs, leftOut } = texts.outputs(report, file.path);
    runner.setOutputs(outputs);
    if (common.summary) await runner.writeSummary(listSummary(report));
    showListEnd(runner, report, file.path, leftOut);
    return report.result === 'listed';
  } finally {
    http.close();
  }
}

/** Puts the file of a whole listing in its place; without it the listing failed. */
function kept(report: ListReport, file: NewFile, outputFile: string | undefined): ListReport {
  if (report.result !== 'listed') return report;
  try {
    file.finish();
    return report;
  } catch (fault) {
    const { read, requests, elapsedMs } = report;
    const ending = fileFault(outputFile, fault);
    return { result: 'failed', ...ending, missing: [], read, requests, elapsedMs };
  }
}
