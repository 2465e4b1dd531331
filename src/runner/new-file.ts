import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NewFile } from './runner.ts';

/**
 * Begins the file `path` beside its place, so that nobody reads half of it.
 * @param redacted takes secrets out of text
 * @throws the file system's error
 */
export function newFile(path: string, redacted: (text: string) => string): NewFile {
  const old = statSync(path, { throwIfNoEntry: false });
  if (old?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
  // A job in a container runs as root: a file in the place of /dev/null would break all that follows.
  if (old !== undefined && !old.isFile())
    throw Object.assign(new Error('it is a device or a pipe'), { code: 'not a regular file' });
  makeFolder(dirname(path));
  // Not longer than the name itself may be.
  const part = join(dirname(path), `.${randomUUID()}.part`);
  const file = openSync(part, 'wx');
  let open = true;
  let fault: unknown;
  const close = (): void => {
    if (open) closeSync(file);
    open = false;
  };
  const discard = (): void => {
    if (!open) return;
    close();
    rmSync(part, { force: true });
  };
  return {
    path,
    write(piece) {
      if (fault !== undefined) return;
      try {
        const bytes = Buffer.from(redacted(piece));
        for (let at = 0; at < bytes.length; at += writeSync(file, bytes, at));
      } catch (error) {
        fault = error;
      }
    },
    finish() {
      if (fault === undefined) {
        close();
        try {
          renameSync(part, path);
          return;
        } catch (error) {
          fault = error;
          rmSync(part, { force: true });
        }
      }
      discard();
      throw fault;
    },
    discard,
  };
}

/** Node's own way of making a folder with all above it never ends where the file system makes none, as below `/proc`. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another step of the same job may have been faster.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
