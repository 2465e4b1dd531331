import { describe, expect, test } from '@jest/globals';
import { findLeaks, type Searched } from '../../harness/leaks.ts';

const canary = 'napi_c4n4ry/with+"quotes"';
const clean: Searched = {
  stdout: 'nothing\n::add-mask::%25\n',
  stderr: '',
  summary: '',
  annotations: [],
  files: { GITHUB_OUTPUT: 'a=b\n' },
  log: ['nothing'],
};

describe('leaks', () => {
  test('are not found where there are none', () => {
    expect(findLeaks([canary], clean, { ...clean, post: clean })).toEqual([]);
  });

  test.each(['stdout', 'stderr', 'summary'] as const)(
    'are found in %s, with their line',
    (place) => {
      expect(
        findLeaks(['other-secret', canary], { ...clean, [place]: `a\nb ${canary} c\n` }),
      ).toEqual([{ canary: 1, where: `main: ${place}, line 2`, form: 'plain' }]);
    },
  );

  test.each([
    ['base64', Buffer.from(canary).toString('base64')],
    ['base64', Buffer.from(`x${canary}yz`).toString('base64')],
    ['base64', Buffer.from(`xy${canary}z`).toString('base64')],
    ['base64', Buffer.from(`xy${canary}zzzz`).toString('base64url')],
    ['URI-encoded', encodeURIComponent(canary)],
    ['JSON-escaped', JSON.stringify({ key: canary })],
    ['URI-encoded', encodeURIComponent(canary).replace(/%../g, (code) => code.toLowerCase())],
    ['URI-encoded', canary.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`)],
    ['HTML-escaped', canary.replaceAll('"', '&quot;')],
    ['HTML-escaped', canary.replace(/[a-f]/g, (one) => `&#${one.charCodeAt(0)};`)],
    ['HTML-escaped', canary.replace(/./g, (one) => `&#X${one.charCodeAt(0).toString(16)};`)],
    ['HTML-escaped', `\n${canary.replace('_', '&#0095')}`],
    ['hex', Buffer.from(canary).toString('hex')],
    ['hex', Buffer.from(canary).toString('hex').toUpperCase()],
  ])('are found as %s: %s', (form, text) => {
    expect(findLeaks([canary], { ...clean, stdout: text }).map((leak) => leak.form)).toContain(
      form,
    );
  });

  test('are not found in escapes of something else, and these are not stumbled over', () => {
    const stdout = '&#; &#x; &nosuch; &#99999999; &#x110000; &#10; % %2 %zz %C3%A4 %7';
    expect(findLeaks([canary], { ...clean, stdout })).toEqual([]);
  });

  test('are found in annotations, their properties, files and their names, and the post step', () => {
    const annotation = { level: 'error' as const, message: canary, properties: {} };
    const titled = { ...annotation, message: '', properties: { title: canary } };
    const found = findLeaks([canary], {
      ...clean,
      annotations: [annotation, titled],
      files: { 'RUNNER_TEMP/a.json': canary, [`HOME/${canary}`]: '' },
      post: { ...clean, log: [canary] },
    });
    expect(found.map(({ where }) => where)).toEqual([
      'main: annotation 1, line 1',
      'main: annotation 2, line 2',
      'main: RUNNER_TEMP/a.json, line 1',
      'main: the name of a file, line 1',
      'post: log, line 1',
    ]);
  });

  test('are found across lines', () => {
    expect(findLeaks(['first\nsecond'], { ...clean, stderr: 'first\nsecond' })).toHaveLength(1);
  });

  test('are allowed where a mask is registered, on the standard output and at the line’s start only', () => {
    const mask = `::add-mask::${canary}\n`;
    expect(findLeaks([canary], { ...clean, stdout: mask })).toEqual([]);
    expect(findLeaks([canary], { ...clean, stdout: `x ${mask}` })).toHaveLength(1);
    expect(findLeaks([canary], { ...clean, stderr: mask })).toHaveLength(1);
    expect(findLeaks([canary], { ...clean, stdout: `${mask}${canary}` })).toHaveLength(1);
  });

  test('are allowed in files that are named', () => {
    const files = { GITHUB_OUTPUT: canary, GITHUB_STATE: canary };
    const leaks = findLeaks(
      { canaries: [canary], allowedFiles: ['GITHUB_OUTPUT'] },
      { ...clean, files },
    );
    expect(leaks).toEqual([{ canary: 0, where: 'main: GITHUB_STATE, line 1', form: 'plain' }]);
  });

  test('are told without the secret', () => {
    expect(
      JSON.stringify(findLeaks(['c4n4ry-value'], { ...clean, stdout: 'c4n4ry-value' })),
    ).not.toContain('c4n4ry-value');
  });
});
