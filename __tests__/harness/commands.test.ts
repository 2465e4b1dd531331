import { describe, expect, test } from '@jest/globals';
import { CommandInterpreter, type Effect, LineSplitter } from '../../harness/commands.ts';

/** The effects of lines of the standard output, one after the other. */
function effects(...lines: string[]): Effect[] {
  const interpreter = new CommandInterpreter();
  return lines.flatMap((line) => interpreter.line(line, 'stdout'));
}

const issue = (level: string, message: string, properties = {}) => ({
  kind: 'issue',
  level,
  message,
  properties,
});
const printed = (text: string) => ({ kind: 'print', text });

describe('commands of the form ::name::', () => {
  test('count at the start of a line', () => {
    expect(effects('::error::boo')).toEqual([issue('error', 'boo')]);
  });

  test.each([' ', '\t', '\u00a0', '\u2003', '\u0085', ' \t '])(
    'count after the white space %j',
    (space) => {
      expect(effects(`${space}::warning::boo`)).toEqual([issue('warning', 'boo')]);
    },
  );

  test.each(['x::error::boo', '.::error::boo', '::error:boo', ':error::boo', '::error'])(
    'do not count in the line %j',
    (line) => {
      expect(effects(line)).toEqual([printed(line)]);
    },
  );

  test.each(['::foo::bar', '::foo a=b::bar', ':: error::x', '::::', '::internal-set-repo-path::x'])(
    'print as text when their name is unknown: %j',
    (line) => {
      expect(effects(line)).toEqual([printed(line)]);
    },
  );

  test('have names in any case', () => {
    expect(effects('::ERROR::boo')).toEqual([issue('error', 'boo')]);
  });

  test('carry properties, of which those without a value are dropped', () => {
    expect(effects('::notice title=a,file=b=c,line=,=d,col::boo')).toEqual([
      issue('notice', 'boo', { title: 'a', file: 'b=c' }),
    ]);
  });

  test('have messages and properties unescaped, each in its own way', () => {
    expect(effects('::error title=a%3Ab%2Cc%0Ad%25::x%0D%0Ay%25z%3A%2C%3B')).toEqual([
      issue('error', 'x\r\ny%z%3A%2C%3B', { title: 'a:b,c\nd%' }),
    ]);
  });

  test('have an escaped percent sign unescaped last, so that it makes no line break', () => {
    expect(effects('::error::a%250Ab')).toEqual([issue('error', 'a%0Ab')]);
  });

  test('are not unescaped from lower-case hex', () => {
    expect(effects('::error::a%0ab')).toEqual([issue('error', 'a%0ab')]);
  });

  test('end at the second ::, whatever follows', () => {
    expect(effects('::error::a::b')).toEqual([issue('error', 'a::b')]);
  });
});

describe('commands of the form ##[name]', () => {
  test.each(['##[error]boo', 'a ##[error]boo', 'a::b##[error]boo', '::foo::##[error]boo'])(
    'count anywhere in the line %j',
    (line) => {
      expect(effects(line)).toEqual([issue('error', 'boo')]);
    },
  );

  test('separate properties by semicolons and unescape ; and ]', () => {
    expect(effects('##[error title=a%3B%5D;file=b,c]x%5D%3B%3A')).toEqual([
      issue('error', 'x];%3A', { title: 'a;]', file: 'b,c' }),
    ]);
  });

  test.each(['##[foo]bar', '##[foo]##[error]bar', '##[error', '# #[error]x', '#[error]x'])(
    'do not count in the line %j',
    (line) => {
      expect(effects(line)).toEqual([printed(line)]);
    },
  );
});

