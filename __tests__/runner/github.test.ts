import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Secret } from '../../src/secret.ts';
import { hostileText } from '../support/hostile-text.ts';
import { githubStage } from './github-stage.ts';

const stage = githubStage();
afterAll(stage.close);
beforeEach(() => {
  stage.reset();
  stage.printed();
});

const title = 'Title';

describe('no text becomes a command', () => {
  test.each([
    '::error::x',
    'a\n::error::x',
    'a\r::error::x',
    'a\r\n ::add-mask::x',
    '\u0085::add-mask::x',
    'a\n\u3000::stop-commands::x',
    'a ##[error]x',
  ])('%j in the log', (text) => {
    const { log } = stage.runner();
    stage.printed();
    log.info(text);
    expect(stage.effects().filter(({ kind }) => kind !== 'print')).toEqual([]);
  });

  test('in the lines of the log', () => {
    const { log } = stage.runner();
    fc.assert(
      fc.property(hostileText(), (text) => {
        log.info(text);
        expect(stage.effects().filter(({ kind }) => kind !== 'print')).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('of the debug log', () => {
    const { log } = stage.runner();
    fc.assert(
      fc.property(hostileText(), (text) => {
        log.debug(text);
        expect(stage.effects()).toEqual([
          { kind: 'debug', message: expect.any(String), sent: true },
        ]);
      }),
    );
  });

  test('of an annotation: each is one of its own level', () => {
    fc.assert(
      fc.property(hostileText(), hostileText(), (message, name) => {
        const runner = stage.runner();
        stage.printed();
        runner.log.warning(message, { title: name });
        runner.log.error(message, { title: name });
        runner.fail(message, { title: name });
        const effects = stage.effects();
        expect(effects.map((effect) => (effect.kind === 'issue' ? effect.level : effect))).toEqual([
          'warning',
          'error',
          'error',
        ]);
      }),
    );
  });

  test('of an annotation beyond the tenth', () => {
    const runner = stage.runner();
    for (let count = 0; count < 12; count += 1) {
      runner.log.warning('w', { title });
      runner.log.error('e', { title });
    }
    stage.printed();
    fc.assert(
      fc.property(hostileText(), (message) => {
        runner.log.warning(message, { title });
        runner.log.error(message, { title });
        expect(stage.effects().filter(({ kind }) => kind !== 'print')).toEqual([]);
      }),
    );
  });

  test('and ordinary text is left as it is', () => {
    const { log } = stage.runner();
    stage.printed();
    log.info('  1.2s  create_branch o1: running → finished');
    log.info('a\nb');
    expect(stage.printed()).toBe('  1.2s  create_branch o1: running → finished\na\nb\n');
    log.warning('50% of a,b: c\nd', { title: 'A: b, c' });
    expect(stage.effects()).toEqual([
      {
        kind: 'issue',
        level: 'warning',
        message: '50% of a,b: c\nd',
        properties: { title: 'A: b, c' },
      },
    ]);
  });
});

describe('a masked value', () => {
  const secret = new Secret('napi_k3y.with/odd+chars');

  test('is masked at once, and is in nothing that is printed or written afterwards', async () => {
    const runner = stage.runner();
    stage.printed();
    runner.mask(secret);
    expect(stage.effects()).toEqual([{ kind: 'mask', value: secret.reveal() }]);
    const text = `x ${secret.reveal()} y\n::error::${secret.reveal()}`;
    runner.log.info(text);
    runner.log.debug(text);
    runner.log.warning(text, { title: text });
    runner.log.error(text, { title: text });
    runner.fail(text, { title: text });
    runner.setOutputs({ a: text, b: `["${secret.reveal()}"]` });
    await runner.writeSummary(`# ${text}`);
    const all = stage.printed() + JSON.stringify(stage.outputs()) + stage.summary();
    expect(all).toContain('***');
    expect(all).not.toContain(secret.reveal());
    expect(all).not.toContain('k3y');
  });

  test('that is empty masks nothing', () => {
    const runner = stage.runner();
    stage.printed();
    runner.mask(new Secret(''));
    runner.log.info('a b');
    expect(stage.printed()).toBe('a b\n');
  });
});

describe('annotations', () => {
  test('are at most ten of a kind, and the closing error is one of them', () => {
    const runner = stage.runner();
    stage.printed();
    for (let count = 1; count <= 15; count += 1) {
      runner.log.warning(`w${count}`, { title });
      runner.log.error(`e${count}`, { title });
    }
    runner.fail('the end', { title });
    const effects = stage.effects();
    const issues = (level: string) =>
      effects.flatMap((effect) =>
        effect.kind === 'issue' && effect.level === level ? [effect.message] : [],
      );
    expect(issues('warning')).toEqual(Array.from({ length: 10 }, (_, index) => `w${index + 1}`));
    expect(issues('error')).toHaveLength(10);
    expect(issues('error').at(-1)).toBe('the end');
    const lines = effects.flatMap((effect) => (effect.kind === 'print' ? [effect.text] : []));
    for (const rest of ['w11', 'w15', 'e10', 'e15'])
      expect(lines.filter((line) => line.endsWith(` ${rest}`))).toHaveLength(1);
  });

  test('of failure make the step fail', () => {
    const runner = stage.runner();
    process.exitCode = 0;
    runner.log.error('x', { title });
    expect(process.exitCode).toBe(0);
    runner.fail('x', { title });
    expect(process.exitCode).toBe(1);
  });
});

describe('outputs', () => {
  test('arrive as they were set, whatever is in them', () => {
    const value = fc.oneof(
      hostileText().map((text) => text.toWellFormed()),
      fc.constantFrom('', 'a\nname<<EOF\nb\nEOF', 'x=y', '<<', '\n', '{"a":"b"}'),
    );
    fc.assert(
      fc.property(value, value, (a, b) => {
        stage.reset();
        stage.runner().setOutputs({ 'first-one': a, second: b });
        expect(stage.outputs()).toEqual({ 'first-one': a, second: b });
      }),
    );
    expect(stage.effects().filter(({ kind }) => kind === 'output')).toEqual([]);
  });
});

describe('the post step', () => {
  test('is known by the state that main saves, even if main comes no further', () => {
    expect(stage.runner().isPost).toBe(false);
    const saved = Object.entries(stage.state());
    expect(saved).toHaveLength(1);
    for (const [name, value] of saved) process.env[`STATE_${name}`] = value;
    try {
      expect(stage.runner().isPost).toBe(true);
      process.env.GITHUB_RUN_ID = '8';
      expect(stage.runner().isPost).toBe(false);
    } finally {
      process.env.GITHUB_RUN_ID = '7';
      for (const [name] of saved) delete process.env[`STATE_${name}`];
    }
  });
});

describe('files', () => {
  test('are read from the workspace, or from where the path says', () => {
    const { readFile } = stage.runner();
    const path = join(stage.workspace, 'a.json');
    writeFileSync(path, 'content');
    expect(Buffer.from(readFile('a.json')).toString()).toBe('content');
    expect(Buffer.from(readFile(path)).toString()).toBe('content');
    expect(() => readFile('none.json')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(() => readFile('.')).toThrow(expect.objectContaining({ code: 'EISDIR' }));
    truncateSync(path, 32 * 1024 * 1024 + 1);
    expect(() => readFile(path)).toThrow(expect.objectContaining({ code: 'EFBIG' }));
  });
});

describe('the summary', () => {
  const warnings = () =>
    stage
      .effects()
      .flatMap((effect) =>
        effect.kind === 'issue' && effect.level === 'warning' ? [effect.message] : [],
      );

  test('is written as it is', async () => {
    const runner = stage.runner();
    await runner.writeSummary('### Größe\n\n| a |\n| --- |\n');
    await runner.writeSummary('more\n');
    expect(stage.summary()).toBe('### Größe\n\n| a |\n| --- |\nmore\n');
    expect(warnings()).toEqual([]);
  });

  test('may be as large as GitHub takes; a larger one is a warning', async () => {
    const runner = stage.runner();
    const largest = 'é'.repeat(512 * 1024);
    await runner.writeSummary(largest);
    expect(stage.summary()).toBe(largest);
    stage.reset();
    await runner.writeSummary(`${largest}x`);
    expect(stage.summary()).toBe('');
    expect(warnings()).toEqual([expect.stringContaining('1 MiB')]);
    await runner.writeSummary('next');
    expect(stage.summary()).toBe('next');
  });

  test('that cannot be written is a warning', async () => {
    const runner = stage.runner();
    rmSync(stage.workspace, { recursive: true });
    await runner.writeSummary('x');
    expect(warnings()).toEqual([expect.stringContaining('could not be written')]);
  });
});
