import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import type { ActRun } from './support/act-run.ts';
import { Stage } from './support/stage.ts';

const NAME = 'octo-org/shop/vault';
const DAY = 86_400_000;

/** A vault of one value, in the file that VAULT_ADDR names. */
const VAULT = `#!/usr/bin/env bash
set -euo pipefail
[ "$VAULT_TOKEN" = the-vault-token ] || { echo 'permission denied' >&2; exit 2; }
case "$*" in
  'kv get -field=api_key secret/database') cat "$VAULT_ADDR" ;;
  'kv put secret/database api_key=-')
    [ ! -e "$VAULT_ADDR.sealed" ] || { echo 'Vault is sealed' >&2; exit 2; }
    value=$(cat)
    printf '%s' "$value" >"$VAULT_ADDR" ;;
  *) echo "unexpected: vault $*" >&2; exit 64 ;;
esac
`;

let stage: Stage;
afterEach(() => stage?.close());

/** An account whose key has been in the vault for forty days. @returns that key */
async function start(): Promise<string> {
  stage = await Stage.start();
  const { simulator } = stage;
  const createdAt = Date.now() - 40 * DAY;
  const { key } = simulator.addKey(simulator.account, { name: NAME, createdAt });
  stage.write('vault/value', key);
  stage.write('bin/vault', VAULT, 0o755);
  return key;
}

function rotate(): Promise<ActRun> {
  return stage.runExample('rotate-into-vault.yml', {
    event: 'schedule',
    path: [stage.path('bin')],
    secrets: { VAULT_TOKEN: 'the-vault-token' },
    variables: { VAULT_ADDR: stage.path('vault/value') },
  });
}

function inVault(): string {
  return readFileSync(stage.path('vault/value'), 'utf8');
}

function valid(): string[] {
  return stage.simulator.account.keys.filter(({ name }) => name === NAME).map(({ key }) => key);
}

test('the old key goes when the new one is stored and the job is done', async () => {
  const old = await start();
  const run = await rotate();
  expect(run.job('rotate')).toEqual(['success']);
  expect(run.exitCode).toBe(0);

  const fresh = inVault();
  expect(fresh).not.toBe(old);
  expect(valid()).toEqual([fresh]);
  expect(run.step('rotate', 'rotation').outputs['api-key']).toBe(fresh);
  expect(run.step('rotate', 'Read it back and use it').printed).toEqual([
    'The vault holds a key that works.',
  ]);
  // Revoked by the post step, after every other use of the new key.
  const { requests } = stage.simulator;
  const revoked = requests.findIndex(({ method }) => method === 'DELETE');
  const used = requests.findLastIndex(({ path }) => path.endsWith('/projects'));
  expect(used).toBeGreaterThan(0);
  expect(revoked).toBeGreaterThan(used);
  expect(run.step('rotate', 'rotation', 'Post').printed.join('\n')).toContain('is revoked');
  for (const key of [old, fresh]) expect(run.shown()).not.toContain(key);
});

test('where the vault does not take it, both keys stay, and the post step does not run', async () => {
  const old = await start();
  stage.write('vault/value.sealed', '');
  const run = await rotate();
  expect(run.exitCode).not.toBe(0);
  expect(run.job('rotate')).toEqual(['failure']);
  expect(run.step('rotate', 'Store it')).toMatchObject({ result: 'failure' });

  expect(inVault()).toBe(old);
  expect(valid()).toHaveLength(2);
  expect(valid()).toContain(old);
  expect(run.step('rotate', 'rotation', 'Post').result).toBeUndefined();
  expect(stage.simulator.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
});
