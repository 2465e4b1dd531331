import type { RotateSettings, StoreSettings, Target } from '../rotate-key/settings.ts';
import { targetName } from '../rotate-key/settings.ts';
import { HEADER_TEXT, Secret } from '../secret.ts';
import { type Form, WHY_EMPTY } from './form.ts';

const KEY_NAME = {
  allowed: 'a name of 64 characters at most, on one line',
  example: 'octo-org/octo-repo/deploy',
};
const LONGEST_KEY_NAME = 64;
const SECRET_NAME = {
  allowed: 'letters, digits and "_", not beginning with a digit or GITHUB_',
  example: 'DATABASE_API_KEY',
};
const TARGETS = {
  allowed:
    'repository, repository:OWNER/NAME, environment:NAME, environment:OWNER/NAME/ENVIRONMENT, organization:ORG, dependabot:OWNER/NAME',
  example: 'repository, environment:production',
};
const TOKEN = {
  allowed: "a token that may write secrets (the workflow's own may not), without blanks",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a workflow passes a token
  example: '${{ steps.app-token.outputs.token }}',
};
const WHENS = ['immediately', 'after-job', 'never'] as const;
const MOST_KEPT = 1000;

/**
 * The inputs of `rotate-key`.
 * @param repository `OWNER/NAME` of the workflow's repository
 * @param warn is told of inputs that have no effect
 */
export function readRotate(
  form: Form,
  repository: string,
  warn: (message: string) => void,
): RotateSettings {
  const keyName = form.required('key-name', KEY_NAME);
  if ([...keyName].length > LONGEST_KEY_NAME || /\p{Cc}|\p{Zl}|\p{Zp}/u.test(keyName)) {
    form.fault('key-name', `${form.quoted(keyName)} is too long or not on one line`, KEY_NAME);
  }
  form.refuseSecret('key-name', keyName, KEY_NAME);
  const store = readStore(form, repository, warn);
  const fallback = store ? 'immediately' : 'after-job';
  const revokeOld = form.isGiven('revoke-old')
    ? (form.choice('revoke-old', WHENS) ?? fallback)
    : fallback;
  const oldKeyIds = readKeyIds(form);
  const rotateAfterMs = form.isGiven('rotate-after')
    ? form.duration('rotate-after', { example: '30d' })
    : undefined;
  const keepPrevious = form.wholeNumber('keep-previous', { atMost: MOST_KEPT });
  const dryRun = form.boolean('dry-run');
  if (revokeOld !== 'never' && oldKeyIds !== undefined && keepPrevious > 0) {
    warn(
      'keep-previous has no effect on the keys that old-key-ids names; the others stay valid anyway.',
    );
  }
  if (revokeOld === 'never' && keepPrevious > 0) {
    warn('keep-previous has no effect: revoke-old is never.');
  }
  if (revokeOld === 'never' && oldKeyIds !== undefined) {
    warn('old-key-ids has no effect: revoke-old is never.');
  }
  return {
    order: {
      keyName,
      oldKeyIds,
      revokeOld,
      keepPrevious,
      rotateAfterMs,
      dryRun,
      targets: store?.targets.length ?? 0,
    },
    store,
  };
}

function readKeyIds(form: Form): readonly string[] | undefined {
  const ids = form.ids('old-key-ids', '165434, 165435');
  const bad = ids?.find((id) => !/^\d{1,19}$/.test(id));
  if (bad !== undefined) {
    const rule = { allowed: 'the ids of keys, which are whole numbers', example: '165434, 165435' };
    form.fault('old-key-ids', `${form.quoted(bad)} is not the id of a key`, rule);
  }
  return ids;
}

function readStore(
  form: Form,
  repository: string,
  warn: (message: string) => void,
): StoreSettings | undefined {
  const secretName = form.text('secret-name');
  if (secretName === '') {
    if (form.isGiven('secret-targets')) {
      form.fault('secret-targets', 'needs secret-name', SECRET_NAME);
    }
    if (form.isGiven('github-token')) warn('github-token has no effect without secret-name.');
    return undefined;
  }
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(secretName) || /^GITHUB_/i.test(secretName)) {
    form.fault(
      'secret-name',
      `${form.quoted(secretName)} is not the name of a secret`,
      SECRET_NAME,
    );
  }
  form.refuseSecret('secret-name', secretName, SECRET_NAME);
  const token = form.text('github-token');
  if (token === '') form.fault('github-token', `is required with secret-name${WHY_EMPTY}`, TOKEN);
  else if (!HEADER_TEXT.test(token))
    form.fault('github-token', 'holds blanks or other characters that no token has', TOKEN);
  return { secretName, targets: readTargets(form, repository), token: new Secret(token) };
}

function readTargets(form: Form, repository: string): readonly Target[] {
  const names = form.names('secret-targets', TARGETS.example) ?? ['repository'];
  form.refuseSecret('secret-targets', names.join('\n'), TARGETS);
  const targets = new Map<string, Target>();
  for (const name of names) {
    const target = parseTarget(name, repository);
    if (target === undefined)
      form.fault('secret-targets', `${form.quoted(name)} is not a target`, TARGETS);
    else targets.set(targetName(target).toLowerCase(), target);
  }
  if (names.length === 0) form.fault('secret-targets', 'holds no target', TARGETS);
  return [...targets.values()];
}

const OWNER = '([A-Za-z0-9](?:[A-Za-z0-9_-]*))';
const REPO = '([A-Za-z0-9._-]+)';

/**
 * A target as `secret-targets` writes it; undefined when it is none.
 * @param own `OWNER/NAME` of the workflow's repository; empty: short forms are not known
 */
export function parseTarget(text: string, own: string): Target | undefined {
  const [, kind = '', rest] = /^([a-z]+)(?::(.*))?$/s.exec(text) ?? [];
  const [owner = '', repo = ''] = own.split('/');
  switch (kind) {
    case 'repository':
      if (rest === undefined) return owner === '' ? undefined : { kind, owner, repo };
      return inRepository(kind, rest);
    case 'dependabot':
      return rest === undefined ? undefined : inRepository(kind, rest);
    case 'organization':
      return new RegExp(`^${OWNER}$`).test(rest ?? '') ? { kind, org: rest ?? '' } : undefined;
    case 'environment': {
      if (rest === undefined || !isEnvironment(rest)) return undefined;
      // Two slashes name another repository; fewer belong to the environment's own name.
      const full = new RegExp(`^${OWNER}/${REPO}/(.+)$`).exec(rest);
      if (full && isRepo(full[2]) && isEnvironment(full[3])) {
        return { kind, owner: full[1] ?? '', repo: full[2] ?? '', environment: full[3] ?? '' };
      }
      return owner === '' ? undefined : { kind, owner, repo, environment: rest };
    }
    default:
      return undefined;
  }
}

function inRepository(kind: 'repository' | 'dependabot', text: string): Target | undefined {
  const match = new RegExp(`^${OWNER}/${REPO}$`).exec(text);
  if (match === null || !isRepo(match[2])) return undefined;
  return { kind, owner: match[1] ?? '', repo: match[2] ?? '' };
}

/** A segment of dots would lead to another path, however it is encoded. */
function isEnvironment(name = ''): boolean {
  return name.trim() === name && name !== '' && isRepo(name) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}

function isRepo(name: string | undefined): boolean {
  return name !== '.' && name !== '..';
}
