import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parseAction } from '../../harness/action-yml.ts';
import { runMain, runPost, runStep, type StepOptions } from '../../harness/run-step.ts';

const scripts = mkdtempSync(join(tmpdir(), 'scripts-'));
afterAll(() => rmSync(scripts, { recursive: true, force: true }));
let made = 0;

/** A file that holds this script. */
function script(text: string): string {
  const file = join(scripts, `${++made}.mjs`);
  writeFileSync(file, `import fs from 'node:fs';\nimport path from 'node:path';\n${text}`);
  return file;
}

/** Writes a line to one of the runner's files. */
const tell = (file: string, line: string) =>
  `fs.appendFileSync(process.env.GITHUB_${file}, ${JSON.stringify(`${line}\n`)});\n`;

const action = parseAction(`
name: Test
inputs:
  api-key: {description: A key}
  timeout: {default: 10m}
  named input: {default: x}
runs: {using: node24, main: main.js, post: main.js, post-if: success()}
`);

const run = (text: string, options: Partial<StepOptions> = {}) =>
  runStep({ inputs: {}, action, entry: script(text), ...options });

describe('the environment of a step', () => {
  const printEnvironment = 'console.log(JSON.stringify(process.env));';

  test('holds inputs, the runner’s variables and nothing of the parent', async () => {
    const kept = { ...process.env };
    Object.assign(process.env, {
      HTTPS_PROXY: 'http://proxy.invalid',
      INPUT_MODE: 'from the parent',
      NODE_OPTIONS: '--no-warnings',
      STATE_isPost: 'true',
      GITHUB_TOKEN: 'from the parent',
    });
    try {
      const step = await run(printEnvironment, {
        inputs: { 'api-key': 'k3y' },
        env: { EXTRA: 'yes', GITHUB_API_URL: 'http://localhost:1' },
      });
      const environment = JSON.parse(step.stdout);
      expect(environment).toMatchObject({
        'INPUT_API-KEY': 'k3y',
        INPUT_TIMEOUT: '10m',
        INPUT_NAMED_INPUT: 'x',
        GITHUB_ACTIONS: 'true',
        GITHUB_REPOSITORY: 'octo-org/octo-repo',
        GITHUB_API_URL: 'http://localhost:1',
        EXTRA: 'yes',
        CI: 'true',
      });
      for (const name of [
        'HTTPS_PROXY',
        'INPUT_MODE',
        'NODE_OPTIONS',
        'STATE_isPost',
        'GITHUB_TOKEN',
      ]) {
        expect(environment).not.toHaveProperty([name]);
      }
    } finally {
      process.env = kept;
    }
  });

  test('is that of Node 24, in an empty workspace, with empty files for the runner', async () => {
    const step = await run(`
      console.log(process.versions.node.split('.')[0], process.cwd() === process.env.GITHUB_WORKSPACE);
      console.log(fs.readdirSync('.').length);
      for (const name of ['OUTPUT', 'STATE', 'ENV', 'PATH', 'STEP_SUMMARY']) {
        console.log(fs.statSync(process.env['GITHUB_' + name]).size);
      }`);
    expect(step.log).toEqual(['24 true', '0', '0', '0', '0', '0', '0']);
  });

  test('has debugging only when it is asked for', async () => {
    const text = `console.log(process.env.RUNNER_DEBUG); console.log('::debug::detail');`;
    expect((await run(text)).log).toEqual(['undefined']);
    expect((await run(text, { debug: true })).log).toEqual(['1', '##[debug]detail']);
    expect((await run(text)).annotations).toEqual([
      { level: 'debug', message: 'detail', properties: {} },
    ]);
  });

  test('has the workspace’s files', async () => {
    const step = await run(`console.log(fs.readFileSync('a/b.json', 'utf8'));`, {
      workspaceFiles: { 'a/b.json': '{}' },
    });
    expect(step.log).toEqual(['{}']);
    await expect(run('', { workspaceFiles: { '../out': '' } })).rejects.toThrow('outside');
  });
});

