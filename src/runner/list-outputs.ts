import { stringifyJson } from '../control-api/json.ts';
import type { WantedProject } from '../list-projects/list.ts';
import type { ListReport } from '../list-projects/report.ts';
import { LARGEST_OUTPUTS } from './runner.ts';

export interface ListOutputs {
  readonly outputs: Readonly<Record<string, string>>;
  /** Left out, because all together would be larger than GitHub takes. */
  readonly leftOut: readonly string[];
}

/** The text of a list that grows as long as it may become an output. */
class BoundedText {
  #pieces: string[] = [];
  size: number;
  readonly #begin: string;
  readonly #end: string;

  constructor(begin: string, end: string) {
    this.#begin = begin;
    this.#end = end;
    this.size = begin.length + end.length;
  }

  get fits(): boolean {
    return this.size <= LARGEST_OUTPUTS;
  }

  add(item: () => string): void {
    if (!this.fits) return;
    const piece = item();
    this.size += Buffer.byteLength(piece) + (this.#pieces.length === 0 ? 0 : 1);
    this.#pieces.push(piece);
    if (!this.fits) this.#pieces = [];
  }

  text(): string {
    return this.#begin + this.#pieces.join(',') + this.#end;
  }
}

/** Collects the outputs of `list-projects`, without those that are certain to be too large. */
export class ListTexts {
  readonly #texts = {
    projects: new BoundedText('[', ']'),
    matrix: new BoundedText('{"include":[', ']}'),
    'project-ids': new BoundedText('[', ']'),
  };

  add({ project, json }: WantedProject): void {
    this.#texts.projects.add(() => json);
    this.#texts.matrix.add(() => stringifyJson(matrixEntry(project)));
    this.#texts['project-ids'].add(() => JSON.stringify(project.id));
  }

  /**
   * The outputs, set at every end.
   * @param file the path of the full JSON
   */
  outputs(report: ListReport, file: string): ListOutputs {
    if (report.result !== 'listed') return { outputs: noListOutputs(), leftOut: [] };
    const small = { count: String(report.count), 'projects-file': file };
    const large = Object.entries(this.#texts).sort(([, a], [, b]) => a.size - b.size);
    const leftOut: string[] = [];
    const smallSize = Buffer.byteLength(Object.values(small).join(''));
    while (large.reduce((sum, [, { size }]) => sum + size, smallSize) > LARGEST_OUTPUTS)
      leftOut.push(large.pop()?.[0] ?? '');
    const kept = Object.fromEntries(large.map(([name, bounded]) => [name, bounded.text()]));
    return { outputs: { ...small, ...kept }, leftOut };
  }
}

/** What a job needs to name a project and speak to it. */
function matrixEntry({ id, name, region_id, pg_version }: WantedProject['project']) {
  return { id, name, region_id: region_id ?? null, pg_version: pg_version ?? null };
}

/**
 * The outputs of a listing that did not come to its end. Empty, and neither `0` nor `[]`: those are what an account without
 * projects gives, and a workflow that goes on after a failure must not take one for the other.
 */
export function noListOutputs(): Readonly<Record<string, string>> {
  return { projects: '', 'project-ids': '', matrix: '', count: '', 'projects-file': '' };
}
