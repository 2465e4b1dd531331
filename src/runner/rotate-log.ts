import { formatDuration } from '../durations.ts';
import type { ListedKey } from '../rotate-key/generations.ts';
import { keptKeys, type RotateReport, storedIn } from '../rotate-key/report.ts';
import type { Revocation } from '../rotate-key/revocation.ts';
import type { RotateObserver } from '../rotate-key/shell.ts';
import type { AnyAnswer, Step } from '../rotate-key/steps.ts';
import { listed, oneLine, plural } from '../text.ts';
import { keyRows } from './rotate-keys.ts';
import type { Log, Runner } from './runner.ts';

/** The rotation as a person reads it: one line for each thing done. */
export function rotateLog(log: Log, targets: readonly string[], keyName: string): RotateObserver {
  let proven = false;
  return {
    done(step, answer) {
      const line = doneLine(step, answer, targets, keyName);
      // The second proof is a step of the argument, not news.
      if (line === undefined || (proven && step.do === 'list' && step.as === 'new')) return;
      if (step.do === 'list' && step.as === 'new') proven = true;
      log.info(line);
    },
    alive: (doing, elapsedMs) =>
      log.info(`Still trying to ${doing}, for ${formatDuration(elapsedMs)} now.`),
    retry: (error, pauseMs) =>
      log.info(`${error.message}. Trying again in ${formatDuration(pauseMs)}.`),
  };
}

function doneLine(
  step: Step,
  answer: AnyAnswer,
  targets: readonly string[],
  keyName: string,
): string | undefined {
  switch (step.do) {
    case 'list': {
      if (step.as === 'new') return 'The new key works.';
      const keys = 'keys' in answer ? answer.keys : [];
      const same = keys.filter(({ name }) => name === keyName).length;
      return `Looked at the keys of the account: ${plural(keys.length, 'key')}, ${same} of the name ${oneLine(keyName, 80)}.`;
    }
    case 'look-at': {
      const ageMs = 'secretAgeMs' in answer ? answer.secretAgeMs : undefined;
      const found =
        ageMs === undefined
          ? 'no such secret yet'
          : `the secret was written ${formatDuration(Math.max(0, ageMs))} ago`;
      return `Looked at ${targets[step.target]}: ${found}.`;
    }
    case 'create':
      return `Created key ${'id' in answer ? answer.id : ''}.`;
    case 'store':
      return `Stored the new key in ${targets[step.target]}.`;
    case 'revoke':
      return 'revoked' in answer && answer.revoked
        ? `Revoked key ${step.id}.`
        : `Asked to revoke key ${step.id}.`;
    case 'read':
      return undefined;
  }
}

/** `165434 (octo-org/octo-repo/deploy, 12d 3h old, last used 2026-03-01T08:00:00Z)` */
function described({ id, name, ageMs, lastUsedAt }: ListedKey): string {
  const age = ageMs === undefined ? 'of unknown age' : `${formatDuration(Math.max(0, ageMs))} old`;
  return `${id} (${oneLine(name, 64)}, ${age}, ${lastUsedAt ? `last used ${oneLine(lastUsedAt, 40)}` : 'never used'})`;
}

function ids(keys: readonly string[]): string {
  return `${keys.length === 1 ? 'key' : 'keys'} ${listed(keys, 10)}`;
}

/** One sentence: what happened, and what is valid now. */
export function rotateMessage(report: RotateReport): string {
  const { end, order } = report;
  const name = oneLine(order.keyName, 80);
  if (end.result === 'fresh') {
    const [newest] = end.plan?.generations ?? [];
    return `Nothing to do: the newest key of the name ${name} is ${newest ? described(newest) : 'fresh'}, younger than rotate-after.`;
  }
  if (end.result === 'dry-run') return dryRunMessage(report);
  if (end.result === 'rotated') {
    const [previous] = end.plan?.generations ?? [];
    const parts = [`The new key ${end.newKeyId} of the name ${name} works`];
    if (previous !== undefined) parts.push(`replaces ${previous.id}`);
    if (report.targets.length > 0) parts.push(`is stored in ${listed(storedIn(report), 10)}`);
    const fate =
      end.pending.length > 0
        ? `${ids(end.pending)} will be revoked at the end of the job, if it succeeds`
        : end.revoked.length > 0
          ? `${ids(end.revoked)} ${end.revoked.length === 1 ? 'is' : 'are'} revoked`
          : 'no key was to be revoked';
    return `${listed(parts)}; ${fate}.`;
  }
  return `${end.problems.join(' ')} ${standing(report)}`.trim();
}

