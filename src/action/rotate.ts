import type { Http } from '../control-api/http.ts';
import { parseTarget } from '../inputs/rotate.ts';
import type { CommonSettings } from '../inputs.ts';
import { GitHubApi } from '../rotate-key/github-api.ts';
import type { RotateReport } from '../rotate-key/report.ts';
import { revokeAll } from '../rotate-key/revocation.ts';
import { rotation } from '../rotate-key/rotation.ts';
import { SecretStore } from '../rotate-key/secret-store.ts';
import { type RotateSettings, type Target, targetName } from '../rotate-key/settings.ts';
import { Shell, type ShellParts } from '../rotate-key/shell.ts';
import { type PostState, readState } from '../rotate-key/state.ts';
import { afterJobMessage, rotateLog, showRotateEnd } from '../runner/rotate-log.ts';
import { noRotateOutputs, rotateOutputs } from '../runner/rotate-outputs.ts';
import { afterJobSummary, rotateSummary } from '../runner/rotate-summary.ts';
import { Secret } from '../secret.ts';
import { type Connection, connect, USER_AGENT, type World } from './world.ts';

/** `mode: rotate-key`. Resolves to whether the rotation ended as it was asked to. */
export async function runRotate(
  world: World,
  common: CommonSettings,
  { order, store }: RotateSettings,
): Promise<boolean> {
  const { runner } = world;
  runner.onBreakdown(() => runner.setOutputs(noRotateOutputs()));
  const http = world.createHttp(USER_AGENT);
  try {
    const targets = store?.targets ?? [];
    const names = targets.map(targetName);
    const stores = store
      ? openStores(world, common, http, store.token, targets, store.secretName)
      : [];
    const shell = new Shell({
      ...shellParts(world, common, http, stores),
      keyName: order.keyName,
      callerKey: common.apiKey,
      observe: rotateLog(runner.log, names, order.keyName),
    });
    // Whatever breaks off: a key that was created is named, and reaches the steps behind.
    runner.onBreakdown(() => {
      runner.setOutputs({ ...noRotateOutputs(), 'key-id': shell.newKey?.id ?? '' });
      runner.setSecretOutput('api-key', shell.newKey?.secret);
    });
    const end = await shell.run(rotation(order));
    const newKey = end.newKeyId === undefined ? undefined : shell.newKey?.secret;
    const report: RotateReport = {
      order,
      secretName: store?.secretName,
      targets: names,
      end,
      newKey,
    };
    runner.setOutputs(rotateOutputs(report));
    runner.setSecretOutput('api-key', newKey);
    if (common.summary) await runner.writeSummary(rotateSummary(report));
    showRotateEnd(runner, report);
    // The last act: a state is a promise that the post step keeps.
    if (end.result === 'rotated' && end.pending.length > 0 && newKey !== undefined) {
      runner.saveSecretState(JSON.stringify(stateOf(report, common, newKey)));
    }
    return end.result !== 'failed';
  } finally {
    http.close();
  }
}

function stateOf(report: RotateReport, common: CommonSettings, newKey: Secret): PostState {
  const { end, targets, secretName } = report;
  return {
    newKey: newKey.reveal(),
    newKeyId: end.newKeyId ?? '',
    pending: [...end.pending],
    baseUrl: common.baseUrl,
    requestTimeoutMs: common.requestTimeoutMs,
    maxRetries: common.maxRetries,
    summary: common.summary,
    ...(secretName === undefined ? {} : { secretName }),
    targets: [...targets],
    updatedAt: [...end.updatedAt],
  };
}

/** The post step: at the end of a job that succeeded, revokes what main left, with the new key. */
export async function runAfterJob(world: World): Promise<boolean> {
  const { runner } = world;
  const state = readState(runner.secretState());
  if (state === undefined) return true;
  const newKey = new Secret(state.newKey);
  const token = new Secret(runner.input('github-token'));
  for (const secret of [newKey, token, new Secret(runner.input('api-key'))]) runner.mask(secret);
  const http = world.createHttp(USER_AGENT);
  try {
    const targets = state.targets.flatMap((name) => parseTarget(name, '') ?? []);
    const stores = openStores(world, state, http, token, targets, state.secretName ?? '');
    const shell = new Shell({
      ...shellParts(world, state, http, stores),
      keyName: '',
      callerKey: undefined,
      observe: rotateLog(runner.log, state.targets, ''),
    });
    shell.useNewKey(state.newKeyId, newKey);
    const end = await shell.run(revokeAll(state.pending, state.updatedAt));
    const left = state.pending.filter((id) => !end.revoked.includes(id));
    if (state.summary) await runner.writeSummary(afterJobSummary(end, left));
    const message = afterJobMessage(end, left);
    if (left.length > 0) runner.fail(message, { title: 'Old keys were not revoked' });
    else runner.log.info(message);
    return left.length === 0;
  } finally {
    http.close();
  }
}

function shellParts(
  world: World,
  connection: Connection,
  http: Http,
  stores: readonly SecretStore[],
): Omit<ShellParts, 'keyName' | 'callerKey' | 'observe'> {
  const { runner, clock } = world;
  return {
    ...connect(world, connection, http),
    stores,
    clock,
    mask: (secret) => runner.mask(secret),
    cancelled: runner.cancelled,
  };
}

function openStores(
  world: World,
  { requestTimeoutMs, maxRetries }: Connection,
  http: Http,
  token: Secret,
  targets: readonly Target[],
  secretName: string,
): readonly SecretStore[] {
  const { runner, clock, random } = world;
  const baseUrl = runner.gitHubApiUrl;
  const github = new GitHubApi({
    baseUrl,
    token,
    http,
    clock,
    random,
    requestTimeoutMs,
    maxRetries,
  });
  return targets.map((target) => new SecretStore(github, target, secretName));
}
