/** A line of the engine's JSON log, as far as the tests read it. */
export interface ActLine {
  msg: string;
  level: string;
  jobID?: string;
  matrix?: Record<string, unknown>;
  /** The step's name. */
  step?: string;
  /** Its id, or its number in the job; with the steps of a composite action behind it. */
  stepID?: string[];
  stage?: 'Pre' | 'Main' | 'Post';
  stepResult?: string;
  jobResult?: string;
  /** A line that the step itself printed. */
  raw_output?: boolean;
  /** A command of the step to the runner. Its argument is as the step wrote it, without masks. */
  command?: string;
  name?: string;
  arg?: string;
}

/** How one step of a job went. */
export interface StepRun {
  result: string | undefined;
  outputs: Record<string, string>;
  /** What it printed, as it would be shown. */
  printed: string[];
  /** Annotations, as they would be shown. */
  errors: string[];
}

/** A step that did not begin. */
const NOT_RUN: StepRun = { result: undefined, outputs: {}, printed: [], errors: [] };

/** What a workflow did, by the engine's own account. */
export class ActRun {
  readonly exitCode: number;
  readonly #lines: readonly ActLine[];
  readonly #stderr: string;

  constructor(exitCode: number, lines: readonly ActLine[], stderr: string) {
    this.exitCode = exitCode;
    this.#lines = lines;
    this.#stderr = stderr;
  }

  /** The results of a job that ran, one for each combination of its matrix; empty for one that did not. */
  job(id: string): string[] {
    return this.#lines.flatMap(({ jobID, jobResult }) =>
      jobID === id && jobResult !== undefined ? [jobResult] : [],
    );
  }

  /** The matrix values of a job's runs. */
  matrix(id: string): Record<string, unknown>[] {
    return this.#lines.flatMap(({ jobID, jobResult, matrix }) =>
      jobID === id && jobResult !== undefined ? [matrix ?? {}] : [],
    );
  }

  /**
   * A step by its id or name; without a result if it did not begin, as one that was skipped.
   * @param stage `Post` for what an action does at the end of the job
   */
  step(job: string, step: string, stage: 'Main' | 'Post' = 'Main'): StepRun {
    const lines = this.#lines.filter(
      (line) =>
        line.jobID === job && line.stage === stage && [line.stepID?.[0], line.step].includes(step),
    );
    if (lines.length === 0) return NOT_RUN;
    const own = lines.filter(({ stepID }) => stepID?.length === 1);
    return {
      result: own.findLast(({ stepResult }) => stepResult !== undefined)?.stepResult,
      outputs: Object.fromEntries(
        own
          .filter(({ command }) => command === 'set-output')
          .map(({ name, arg }) => [name ?? '', arg ?? '']),
      ),
      printed: lines.filter(({ raw_output }) => raw_output).map(({ msg }) => msg.trimEnd()),
      errors: lines.filter(({ command }) => command === 'error').map(({ msg }) => msg),
    };
  }

  /** All that a person would see. */
  shown(): string {
    return [...this.#lines.map(({ msg }) => msg), this.#stderr].join('\n');
  }
}
