import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type ActionDefinition, parseAction, readAction } from '../../harness/action-yml.ts';
import { repository } from '../../harness/paths.ts';

/** Sources by their path below `src/`. */
type Sources = Record<string, string>;

interface Import {
  from: string;
  /** A path below `src/` for a relative import, else the module's name. */
  to: string;
  typeOnly: boolean;
}

const modes = ['wait-operations', 'rotate-key', 'list-projects'];

/**
 * What each part of `src/`, a folder or a file of that name, may import besides itself and the small files directly in
 * `src/` that are named nowhere here (`clock.ts`, `text.ts`, …), which import nothing but each other.
 */
const mayImport: Record<string, string[]> = {
  index: ['main', 'runner'],
  main: ['action', 'inputs', 'runner', 'control-api', ...modes],
  action: ['inputs', 'runner', 'control-api', ...modes],
  runner: ['inputs', 'control-api', ...modes],
  inputs: ['control-api', ...modes],
  ...Object.fromEntries(modes.map((mode) => [mode, ['control-api']])),
  'control-api': [],
  shared: [],
};

function readSources(): Sources {
  const folder = join(repository, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [file.replaceAll(sep, '/'), readFileSync(join(folder, file), 'utf8')]),
  );
}

function importsOf(sources: Sources): Import[] {
  const statement =
    /^[ \t]*(?:import|export)\b(?<type>\s+type\b)?[^;'"`]*?(?:\bfrom\s*)?['"](?<static>[^'"]+)['"]|\bimport\(\s*['"](?<dynamic>[^'"]+)['"]/gm;
  return Object.entries(sources).flatMap(([from, text]) => {
    const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
    return [...code.matchAll(statement)].map(({ groups }) => {
      const module = String(groups?.static ?? groups?.dynamic);
      const to = module.startsWith('.') ? posix.join(posix.dirname(from), module) : module;
      return { from, to, typeOnly: groups?.type !== undefined };
    });
  });
}

/** Imports of the toolkit's core outside `src/runner/`. */
function coreOutsideRunner(sources: Sources): string[] {
  return importsOf(sources)
    .filter(({ from, to }) => /^@actions\/core(\/|$)/.test(to) && !from.startsWith('runner/'))
    .map(({ from }) => from);
}

/** Imports against the direction index → action → modes → control-api, with those of types. */
function wrongWay(sources: Sources): string[] {
  return importsOf(sources)
    .filter(({ to }) => to in sources || /\.[cm]?[jt]s$/.test(to))
    .filter(({ from, to }) => {
      const [importer, imported] = [partOf(from), partOf(to)];
      if (importer === imported || (imported === 'shared' && !to.startsWith('..'))) return false;
      return !(mayImport[importer] ?? []).includes(imported);
    })
    .map(({ from, to }) => `${from} → ${to}`);
}

function partOf(file: string): string {
  // `inputs.ts` and `inputs/` are one part.
  const part = (file.split('/')[0] ?? '').replace(/\.ts$/, '');
  return part in mayImport || file.includes('/') ? part : 'shared';
}

/** Circles of imports that exist when the program runs, each as a path that ends where it began. */
function cycles(sources: Sources): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to, typeOnly } of importsOf(sources)) {
    if (!typeOnly) next.set(from, [...(next.get(from) ?? []), to]);
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}

/** What in files must not be published: paths of one machine, hosts of package registries. */
function unpublishable(files: Record<string, string>): string[] {
  // Put together here, because this file is searched as well.
  const path = new RegExp(`(?<![\\w.$}*-])/(?:${['work', 'root', 'tmp/scratch'].join('|')})/`);
  const hosts = [
    ['registry', 'npmjs', 'org'],
    ['registry', 'npmjs', 'com'],
    ['registry', 'yarnpkg', 'com'],
    ['npm', 'pkg', 'github', 'com'],
    ['pypi', 'org'],
    ['files', 'pythonhosted', 'org'],
    ['proxy', 'golang', 'org'],
    ['static', 'crates', 'io'],
  ].map((labels) => labels.join('.'));
  return Object.entries(files).flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => {
      const bad = path.test(line) || hosts.some((host) => line.includes(host));
      return bad ? [`${file}:${index + 1}`] : [];
    }),
  );
}

