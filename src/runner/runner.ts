import type { InputSource } from '../inputs/form.ts';
import type { Secret } from '../secret.ts';

/** GitHub's limit for the outputs of a job, in bytes. */
export const LARGEST_OUTPUTS = 1024 * 1024;

/** For an annotation, which GitHub shows above the log and on the run's page. */
export interface AnnotationOptions {
  readonly title: string;
}

/** The log of the step. Every text is made harmless and freed of secrets on its way out. */
export interface Log {
  info(line: string): void;
  /** Lines behind a title that opens with a click. */
  group(title: string, lines: readonly string[]): void;
  /** Shown only where the workflow runs with debug logging. */
  debug(line: string): void;
  /** A warning annotation; past the tenth a line of the log. */
  warning(message: string, options: AnnotationOptions): void;
  /** An error annotation; past the ninth a line of the log, so that the closing error keeps its place. */
  error(message: string, options: AnnotationOptions): void;
}

/** A file on its way. What was there before stays until this one is whole. */
export interface NewFile {
  /** Absolute. */
  readonly path: string;
  /** Adds text; each piece is searched for secrets by itself. A fault is kept for {@link NewFile.finish}. */
  write(piece: string): void;
  /** Puts the file in its place. @throws the file system's first error, when nothing is put anywhere */
  finish(): void;
  /** Leaves nothing behind of a file that was not finished. */
  discard(): void;
}

/** What the action needs of the machine that runs it. */
export interface Runner extends InputSource {
  /**
   * Whether this is the post step: the same program again at the end of the job, if the job succeeded. It also runs after a
   * main step that failed under `continue-on-error`.
   */
  readonly isPost: boolean;
  readonly log: Log;
  /** `OWNER/NAME` of the workflow's repository. */
  readonly repository: string;
  /** GitHub's API, or an Enterprise Server's. */
  readonly gitHubApiUrl: string;
  /** Aborts when the runner asks the step to stop. */
  readonly cancelled: AbortSignal;
  /** Hides a value in everything the step prints from now on, and in everything other steps print. */
  mask(secret: Secret): void;
  setOutputs(outputs: Readonly<Record<string, string>>): void;
  /** An output that is a secret; undefined: empty. It must be masked before. */
  setSecretOutput(name: string, secret: Secret | undefined): void;
  /** Leaves text with a secret in it to the post step. The runner keeps it in plain text until the job ends. */
  saveSecretState(state: string): void;
  /** In the post step: what main left; empty where it left nothing. */
  secretState(): string;
  /**
   * Begins a file, without secrets; its folders are created.
   * @param path absolute or relative to the workspace; undefined: a file of its own in `RUNNER_TEMP`
   * @param name what such a file is called behind its unique part
   * @throws the file system's error
   */
  createFile(path: string | undefined, name: string): NewFile;
  /** Adds to the job summary; a summary that cannot be written is a warning. */
  writeSummary(markdown: string): Promise<void>;
  /** Ends the step as failed, with its closing error. */
  fail(message: string, options: AnnotationOptions): void;
  /** Called when the process ends in a way that nobody foresaw, so that the outputs are set all the same. */
  onBreakdown(setOutputs: () => void): void;
}
