import type { ListSettings } from '../list-projects/settings.ts';
import type { InputName } from './catalog.ts';
import type { Form } from './form.ts';

const FILTERS = ['project-name', 'region-id', 'platform-id', 'pg-version'] as const;

/**
 * The inputs of `list-projects`.
 * @param warn is told of inputs that have no useful effect
 */
export function readList(form: Form, warn: (message: string) => void): ListSettings {
  const [names, regionIds, platformIds, pgVersions] = [
    form.names('project-name', 'shop-*, !*-archive'),
    form.ids('region-id', 'aws-us-east-2, aws-eu-central-1'),
    form.ids('platform-id', 'aws, azure'),
    readVersions(form, 'pg-version'),
  ];
  for (const [index, list] of [names, regionIds, platformIds, pgVersions].entries()) {
    if (list?.length === 0) warn(`${FILTERS[index]} is an empty list, so no project is wanted.`);
  }
  return {
    filter: { names, regionIds, platformIds, pgVersions },
    orgId: form.id('org-id'),
    outputFile: readPath(form, 'output-file'),
  };
}

function readVersions(form: Form, name: InputName): readonly string[] | undefined {
  const versions = form.ids(name, '16, 17');
  const bad = versions?.find((version) => !/^[1-9]\d{0,3}$/.test(version));
  if (bad !== undefined) {
    const rule = {
      allowed: 'major versions of Postgres, which are whole numbers',
      example: '16, 17',
    };
    form.fault(name, `${form.quoted(bad)} is not a major version`, rule);
  }
  return versions;
}

function readPath(form: Form, name: InputName): string | undefined {
  const path = form.text(name);
  if (path === '') return undefined;
  const rule = {
    allowed: 'the path of a file, relative to the workspace, without control characters',
    example: 'build/projects.json',
  };
  if (/\p{Cc}/u.test(path)) form.fault(name, `${form.quoted(path)} is not a path`, rule);
  else if (/[/\\]$/.test(path)) form.fault(name, `${form.quoted(path)} names a folder`, rule);
  if (form.holdsSecret(path)) form.fault(name, 'holds the value of api-key or github-token', rule);
  return path;
}
