import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** The folders of a job; each is made afresh for every phase and filled with what the phase before left there. */
const folders = {
  GITHUB_WORKSPACE: 'work',
  RUNNER_TEMP: 'temp',
  HOME: 'home',
  TMPDIR: 'tmp',
} as const;

/** The files through which a step talks to the runner; fresh ones for every phase. */
const commandFiles = {
  GITHUB_OUTPUT: 'set_output',
  GITHUB_STATE: 'save_state',
  GITHUB_ENV: 'set_env',
  GITHUB_PATH: 'add_path',
  GITHUB_STEP_SUMMARY: 'step_summary',
} as const;

export type CommandFile = keyof typeof commandFiles;

/** A file as a phase left it; `path` is relative, for example `RUNNER_TEMP/projects.json`. */
export interface LeftFile {
  path: string;
  content: Buffer;
  mode: number;
}

/** The folders and files of one phase on the disk. */
export class Sandbox {
  /** Where everything lies. It is the same for main and post, because saved state may name paths. */
  readonly root: string;
  readonly #files: string;

  private constructor(root: string) {
    this.root = root;
    this.#files = join(root, 'runner_file_commands');
  }

  /** Makes the folders and empty files, in a new place or in the one that an earlier phase had, with what it left. */
  static create(earlier?: { root: string; left: LeftFile[] }): Sandbox {
    const root = earlier?.root ?? mkdtempSync(join(realpathSync(tmpdir()), 'runner-'));
    const sandbox = new Sandbox(root);
    mkdirSync(sandbox.#files, { recursive: true });
    for (const folder of Object.values(folders)) mkdirSync(join(root, folder), { recursive: true });
    for (const file of Object.keys(commandFiles) as CommandFile[]) {
      writeFileSync(sandbox.file(file), '');
    }
    for (const { path, content, mode } of earlier?.left ?? []) sandbox.write(path, content, mode);
    return sandbox;
  }

  /** The path of one of the files for the runner. */
  file(name: CommandFile): string {
    return join(this.#files, commandFiles[name]);
  }

  /** The path of one of the folders. */
  folder(name: keyof typeof folders): string {
    return join(this.root, folders[name]);
  }

  /** Writes a file below one of the folders; its path begins with the folder's name. Throws if it would lie outside. */
  write(path: string, content: string | Uint8Array, mode = 0o644): void {
    const [folder, ...rest] = path.split('/');
    const base = this.folder(folder as keyof typeof folders);
    const target = resolve(base, rest.join('/'));
    if (!target.startsWith(base + sep)) throw new Error(`${path} lies outside its folder.`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content, { mode });
  }

  /** The variables that name the folders and files. */
  get environment(): Record<string, string> {
    const variables: Record<string, string> = {};
    for (const name of Object.keys(folders)) {
      variables[name] = this.folder(name as keyof typeof folders);
    }
    for (const name of Object.keys(commandFiles)) variables[name] = this.file(name as CommandFile);
    return variables;
  }

  /** The content of one of the files for the runner; empty if the step removed it. */
  read(name: CommandFile): Buffer {
    try {
      return readFileSync(this.file(name));
    } catch {
      return Buffer.alloc(0);
    }
  }

  /** Every file below the folders. */
  leftFiles(): LeftFile[] {
    return Object.entries(folders).flatMap(([name, folder]) => {
      const base = join(this.root, folder);
      return readdirSync(base, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const file = join(entry.parentPath, entry.name);
          const path = `${name}/${relative(base, file).replaceAll(sep, '/')}`;
          return { path, content: readFileSync(file), mode: statSync(file).mode & 0o777 };
        });
    });
  }

  /** Removes everything. */
  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}
