import { oneLine } from '../text.ts';

/**
 * Ids on their way into a URL. An id comes from a workflow or from an answer; one that could climb out of its path would
 * let a project's name choose which endpoint the key is sent to.
 */

const ID = /^[A-Za-z0-9._~-]+$/;

/** Whether `id` can stand as one segment of a path: unreserved characters, and neither `.` nor `..`. */
export function isSafeId(id: string): boolean {
  return ID.test(id) && id !== '.' && id !== '..';
}

/** Thrown before anything is sent. */
export class UnsafeIdError extends Error {
  constructor(what: string, id: string) {
    super(
      `The ${what} ${JSON.stringify(oneLine(id, 80))} is not an id: only letters, digits, ".", "_", "~" and "-" are allowed, for example "aged-salad-686906".`,
    );
    this.name = 'UnsafeIdError';
  }
}

/**
 * `id` as a segment of a path.
 * @param what names the id in the error: `project id`
 * @throws UnsafeIdError
 */
export function segment(what: string, id: string): string {
  if (!isSafeId(id)) throw new UnsafeIdError(what, id);
  return encodeURIComponent(id);
}