describe('the log of a step', () => {
  test('has commands of both streams interpreted, and hides secrets from their mask on', async () => {
    const step = await run(`
      console.log('before s3cret-value');
      console.log('::add-mask::s3cret-value');
      console.log('after s3cret-value');
      console.error('from a service: ##[warning]oops s3cret-value');`);
    expect(step.log).toEqual(expect.arrayContaining(['before s3cret-value', 'after ***']));
    expect(step.commands.map(({ name, stream }) => [name, stream])).toEqual(
      expect.arrayContaining([
        ['add-mask', 'stdout'],
        ['warning', 'stderr'],
      ]),
    );
    expect(step.masks).toEqual(['s3cret-value']);
    expect(step.stdout).toContain('after s3cret-value');
  });

  test('begins with the inputs, masked only if the runner knows the secret', async () => {
    const inputs = { 'api-key': 'k3y-value', timeout: '' };
    const known = await run('', { inputs, masks: ['k3y-value'], env: { TZ: 'UTC' } });
    expect(known.header).toEqual([
      '##[group]Run ./',
      'with:',
      '  api-key: ***',
      '  named input: x',
      'env:',
      '  TZ: UTC',
      '##[endgroup]',
    ]);
    expect((await run('', { inputs })).header).toContain('  api-key: k3y-value');
  });

  test('warns of inputs that are not declared, unless told not to', async () => {
    const inputs = { 'api-kee': 'x' };
    expect((await run('', { inputs })).annotations).toMatchObject([
      { level: 'warning', message: expect.stringContaining("Unexpected input(s) 'api-kee'") },
    ]);
    expect((await run('', { inputs, warnUnknownInputs: false })).annotations).toEqual([]);
  });

  test('lists ten annotations of a level, the others are lines only', async () => {
    const step = await run(`for (let i = 0; i < 12; i++) console.log('::notice::' + i);`);
    expect(step.annotations.filter(({ inLogOnly }) => !inLogOnly)).toHaveLength(10);
    expect(step.log).toHaveLength(12);
  });

  test('shows an issue of several lines as such, and cuts the annotation at 4096 characters', async () => {
    const step = await run(`console.log('::error title=T::a%0Ab' + 'x'.repeat(5000));`);
    expect(step.log[0]).toBe('##[error]a');
    expect(step.log[1]).toHaveLength(5001);
    expect(step.annotations[0]?.message).toHaveLength(4096);
    expect(step.annotations[0]?.properties).toEqual({ title: 'T' });
  });

  test('decodes characters that arrive in pieces', async () => {
    const step = await run(`
      const bytes = Buffer.from('grün ✓\\n');
      process.stdout.write(bytes.subarray(0, 3));
      setTimeout(() => process.stdout.write(bytes.subarray(3)), 50);`);
    expect(step.log).toEqual(['grün ✓']);
  });
});

describe('what a step hands over', () => {
  test('is read from its files', async () => {
    const step = await run(
      tell('OUTPUT', 'a=1') +
        tell('OUTPUT', 'b<<X\n2\n3\nX') +
        tell('STATE', 'c=4') +
        tell('ENV', 'D=5') +
        tell('PATH', '/somewhere') +
        tell('STEP_SUMMARY', '# Done'),
    );
    expect(step).toMatchObject({
      outputs: { a: '1', b: '2\n3' },
      state: { c: '4' },
      environment: { D: '5' },
      path: ['/somewhere'],
      summary: '# Done\n',
      succeeded: true,
    });
    expect(step.files).toMatchObject({
      GITHUB_OUTPUT: 'a=1\nb<<X\n2\n3\nX\n',
      GITHUB_STATE: 'c=4\n',
    });
  });

  test('fails the step when malformed', async () => {
    const step = await run(tell('OUTPUT', 'a=1') + tell('OUTPUT', 'nonsense'));
    expect(step).toMatchObject({ exitCode: 0, succeeded: false, outputs: { a: '1' } });
    expect(step.annotations.map(({ message }) => message)).toEqual([
      "Unable to process file command 'output' successfully.",
      "Invalid format 'nonsense'",
    ]);
  });

  test('may not load code into later steps', async () => {
    const step = await run(tell('ENV', 'NODE_OPTIONS=--import=x') + tell('ENV', 'A=1'));
    expect(step.environment).toEqual({ A: '1' });
    expect(step.annotations).toMatchObject([{ level: 'error' }]);
  });

  test('has secrets hidden in the summary, though not in the raw file', async () => {
    const step = await run(
      `console.log('::add-mask::s3cret-value');${tell('STEP_SUMMARY', 'key s3cret-value')}`,
    );
    expect(step.summary).toBe('key ***\n');
    expect(step.files.GITHUB_STEP_SUMMARY).toBe('key s3cret-value\n');
  });

  test('has no summary over 1 MiB, which is an error but no failure', async () => {
    const step = await run(
      `fs.writeFileSync(process.env.GITHUB_STEP_SUMMARY, 'x'.repeat(1024 * 1024 + 1));`,
    );
    expect(step.summary).toBe('');
    expect(step.annotations).toMatchObject([{ level: 'error' }]);
    expect(step.succeeded).toBe(true);
  });

  test('includes every file it left anywhere', async () => {
    const step = await run(`
      fs.writeFileSync(path.join(process.env.RUNNER_TEMP, 'a.json'), '1');
      fs.mkdirSync('deep');
      fs.writeFileSync('deep/b.json', '2');
      fs.writeFileSync(path.join(process.env.HOME, '.rc'), '3');
      fs.writeFileSync(path.join(process.env.TMPDIR, 'c'), '4');`);
    expect(step.files).toMatchObject({
      'RUNNER_TEMP/a.json': '1',
      'GITHUB_WORKSPACE/deep/b.json': '2',
      'HOME/.rc': '3',
      'TMPDIR/c': '4',
    });
  });

  test('is all that remains: the folders are removed, also after a failure', async () => {
    const where = 'console.log(process.env.RUNNER_TEMP);';
    const step = await run(`${where} process.exit(3);`);
    expect(step.exitCode).toBe(3);
    expect(existsSync(join(String(step.log[0]), '..'))).toBe(false);
  });
});

