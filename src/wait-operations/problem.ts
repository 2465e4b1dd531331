/** Why a wait cannot go on, said in one sentence that names the id and what to do. */
export class WaitProblem extends Error {
  /** For the annotation. */
  readonly title: string;

  constructor(title: string, message: string) {
    super(message);
    this.name = 'WaitProblem';
    this.title = title;
  }
}
