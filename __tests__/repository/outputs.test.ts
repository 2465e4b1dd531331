import { expect, test } from '@jest/globals';
import { readAction } from '../../harness/action-yml.ts';
import { tables } from '../../scripts/docs.ts';
import { INPUTS, MODES } from '../../src/inputs/catalog.ts';
import { noListOutputs } from '../../src/runner/list-outputs.ts';
import { noRotateOutputs } from '../../src/runner/rotate-outputs.ts';
import { noWaitOutputs } from '../../src/runner/wait-outputs.ts';

const SET = {
  'wait-operations': noWaitOutputs,
  'rotate-key': noRotateOutputs,
  'list-projects': noListOutputs,
};

/** The names in a table's first column. */
function namesIn(section: string): string[] {
  const rows = (tables(readAction())[section] ?? '').matchAll(/^\| `([^`]+)` \|/gm);
  return [...rows].map(([, name]) => String(name)).toSorted();
}

test.each(MODES)('action.yml says of %s which outputs the code sets', (mode) => {
  expect(namesIn(`outputs:${mode}`)).toEqual(Object.keys(SET[mode]()).toSorted());
});

test.each([undefined, ...MODES])('action.yml says of %s which inputs the code reads', (mode) => {
  const read = Object.entries(INPUTS).filter(([, input]) => input.mode === mode);
  expect(namesIn(`inputs:${mode ?? 'common'}`)).toEqual(read.map(([name]) => name).toSorted());
});