describe('how a step ends', () => {
  test.each([
    ['an exit code', 'process.exitCode = 1;', { exitCode: 1 }],
    ['an exception', 'throw new Error("boom");', { exitCode: 1 }],
    ['a rejection', 'Promise.reject(new Error("boom"));', { exitCode: 1 }],
    ['its own SIGKILL', 'process.kill(process.pid, "SIGKILL");', { signal: 'SIGKILL' }],
    ['an unsettled await', 'await new Promise(() => {});', { exitCode: 13 }],
    ['a refused command', 'console.log("::set-env name=A::b");', { exitCode: 0 }],
    ['a script that is not there', undefined, { exitCode: 1 }],
  ])('%s is a failure', async (_what, text, expected) => {
    const entry = text === undefined ? join(scripts, 'missing.mjs') : script(text);
    const step = await runStep({ inputs: {}, action, entry });
    expect(step).toMatchObject({ ...expected, succeeded: false, hung: false });
    expect(step.post).toBeUndefined();
  });

  test('an event loop that runs dry with a promise pending is green: the runner sees only the exit code', async () => {
    const step = await run('(async () => { await new Promise(() => {}); process.exit(1); })();');
    expect(step).toMatchObject({ exitCode: 0, succeeded: true, outputs: {} });
  });

  test('one error line alone does not fail it', async () => {
    expect(await run(`console.log('::error::boo');`)).toMatchObject({ succeeded: true });
  });

  test('a process that does not end is killed and called hung', async () => {
    const step = await run(`console.log('up'); setInterval(() => {}, 1000);`, { killAfterMs: 500 });
    expect(step).toMatchObject({ hung: true, succeeded: false, exitCode: null, signal: 'SIGKILL' });
    expect(step.log).toEqual(['up']);
    expect(step.durationMs).toBeGreaterThan(450);
  });

  test('a signal can be sent after a time or on a line of output', async () => {
    const text = `
      process.on('SIGTERM', () => { console.log('told'); process.exit(4); });
      console.log('ready');
      setInterval(() => {}, 1000);`;
    const onLine = await run(text, {
      signalAfter: { signal: 'SIGTERM', when: (line) => line === 'ready' },
    });
    expect(onLine).toMatchObject({ exitCode: 4, hung: false, log: ['ready', 'told'] });
    const afterTime = await run('setInterval(() => {}, 1000);', {
      signalAfter: { signal: 'SIGTERM', when: 300 },
    });
    expect(afterTime).toMatchObject({ exitCode: null, signal: 'SIGTERM', hung: false });
  });

  test('a cancelled step is not green, even if it ends with 0', async () => {
    const step = await run(
      `process.on('SIGINT', () => process.exit(0)); console.log('ready'); setInterval(() => {}, 1000);`,
      { cancelAfter: (line) => line === 'ready' },
    );
    expect(step).toMatchObject({ exitCode: 0, cancelled: true, succeeded: false });
  });

  test('a test can kill it itself', async () => {
    const step = await run('setInterval(() => {}, 1000);', {
      onSpawn: (child) => child.kill('SIGKILL'),
    });
    expect(step).toMatchObject({ signal: 'SIGKILL', hung: false, succeeded: false });
  });

  test('arguments for Node can sabotage it', async () => {
    const sabotage = 'data:text/javascript,process.exit(9)';
    expect(await run('', { nodeArgs: ['--import', sabotage] })).toMatchObject({ exitCode: 9 });
  });

  test('its use of memory and processor is measured when asked', async () => {
    const step = await run('Buffer.alloc(64 * 1024 * 1024, 1);', { measure: true });
    expect(step.maxRssKb).toBeGreaterThan(64 * 1024);
    expect(step.userCpuMs).toBeGreaterThan(0);
    expect((await run('')).maxRssKb).toBeUndefined();
  });

  test('children that keep its output open do not keep it for ever', async () => {
    const step = await run(
      `
      import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 15000)'], { stdio: 'inherit', detached: true });
      child.unref();
      console.log(child.pid);`,
      { jobSucceeds: false },
    );
    process.kill(Number(step.log[0]), 'SIGKILL');
    expect(step).toMatchObject({ exitCode: 0, hung: false });
    expect(step.durationMs).toBeLessThan(12_000);
  });
});

