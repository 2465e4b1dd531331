import { describe, expect, test } from '@jest/globals';
import {
  effectiveInputs,
  evaluate,
  inputVariable,
  parseAction,
  unexpectedInputs,
} from '../../harness/action-yml.ts';

const action = parseAction(`
name: An action
inputs:
  plain:
    description: A plain input
  number:
    description: Its default is no string in YAML
    default: 5
  Named Token:
    default: \${{ github.token }}
    required: true
  empty:
    default: ''
runs:
  using: node24
  main: index.js
`);
/** An expression of a workflow. */
const expression = (text: string) => `\${{${text}}}`;

const contexts = { github: { token: 't0ken', repository: 'a/b' }, runner: { temp: '/temp' } };

describe('inputs', () => {
  test('get their defaults where they are not given, and are empty without one', () => {
    expect(effectiveInputs(action, {}, contexts)).toEqual({
      plain: '',
      number: '5',
      'Named Token': 't0ken',
      empty: '',
    });
  });

  test('keep what is given, also an empty text, in any case of their name', () => {
    expect(
      effectiveInputs(action, { number: '', 'NAMED TOKEN': 'x', plain: 'y' }, contexts),
    ).toEqual({
      number: '',
      'NAMED TOKEN': 'x',
      plain: 'y',
      empty: '',
    });
  });

  test('that are not declared are handed over all the same, and are known as such', () => {
    expect(effectiveInputs(action, { odd: '1' }, contexts)).toMatchObject({ odd: '1' });
    expect(unexpectedInputs(action, { odd: '1', PLAIN: '2' })).toEqual(['odd']);
  });

  test('keep their dashes in the name of the variable', () => {
    expect(inputVariable('api-key')).toBe('INPUT_API-KEY');
    expect(inputVariable('named token')).toBe('INPUT_NAMED_TOKEN');
  });
});

describe('expressions in defaults', () => {
  test('name a context', () => {
    const text = `a ${expression('github.repository')} ${expression(' runner.temp ')}`;
    expect(evaluate(text, contexts)).toBe('a a/b /temp');
  });

  test.each([' secrets.X ', ' github.unknown ', " format('x') ", ' github ', ''])(
    'are an error when unknown: %s',
    (text) => {
      expect(() => evaluate(expression(text), contexts)).toThrow('does not know the expression');
    },
  );
});

test('an action.yml that is not for JavaScript is refused', () => {
  expect(() => parseAction('name: x\nruns: {using: composite}')).toThrow('`using` and `main`');
});