/** What is wrong with an `action.yml`. */
function faultsOf(action: ActionDefinition, inputs: string[], outputs: string[]): string[] {
  const faults: string[] = [];
  const compare = (kind: string, actual: string[], wanted: string[]) => {
    for (const name of wanted)
      if (!actual.includes(name)) faults.push(`${kind} ${name} is missing`);
    for (const name of actual) if (!wanted.includes(name)) faults.push(`${kind} ${name} is new`);
  };
  compare('input', Object.keys(action.inputs), inputs);
  compare('output', Object.keys(action.outputs), outputs);
  for (const [kind, declared] of [
    ['input', action.inputs],
    ['output', action.outputs],
  ] as const) {
    for (const [name, { description }] of Object.entries(declared)) {
      if (description === '') faults.push(`${kind} ${name} has no description`);
    }
  }
  const { using, main, post, 'post-if': condition } = action.runs;
  if (using !== 'node24') faults.push(`using is ${using}`);
  if (main !== 'dist/index.js' || post !== main) faults.push(`main is ${main}, post is ${post}`);
  if (condition !== 'success()') faults.push(`post-if is ${condition}`);
  if (!action.branding?.icon || !action.branding.color) faults.push('branding is not set');
  return faults;
}

const inputs = [
  'mode',
  'api-key',
  'base-url',
  'request-timeout',
  'max-retries',
  'summary',
  'project-id',
  'operation-ids',
  'operations',
  'operations-file',
  'branch-id',
  'actions',
  'require-actions',
  'since',
  'poll-interval',
  'timeout',
  'fail-fast',
  'failed-grace',
  'key-name',
  'old-key-ids',
  'revoke-old',
  'keep-previous',
  'rotate-after',
  'dry-run',
  'secret-name',
  'secret-targets',
  'github-token',
  'project-name',
  'region-id',
  'platform-id',
  'pg-version',
  'org-id',
  'output-file',
];

const outputs = [
  'result',
  'operations',
  'finished-ids',
  'failed-ids',
  'pending-ids',
  'count',
  'elapsed-seconds',
  'requests',
  'rotated',
  'api-key',
  'key-id',
  'revoked-key-ids',
  'pending-key-ids',
  'kept-key-ids',
  'stored-in',
  'projects',
  'project-ids',
  'matrix',
  'projects-file',
];

describe('only src/runner/ touches the toolkit’s core', () => {
  test('in this repository', () => {
    const sources = readSources();
    expect(Object.keys(sources)).not.toEqual([]);
    expect(coreOutsideRunner(sources)).toEqual([]);
  });

  test.each([
    "import * as core from '@actions/core';",
    "import { info } from '@actions/core';",
    "import '@actions/core';",
    "export { info } from '@actions/core';",
    "import {\n  info,\n  warning,\n} from '@actions/core';",
    "const core = await import('@actions/core');",
    "import type { Summary } from '@actions/core/lib/summary.js';",
  ])('and %j elsewhere is noticed', (text) => {
    const sources = { 'action.ts': text, 'runner/log.ts': text };
    expect(coreOutsideRunner(sources)).toEqual(['action.ts']);
  });

  test('and a comment or another module is not taken for it', () => {
    const text =
      "// import '@actions/core'\n/* import '@actions/core' */\nimport '@actions/core-x';";
    expect(coreOutsideRunner({ 'action.ts': text })).toEqual([]);
  });
});

