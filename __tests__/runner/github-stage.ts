import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { CommandInterpreter, type Effect, LineSplitter } from '../../harness/commands.ts';
import { readNamedValues } from '../../harness/files.ts';
import { createGitHubRunner } from '../../src/runner/github.ts';
import type { Runner } from '../../src/runner/runner.ts';

/** A place as GitHub's runner prepares it for a step, in a folder of its own. */
export interface GitHubStage {
  readonly workspace: string;
  readonly runner: () => Runner;
  /** What was printed since the last call, as it was printed. */
  readonly printed: () => string;
  /** What the runner made of what was printed since the last call. */
  readonly effects: () => Effect[];
  readonly outputs: () => Record<string, string>;
  readonly state: () => Record<string, string>;
  readonly summary: () => string;
  /** Empties the files. */
  readonly reset: () => void;
  readonly close: () => void;
}

/** Prepares the place; the toolkit keeps the summary's path, so one serves a whole file of tests. */
export function githubStage(): GitHubStage {
  const folder = mkdtempSync(join(tmpdir(), 'runner-'));
  const names = { GITHUB_OUTPUT: 'output', GITHUB_STATE: 'state', GITHUB_STEP_SUMMARY: 'summary' };
  const before = { ...process.env };
  const exitCode = process.exitCode;
  Object.assign(process.env, {
    GITHUB_WORKSPACE: folder,
    GITHUB_RUN_ID: '7',
    GITHUB_ACTION: 'step',
  });
  for (const [variable, file] of Object.entries(names)) process.env[variable] = join(folder, file);
  const reset = (): void => {
    for (const file of Object.values(names)) writeFileSync(join(folder, file), '');
  };
  reset();
  let text = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  const printed = (): string => {
    const now = text;
    text = '';
    return now;
  };
  const values = (file: string): Record<string, string> => {
    const { values, error } = readNamedValues(readFileSync(join(folder, file), 'utf8'));
    if (error !== undefined) throw new Error(error);
    return Object.fromEntries(values);
  };
  return {
    workspace: folder,
    runner: () => createGitHubRunner(new AbortController().signal, () => {}),
    printed,
    effects: () => {
      const splitter = new LineSplitter();
      const interpreter = new CommandInterpreter();
      const lines = [...splitter.push(printed()), ...splitter.end()];
      return lines.flatMap((line) => interpreter.line(line, 'stdout'));
    },
    outputs: () => values('output'),
    state: () => values('state'),
    summary: () => readFileSync(join(folder, 'summary'), 'utf8'),
    reset,
    close: () => {
      write.mockRestore();
      process.exitCode = exitCode ?? 0;
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
