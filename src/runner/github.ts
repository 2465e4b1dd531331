import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as core from '@actions/core';
import type { Secret } from '../secret.ts';
import { notACommand } from '../text.ts';
import { newFile } from './new-file.ts';
import type { AnnotationOptions, Runner } from './runner.ts';

/** The state that tells the post step from the main step. */
const MARK = 'cloud-database-control-main';
/** What main leaves to the post step. */
const STATE = 'cloud-database-control-state';
/** GitHub shows no more annotations of a kind for a step; the last place is the closing error's. */
const MOST_ANNOTATIONS = 10;
/** GitHub drops a summary that is larger. */
const LARGEST_SUMMARY = 1024 * 1024;
/** A larger file is not an API's answer. */
const LARGEST_FILE = 32 * 1024 * 1024;

/** GitHub's runner, through `@actions/core`; the only place that speaks to it. */
export function createGitHubRunner(
  cancelled: AbortSignal,
  onBreakdown: Runner['onBreakdown'],
): Runner {
  const secrets: Secret[] = [];
  let warnings = 0;
  let errors = 0;

  const redacted = (text: string): string =>
    secrets.reduce((safe, secret) => secret.redact(safe), text);
  const line = (text: string): string => notACommand(redacted(text));
  const lines = (text: string): string =>
    text
      .split(/\r\n|\n|\r/)
      .map(line)
      .join('\n');

  // Saved first of all: without it the post step of a main step that broke off would be taken for another main step. Bound
  // to this run, so that a variable of that name from elsewhere does not turn main into a post step.
  const self = `run ${process.env.GITHUB_RUN_ID ?? ''}`;
  const isPost = core.getState(MARK) === self;
  if (!isPost) core.saveState(MARK, self);

  return {
    isPost,
    cancelled,
    repository: process.env.GITHUB_REPOSITORY ?? '',
    gitHubApiUrl: (process.env.GITHUB_API_URL || 'https://api.github.com').replace(/\/+$/, ''),
    onBreakdown,
    input: (name) => core.getInput(name),
    readFile(path) {
      const content = readFileSync(resolve(process.env.GITHUB_WORKSPACE ?? '', path));
      if (content.length > LARGEST_FILE) throw Object.assign(new Error(), { code: 'EFBIG' });
      return content;
    },
    createFile(path, name) {
      const own = (): string =>
        join(process.env.RUNNER_TEMP || tmpdir(), `${randomUUID()}-${name}`);
      return newFile(resolve(process.env.GITHUB_WORKSPACE ?? '', path ?? own()), redacted);
    },
    mask(secret) {
      if (secret.reveal() === '') return;
      core.setSecret(secret.reveal());
      secrets.push(secret);
    },
    log: {
      info: (text) => core.info(lines(text)),
      group(title, content) {
        core.startGroup(line(title.replace(/[\r\n]+/g, ' ')));
        for (const text of content) core.info(lines(text));
        core.endGroup();
      },
      debug: (text) => core.debug(line(text)),
      warning(message, options: AnnotationOptions) {
        warnings += 1;
        if (warnings <= MOST_ANNOTATIONS)
          core.warning(lines(message), { title: line(options.title) });
        else core.info(lines(`Warning: ${message}`));
      },
      error(message, options: AnnotationOptions) {
        errors += 1;
        if (errors < MOST_ANNOTATIONS) core.error(lines(message), { title: line(options.title) });
        else core.info(lines(`Error: ${message}`));
      },
    },
    setOutputs(outputs) {
      for (const [name, value] of Object.entries(outputs)) core.setOutput(name, redacted(value));
    },
    setSecretOutput(name, secret) {
      core.setOutput(name, secret?.reveal() ?? '');
    },
    saveSecretState: (state) => core.saveState(STATE, state),
    secretState: () => core.getState(STATE),
    async writeSummary(markdown) {
      try {
        const text = redacted(markdown);
        if (Buffer.byteLength(text) > LARGEST_SUMMARY) throw new Error('it is larger than 1 MiB');
        await core.summary.addRaw(text).write();
      } catch (error) {
        const why = error instanceof Error ? error.message.replace(/\.+$/, '') : 'unknown error';
        this.log.warning(`The job summary could not be written: ${why}.`, {
          title: 'No job summary',
        });
      }
    },
    fail(message, { title }) {
      process.exitCode = core.ExitCode.Failure;
      core.error(lines(message), { title: line(title) });
    },
  };
}