describe('imports point one way', () => {
  test('in this repository', () => {
    expect(wrongWay(readSources())).toEqual([]);
  });

  test.each([
    ['control-api/client.ts', '../wait-operations/watch.ts'],
    ['control-api/client.ts', '../runner/log.ts'],
    ['wait-operations/watch.ts', '../runner/log.ts'],
    ['wait-operations/watch.ts', '../action.ts'],
    ['wait-operations/watch.ts', '../rotate-key/rotate.ts'],
    ['rotate-key/stores/github.ts', '../../inputs.ts'],
    ['runner/log.ts', '../action.ts'],
    ['action.ts', './index.ts'],
    ['text.ts', './control-api/client.ts'],
    ['text.ts', '../harness/mask.ts'],
    ['new-part/x.ts', '../control-api/client.ts'],
  ])('and %s importing %s is noticed', (from, to) => {
    expect(wrongWay({ [from]: `import type { X } from '${to}';` })).toHaveLength(1);
  });

  test.each([
    ['main.ts', './action.ts'],
    ['action.ts', './wait-operations/watch.ts'],
    ['runner/log.ts', '../control-api/errors.ts'],
    ['list-projects/list.ts', '../control-api/client.ts'],
    ['list-projects/list.ts', '../clock.ts'],
    ['control-api/client.ts', './errors.ts'],
    ['inputs.ts', './inputs/wait.ts'],
    ['inputs/wait.ts', '../wait-operations/settings.ts'],
    ['control-api/client.ts', 'node:http'],
  ])('and %s importing %s is not', (from, to) => {
    expect(wrongWay({ [from]: `import { X } from '${to}';` })).toEqual([]);
  });
});

describe('imports go in no circles', () => {
  test('in this repository', () => {
    expect(cycles(readSources())).toEqual([]);
  });

  test('and one is noticed, unless it is of types only', () => {
    const a = "import { b } from './b.ts';";
    expect(cycles({ 'x/a.ts': a, 'x/b.ts': "import { a } from './a.ts';" })).toEqual([
      'x/a.ts → x/b.ts → x/a.ts',
    ]);
    expect(cycles({ 'x/a.ts': a, 'x/b.ts': "import type { a } from './a.ts';" })).toEqual([]);
  });
});

describe('action.yml', () => {
  test('declares exactly what workflows rely on', () => {
    expect(faultsOf(readAction(), inputs, outputs)).toEqual([]);
  });

  test('and what it lacks or has too much of is noticed', () => {
    const action = parseAction(`
inputs: {mode: {description: x}, extra: {}}
outputs: {result: {}}
runs: {using: node20, main: dist/index.js}`);
    expect(faultsOf(action, ['mode', 'api-key'], ['result', 'count'])).toEqual([
      'input api-key is missing',
      'input extra is new',
      'output count is missing',
      'input extra has no description',
      'output result has no description',
      'using is node20',
      'main is dist/index.js, post is undefined',
      'post-if is undefined',
      'branding is not set',
    ]);
  });
});

describe('nothing of one machine is published', () => {
  test('in this repository', () => {
    // New files as well, so that the fault shows before it is committed.
    const listed = execFileSync(
      'git',
      ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      { cwd: repository, encoding: 'utf8' },
    );
    const files = [...new Set(listed.split('\0'))].filter(
      (file) => file !== '' && existsSync(join(repository, file)),
    );
    expect(files).toContain('action.yml');
    const contents = files.map((file) => [file, readFileSync(join(repository, file), 'utf8')]);
    expect(unpublishable(Object.fromEntries(contents))).toEqual([]);
    // The folder that this very clone lies in, whatever it is called.
    const here = `${repository.replaceAll(sep, '/')}/`;
    const naming = contents.filter(([, text]) => String(text).includes(here));
    expect(naming.map(([file]) => file)).toEqual([]);
  });

  test.each([
    ['', 'work', 'main', 'x.ts'].join('/'),
    `"file://${['', 'root', '.npmrc'].join('/')}"`,
    ['', 'tmp', 'scratch', 'a'].join('/'),
    `https://${['registry', 'npmjs', 'org'].join('.')}/jest`,
  ])('and %s is noticed', (text) => {
    expect(unpublishable({ 'a.md': `fine\nsee ${text}\n` })).toEqual(['a.md:2']);
  });

  test.each([
    '/home/runner/work/app/app',
    'https://example.com/work/',
    'src/work/x',
    '$HOME/work/',
  ])('and %s is not', (text) => {
    expect(unpublishable({ 'a.md': text })).toEqual([]);
  });
});
