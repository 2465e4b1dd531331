import { describe, expect, test } from '@jest/globals';
import { isWanted } from '../../src/list-projects/filter.ts';
import type { Filter } from '../../src/list-projects/settings.ts';

const ALL: Filter = {
  names: undefined,
  regionIds: undefined,
  platformIds: undefined,
  pgVersions: undefined,
};
const PROJECT = {
  id: 'p-1',
  name: 'shop-eu',
  region_id: 'aws-eu-central-1',
  platform_id: 'aws',
  pg_version: 17,
};
const wants = (filter: Partial<Filter>, project: object = {}): boolean =>
  isWanted({ ...ALL, ...filter }, { ...PROJECT, ...project });

describe('a project is wanted', () => {
  test('where nothing is asked', () => {
    expect(wants({})).toBe(true);
    expect(isWanted(ALL, { id: 'p', name: '' })).toBe(true);
  });

  test.each([
    [['shop-*'], true],
    [['web-*'], false],
    [['web-*', 'shop-*'], true],
    [['!*-eu'], false],
    [['!*-us'], true],
    [['shop-*', '!*-eu'], false],
    [['!*-eu', 'shop-*'], false],
    [['shop-*', '!*-us'], true],
    [['web-*', '!*-us'], false],
    [['!!shop-eu'], true],
    [[], false],
  ])('by its name: %j is %s', (names, wanted) => {
    expect(wants({ names })).toBe(wanted);
  });

  test('only where each list that is given has it', () => {
    const regionIds = ['aws-us-east-2', 'aws-eu-central-1'];
    expect(wants({ regionIds, platformIds: ['aws'], pgVersions: ['16', '17'] })).toBe(true);
    expect(wants({ regionIds, platformIds: ['azure'], pgVersions: ['17'] })).toBe(false);
    expect(wants({ regionIds: ['aws-eu'] })).toBe(false);
    expect(wants({ regionIds: ['AWS-eu-central-1'] })).toBe(false);
    expect(wants({ pgVersions: ['16'] })).toBe(false);
    expect(wants({ pgVersions: ['17'] }, { pg_version: 17n })).toBe(true);
    expect(wants({ regionIds: [] })).toBe(false);
  });

  test('never by a field that the service does not give', () => {
    expect(wants({ regionIds: ['undefined', 'null'] }, { region_id: undefined })).toBe(false);
    expect(wants({ platformIds: ['undefined', 'null'] }, { platform_id: null })).toBe(false);
  });
});
