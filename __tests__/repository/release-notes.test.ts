import { describe, expect, test } from '@jest/globals';
import { releaseNotes } from '../../scripts/release-notes.ts';

const changelog = `# Changelog

## Unreleased

- not yet

## [1.2.3] - 2026-03-01

### Added

- this

## 1.2.2

- that

## 1.2.1

## 1.2.0

- first
`;

describe('the notes of a release', () => {
  test('are its section of the changelog, with or without brackets and date', () => {
    expect(releaseNotes('v1.2.3', changelog, '1.2.3')).toBe('### Added\n\n- this');
    expect(releaseNotes('v1.2.2', changelog, '1.2.2')).toBe('- that');
    expect(releaseNotes('v1.2.0', changelog, '1.2.0')).toBe('- first');
  });

  test.each([
    ['v1.2.4', '1.2.4', 'says nothing about 1.2.4'],
    ['v1.2.1', '1.2.1', 'says nothing about 1.2.1'],
    ['v1.2', '1.2', 'not of the form'],
    ['v1.2.3-rc.1', '1.2.3-rc.1', 'not of the form'],
    ['v1.2.3', '1.2.2', 'not the version of package.json, 1.2.2'],
  ])('%s with version %s is refused', (tag, version, message) => {
    expect(() => releaseNotes(tag, changelog, version)).toThrow(message);
  });
});
