import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../harness/paths.ts';
import { installTool } from './tools.ts';

/** A workflow that each linter must find fault with: one that finds nothing here would find nothing anywhere. */
const BAD = `
name: bad
on: pull_request_target
jobs:
  bad:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: echo \${{ github.event.pull_request.title }} $UNQUOTED \${{ steps.nowhere.outputs.x }}
`;

interface Linter {
  name: string;
  program: string;
  args: (files: string[]) => string[];
  /** What it must say of {@link BAD}. */
  mustFind: string[];
}

interface Judgement {
  status: number | null;
  output: string;
}

function linters(): Linter[] {
  const shellcheck = installTool('shellcheck');
  return [
    {
      name: 'actionlint',
      program: installTool('actionlint'),
      // Workflows only; `action.yml` files are read when a workflow uses them.
      args: (files) => [
        '-no-color',
        ...['-shellcheck', shellcheck, '-pyflakes', ''],
        ...files.filter((file) => !file.endsWith('action.yml') && !file.endsWith('dependabot.yml')),
      ],
      mustFind: ['[expression]', '[shellcheck]', 'nowhere'],
    },
    {
      name: 'zizmor',
      program: installTool('zizmor'),
      args: (files) => [
        ...['--offline', '--persona=pedantic', '--no-progress', '--color=never', '--quiet'],
        ...['--config', join(repository, '.github/zizmor.yml')],
        ...files,
      ],
      mustFind: ['unpinned-uses', 'template-injection', 'dangerous-triggers', 'artipacked'],
    },
    {
      name: 'shellcheck',
      program: shellcheck,
      args: () => [
        ...['.ci/run', '.github/actions/simulator/start.sh'].map((file) => join(repository, file)),
      ],
      mustFind: [],
    },
  ];
}

/** Every workflow, action and Dependabot file of this repository. */
function workflowFiles(): string[] {
  const found = ['.github', 'examples', '__workflows__'].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ya?ml$/.test(file) && file !== 'zizmor.yml')
      .map((file) => join(repository, folder, file)),
  );
  return [...found, join(repository, 'action.yml')];
}

function judge({ program, args }: Linter, files: string[]): Judgement {
  const { status, error, stdout, stderr } = spawnSync(program, args(files), {
    cwd: repository,
    encoding: 'utf8',
  });
  if (error) throw error;
  return { status, output: `${stdout}${stderr}`.trim() };
}

/** What a linter says of {@link BAD}, which it must not pass. @throws Error if it misses anything */
function prove(linter: Linter): void {
  if (linter.mustFind.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'bad-workflow-'));
  try {
    const workflows = join(folder, '.github/workflows');
    mkdirSync(workflows, { recursive: true });
    writeFileSync(join(workflows, 'bad.yml'), BAD);
    const { status, output } = judge(linter, [join(workflows, 'bad.yml')]);
    const missed = linter.mustFind.filter((rule) => !output.includes(rule));
    if (status !== 0 && missed.length === 0) return;
    throw new Error(
      `${linter.name} passed a bad workflow (${status}; not found: ${missed.join(', ')}).\n${output}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  const files = workflowFiles();
  for (const linter of linters()) {
    prove(linter);
    const { status, output } = judge(linter, files);
    if (status !== 0) {
      console.error(`${linter.name} (${status}):\n${output}`);
      process.exitCode = 1;
    } else {
      console.log(`${linter.name} found nothing.`);
    }
  }
  console.log(`${files.length} files.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
