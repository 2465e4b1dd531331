import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseAction, readAction } from '../../harness/action-yml.ts';
import { repository } from '../../harness/paths.ts';
import { sectionsOf, tables, withTables } from '../../scripts/docs.ts';

describe('README.md', () => {
  const file = join(repository, 'README.md');
  const readme = existsSync(file) ? readFileSync(file, 'utf8') : '';

  test('has markers for every table', () => {
    expect(sectionsOf(readme).toSorted()).toEqual(Object.keys(tables(readAction())).toSorted());
  });

  test('has the tables that action.yml gives (if not: `npm run docs`)', () => {
    expect(readme).toBe(withTables(readme, readAction()));
  });
});

describe('the tables', () => {
  const action = parseAction(`
inputs:
  both:
    description: >-
      What it is. It may be
      of two lines with a | in it.
    default: 5s
  key:
    description: The key.
    required: true
  ids:
    description: "\`wait-operations\`: the ids. See \`rotate-key\`, too."
  since:
    description: "\`wait-operations\`, without ids: the moment."
  name:
    description: "\`rotate-key\`: the name (required in this mode)."
outputs:
  result:
    description: "How it ended. \`wait-operations\`: \`finished\`. \`rotate-key\`: \`fresh\`."
  count:
    description: "\`wait-operations\`: operations. \`list-projects\`: projects."
runs: {using: node24, main: x}
`);

  test('belong to the modes that the descriptions begin with', () => {
    expect(tables(action)).toEqual({
      'inputs:common': [
        '| input | default | what |',
        '|---|---|---|',
        '| `both` | `5s` | What it is. It may be of two lines with a \\| in it. |',
        '| `key` | **required** | The key. |',
      ].join('\n'),
      'inputs:wait-operations': [
        '| input | default | what |',
        '|---|---|---|',
        '| `ids` |  | The ids. See `rotate-key`, too. |',
        '| `since` |  | Without ids: the moment. |',
      ].join('\n'),
      'inputs:rotate-key': [
        '| input | default | what |',
        '|---|---|---|',
        '| `name` | **required** | The name (required in this mode). |',
      ].join('\n'),
      'outputs:wait-operations': [
        '| output | what |',
        '|---|---|',
        '| `result` | How it ended: `finished`. |',
        '| `count` | Operations. |',
      ].join('\n'),
      'outputs:rotate-key': [
        '| output | what |',
        '|---|---|',
        '| `result` | How it ended: `fresh`. |',
      ].join('\n'),
      'outputs:list-projects': ['| output | what |', '|---|---|', '| `count` | Projects. |'].join(
        '\n',
      ),
    });
  });

  test('hold every input and output of this action at least once', () => {
    const real = readAction();
    const rows = Object.values(tables(real)).join('\n');
    for (const name of [...Object.keys(real.inputs), ...Object.keys(real.outputs)]) {
      expect(rows).toContain(`| \`${name}\` |`);
    }
  });

  test('are written between their markers, again and again with the same result', () => {
    const readme =
      'a\n<!-- outputs:rotate-key:start -->\nold\n<!-- outputs:rotate-key:end -->\nb\n' +
      '<!-- inputs:common:start -->\n<!-- inputs:common:end -->\n';
    const written = withTables(readme, action);
    expect(written).toMatch(/^a\n<!-- outputs:rotate-key:start -->\n\n\| output/);
    expect(written).toContain('`fresh`. |\n\n<!-- outputs:rotate-key:end -->\nb\n');
    expect(written).not.toContain('old');
    expect(written).toContain('| `key` |');
    expect(written).not.toContain('| `ids` |');
    expect(withTables(written, action)).toBe(written);
  });

  test('that a README does not ask for are left out', () => {
    expect(withTables('nothing', action)).toBe('nothing');
  });

  test('must have both markers, of a section that exists', () => {
    expect(() => withTables('<!-- inputs:common:start -->\n', action)).toThrow(
      'without its partner',
    );
    expect(() => withTables('<!-- inputs:common:end -->\n', action)).toThrow('without its partner');
    expect(() =>
      withTables('<!-- inputs:other:start -->\n<!-- inputs:other:end -->', action),
    ).toThrow('without a table');
  });
});