/** What is true after a fault: said only of what a list has shown since. */
function standing(report: RotateReport): string {
  const { end } = report;
  const parts: string[] = [];
  const kept = keptKeys(end);
  const perhaps = report.targets.filter((_target, index) => end.stored[index] === 'perhaps');
  const stored = storedIn(report);
  if (end.plan === undefined) return 'Nothing was created.';
  if (end.newKeyId === undefined) {
    parts.push('No new key is left of this run, and the earlier keys are untouched.');
  } else {
    parts.push(
      end.valid === undefined
        ? `Which keys are valid now could not be checked; not revoked by this run: ${ids([end.newKeyId, ...kept])}.`
        : `A list read after the fault shows as valid: ${ids([end.newKeyId, ...kept].filter((id) => end.valid?.includes(id)))}.`,
    );
    if (stored.length > 0) parts.push(`The new key is stored in ${listed(stored, 10)}.`);
    if (perhaps.length > 0) parts.push(`It may be stored in ${listed(perhaps, 10)}.`);
    parts.push(
      'Both generations were left valid where it was in doubt; run the rotation again to bring everything in order.',
    );
  }
  return parts.join(' ');
}

function dryRunMessage({ end, order, targets }: RotateReport): string {
  const { revoke = [], keep = [] } = end.plan ?? {};
  const where = targets.length > 0 ? `, store it in ${listed(targets, 10)}` : '';
  const when = order.revokeOld === 'after-job' ? 'at the end of the job ' : '';
  const goes =
    revoke.length === 0 ? 'revoke nothing' : `${when}revoke ${listed(revoke.map(described), 10)}`;
  const stays = keep.length === 0 ? '' : ` It would keep ${listed(keep.map(described), 10)}.`;
  return `Dry run, nothing was changed. A rotation would create a key of the name ${oneLine(order.keyName, 80)}${where} and ${goes}.${stays}`;
}

/** The annotations and the closing line of a rotation. */
export function showRotateEnd(runner: Runner, report: RotateReport): void {
  const { log } = runner;
  const { end, order } = report;
  const { young = [], orphans = [] } = end.plan ?? {};
  const rows = keyRows(report);
  const ended = end.result === 'rotated' || end.result === 'failed';
  if (end.appeared.length > 0) {
    log.warning(
      `The answer to a creation was lost, and ${ids(end.appeared)} appeared in the list. Nobody holds its value; the next rotation revokes it as an earlier generation.`,
      { title: 'A key without a holder' },
    );
  }
  if (ended && young.length > 0 && order.revokeOld !== 'never') {
    log.warning(
      `Left valid, because younger than ten minutes and perhaps of a rotation still under way: ${ids(young.map(({ id }) => id))}. The next rotation revokes what is left over. Use concurrency in the workflow, so that two rotations of a name never run at once.`,
      { title: 'A young key was left' },
    );
  }
  if (ended && orphans.length > 0) {
    log.info(
      `Left by an interrupted run, and stored nowhere: ${plural(orphans.length, 'key')} (${listed(
        orphans.map(({ id }) => id),
        10,
      )}).`,
    );
  }
  if (ended && order.revokeOld === 'immediately' && report.secretName === undefined) {
    log.warning(
      'revoke-old is immediately without secret-name: the old key goes before anybody holds the new one. Use after-job, and store the new key in a later step.',
      { title: 'Nobody holds the new key yet' },
    );
  }
  if (rows.length > 0) {
    const lines = rows.map(({ id, state, until, ageMs }) => {
      const age =
        ageMs === undefined
          ? ''
          : ageMs === 0
            ? ', just created'
            : `, ${formatDuration(ageMs)} old`;
      return `${id}: ${state}${age}${until === '' ? '' : `; valid until ${until}`}`;
    });
    log.group(`Keys of the name ${oneLine(order.keyName, 80)}`, lines);
  }
  if (end.result === 'failed')
    runner.fail(rotateMessage(report), {
      title: end.wrongKey ? 'Wrong API key' : 'Rotation failed',
    });
  else log.info(rotateMessage(report));
  if (end.result === 'dry-run' && report.secretName !== undefined) {
    log.info(
      "Every level that holds a secret of this name must be a target: an environment's hides the repository's, and that the organisation's.",
    );
    log.info('Jobs that are already running keep the old value; keep-previous: 1 lets them end.');
  }
}

/** The closing sentence of the post step. */
export function afterJobMessage(
  { revoked, valid, problems }: Revocation,
  left: readonly string[],
): string {
  if (left.length === 0)
    return `The job succeeded: ${ids(revoked)} ${revoked.length === 1 ? 'is' : 'are'} revoked.`;
  const stillValid =
    valid === undefined
      ? 'whether they are valid was not checked'
      : `a list shows as valid: ${listed(left.filter((id) => valid.includes(id))) || 'none of them'}`;
  return `${problems.join(' ')} Not revoked: ${ids(left)} (${stillValid}). The next rotation revokes what is left over.`;
}