describe('what commands do', () => {
  test('add-mask registers a value, also through the older form', () => {
    expect(effects('::add-mask::s3cret', 'x ##[add-mask]other')).toEqual([
      { kind: 'mask', value: 's3cret' },
      { kind: 'mask', value: 'other' },
    ]);
  });

  test('add-mask of nothing is a warning', () => {
    expect(effects('::add-mask::  ')).toEqual([
      issue('warning', "Can't add secret mask for empty string in ##[add-mask] command."),
    ]);
  });

  test('groups and debug lines', () => {
    expect(effects('::group::Title', '::endgroup::ignored', '::debug::quiet')).toEqual([
      printed('##[group]Title'),
      printed('##[endgroup]'),
      { kind: 'debug', message: 'quiet', sent: true },
    ]);
  });

  test('stop-commands switches all commands off, masking included, until its token comes', () => {
    expect(
      effects('::stop-commands::tok', '::add-mask::s3cret', '::other::', '::tok::', '::error::x'),
    ).toEqual([
      printed('::stop-commands::tok'),
      printed('::add-mask::s3cret'),
      printed('::other::'),
      printed('::tok::'),
      { kind: 'debug', message: 'Resume processing commands', sent: false },
      issue('error', 'x'),
    ]);
  });

  test('the token of stop-commands is of no use a second time', () => {
    expect(effects('::stop-commands::tok', '::tok::', '::tok::').at(-1)).toEqual(
      printed('::tok::'),
    );
  });

  test.each(['', 'error', 'pause-logging'])('stop-commands refuses the token %j', (token) => {
    expect(effects(`::stop-commands::${token}`).at(-1)).toEqual({ kind: 'fail' });
  });

  test('echo repeats commands in the log, but not those that hold messages or secrets', () => {
    const lines = effects('::echo::on', '::set-output name=a::b', '::add-mask::s3cret');
    expect(lines).toContainEqual(printed('::set-output name=a::b'));
    expect(lines).toContainEqual(printed('::add-mask::***'));
    expect(lines).not.toContainEqual(printed('::add-mask::s3cret'));
    expect(effects('::echo::perhaps').at(-1)).toEqual({ kind: 'fail' });
  });

  test.each(['set-env name=A', 'add-path'])('%s is refused and fails the step', (command) => {
    const interpreter = new CommandInterpreter();
    expect(interpreter.line(`::${command}::x`, 'stderr').at(-1)).toEqual({ kind: 'fail' });
    expect(interpreter.commands).toMatchObject([{ stream: 'stderr', error: expect.any(String) }]);
  });

  test('set-output and save-state still work, with a warning, and are marked obsolete', () => {
    const interpreter = new CommandInterpreter();
    expect(interpreter.line('::set-output name=a::b', 'stdout')).toEqual([
      expect.objectContaining({ kind: 'issue', level: 'warning' }),
      { kind: 'output', name: 'a', value: 'b' },
    ]);
    expect(interpreter.line('::save-state name=a::b', 'stdout').at(-1)).toEqual({
      kind: 'state',
      name: 'a',
      value: 'b',
    });
    expect(interpreter.line('::set-output::b', 'stdout').at(-1)).toEqual({ kind: 'fail' });
    expect(interpreter.commands.map(({ error }) => error !== undefined)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('lines', () => {
  test('end at \\n, \\r\\n and a lone \\r, wherever the pieces are cut', () => {
    const text = 'a\nb\r\nc\rd\r\r\n\ne';
    const expected = ['a', 'b', 'c', 'd', '', '', 'e'];
    for (let cut = 0; cut <= text.length; cut++) {
      const splitter = new LineSplitter();
      const lines = [
        ...splitter.push(text.slice(0, cut)),
        ...splitter.push(text.slice(cut)),
        ...splitter.end(),
      ];
      expect(lines).toEqual(expected);
    }
  });

  test('need no end, and none is invented after the last', () => {
    const splitter = new LineSplitter();
    expect([...splitter.push('a\nb'), ...splitter.end()]).toEqual(['a', 'b']);
    expect([...splitter.push('a\n'), ...splitter.end()]).toEqual(['a']);
    expect([...splitter.push('a\r'), ...splitter.end()]).toEqual(['a']);
    expect(splitter.end()).toEqual([]);
  });
});
