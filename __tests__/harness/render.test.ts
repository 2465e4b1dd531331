import { expect, test } from '@jest/globals';
import { renderLog } from '../../harness/render.ts';

const lines = [
  '##[group]Run ./',
  'with:',
  '  mode: x',
  '##[endgroup]',
  'plain',
  '##[error]bad',
  '##[warning]odd',
  '##[notice]note',
  '##[debug]detail',
  'not at the start ##[error]x',
];

test('a log is shown with its groups and labels', () => {
  expect(renderLog(lines).split('\n')).toEqual([
    '▼ Run ./',
    '  with:',
    '    mode: x',
    'plain',
    'Error: bad',
    'Warning: odd',
    'Notice: note',
    '##[debug]detail',
    'not at the start ##[error]x',
  ]);
});

test('a log has colours only where they are wanted', () => {
  expect(renderLog(lines)).not.toContain('\u001b');
  expect(renderLog(lines, { colour: true })).toContain('\u001b[31mError: bad\u001b[0m');
});
