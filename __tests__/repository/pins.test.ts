import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repository } from '../../harness/paths.ts';

/** How a workflow names an action of others: `OWNER/NAME[/PATH]@COMMIT # vX.Y.Z`. */
const PINNED = /^([\w-]+\/[\w-]+)(?:\/[\w-]+)?@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)$/;

/** What is wrong with how workflows name and use actions; this repository's own count as ours. */
function faultsOf(files: Record<string, string>): string[] {
  const commits = new Map<string, string>();
  return Object.entries(files).flatMap(([file, text]) => {
    const uses = [...text.matchAll(/^\s*(?:- )?uses: (.+)$/gm)].map(([, action]) => String(action));
    const others = uses.filter(
      (action) => !/^(?:\.\/|OWNER\/cloud-database-control@v0$)/.test(action),
    );
    const faults = others.flatMap((action) => {
      const [, name, commit, version] = PINNED.exec(action) ?? [];
      if (name === undefined) return [`${file}: ${action} is not pinned`];
      const pin = `${commit} ${version}`;
      const earlier = commits.get(name) ?? pin;
      commits.set(name, pin);
      return earlier === pin ? [] : [`${file}: ${name} is pinned otherwise elsewhere`];
    });
    const checkouts = others.filter((action) => action.startsWith('actions/checkout@')).length;
    const careful = [...text.matchAll(/^\s*persist-credentials: false$/gm)].length;
    return checkouts === careful ? faults : [...faults, `${file}: a checkout keeps credentials`];
  });
}

describe('workflows', () => {
  test('name actions of others by commit, everywhere the same, and keep no credentials', () => {
    const folders = ['examples', '.github/workflows'];
    const files = folders.flatMap((folder) =>
      readdirSync(join(repository, folder)).map((file) => `${folder}/${file}`),
    );
    expect(files.length).toBeGreaterThan(10);
    const read = files.map((file) => [file, readFileSync(join(repository, file), 'utf8')]);
    expect(faultsOf(Object.fromEntries(read))).toEqual([]);
  });

  test('that do otherwise are noticed', () => {
    const [a, b] = ['a'.repeat(40), 'b'.repeat(40)];
    const careful = '\n        with:\n          persist-credentials: false\n';
    expect(
      faultsOf({
        'x.yml': `      - uses: actions/checkout@${a} # v1.0.0${careful}      - uses: ./\n`,
        'y.yml': `      - uses: actions/checkout@${b} # v1.0.0${careful}`,
        'z.yml': `      - uses: actions/setup-node@v4\n      - uses: actions/checkout@${b} # v1.0.0\n`,
      }),
    ).toEqual([
      'y.yml: actions/checkout is pinned otherwise elsewhere',
      'z.yml: actions/setup-node@v4 is not pinned',
      'z.yml: a checkout keeps credentials',
    ]);
  });
});