describe('the post step', () => {
  const both = `
    const post = process.env.STATE_isPost !== undefined;
    console.log(post ? 'post' : 'main', process.env.STATE_key ?? '-', process.env.LATER ?? '-');
    if (post) console.log(fs.existsSync('kept'), fs.readFileSync(process.env.GITHUB_STATE, 'utf8').length);
    else {
      fs.writeFileSync('kept', '');
      console.log('::add-mask::s3cret-value');
      fs.appendFileSync(process.env.GITHUB_STATE, 'isPost=true\\nkey=s3cret-value\\n');
      fs.appendFileSync(process.env.GITHUB_ENV, 'LATER=yes\\n');
    }
    process.exitCode = Number(process.env['INPUT_API-KEY']);`;

  test('has the state, the masks, the variables and the files of main, and fresh files for the runner', async () => {
    const step = await run(both);
    expect(step.log).toEqual(['main - -']);
    expect(step.post?.log).toEqual(['post *** yes', 'true 0']);
    expect(step.post?.header).toEqual(['Post job cleanup.']);
    expect(step.post?.succeeded).toBe(true);
  });

  test('does not run after a main that failed, or in a job that failed later', async () => {
    expect((await run(both, { inputs: { 'api-key': '1' } })).post).toBeUndefined();
    expect((await run(both, { jobSucceeds: false })).post).toBeUndefined();
  });

  test('runs after a failure with continue-on-error', async () => {
    const step = await run(both, { inputs: { 'api-key': '1' }, continueOnError: true });
    expect(step.post).toMatchObject({ succeeded: false, exitCode: 1 });
  });

  test.each([
    ['always()', 'always()'],
    ['no condition', undefined],
  ])('runs after a failure with %s', async (_name, condition) => {
    const { 'post-if': _, ...runs } = action.runs;
    const always = { ...action, runs: condition ? { ...runs, 'post-if': condition } : runs };
    expect((await run('process.exit(1)', { action: always })).post).toBeDefined();
  });

  test('does not exist without `post` in action.yml', async () => {
    const { post: _, ...runs } = action.runs;
    expect((await run('', { action: { ...action, runs } })).post).toBeUndefined();
  });

  test('can be run by itself after main, with other inputs', async () => {
    const options = { inputs: {}, action, entry: script(both) };
    const main = await runMain(options);
    expect(main.succeeded).toBe(true);
    expect(existsSync(main.context.root)).toBe(false);
    const post = await runPost({ ...options, inputs: { 'api-key': '7' } }, main);
    expect(post).toMatchObject({ exitCode: 7, succeeded: false });
    expect(existsSync(main.context.root)).toBe(false);
  });
});
