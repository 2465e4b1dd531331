import { formatDuration } from '../durations.ts';
import type { ListedKey } from '../rotate-key/generations.ts';
import { keptKeys, leftKeys, type RotateReport, storedIn } from '../rotate-key/report.ts';
import type { Revocation } from '../rotate-key/revocation.ts';
import type { RotationEnd } from '../rotate-key/rotation.ts';
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
  if (end.newKeyId === undefined && end.lostKeyId === undefined) {
    parts.push(`${leftOver(end)} The earlier keys are untouched.`);
  } else {
    if (end.lostKeyId !== undefined) {
      parts.push(
        `The new key ${end.lostKeyId} is valid no more, although it was stored: put a key that works there by hand.`,
      );
    }
    const known = [...new Set([end.newKeyId ?? [], kept, leftKeys(end)].flat())];
    parts.push(
      end.valid === undefined
        ? `Which keys are valid now could not be checked; not revoked by this run: ${ids(known)}.`
        : `A list read after the fault shows as valid: ${ids(known.filter((id) => end.valid?.includes(id)))}.`,
    );
    if (end.perhapsRevoked.length > 0) {
      parts.push(
        `Perhaps revoked, because no answer came and the list could not be read: ${ids(end.perhapsRevoked)}.`,
      );
    }
    if (stored.length > 0) parts.push(`The new key is stored in ${listed(stored, 10)}.`);
    if (perhaps.length > 0) parts.push(`It may be stored in ${listed(perhaps, 10)}.`);
    if (end.lostKeyId !== undefined) return parts.join(' ');
    parts.push(
      'Both generations were left valid where it was in doubt; run the rotation again to bring everything in order.',
    );
  }
  return parts.join(' ');
}

/** What a run that ended without a new key of its own left in the account. */
function leftOver({ isCreateUnseen, appeared }: RotationEnd): string {
  if (isCreateUnseen) {
    return 'A key may have been created whose value nobody holds; whether it is there could not be checked. The next rotation revokes it as an earlier generation.';
  }
  if (appeared.length > 0) return `Of this run or of another rotation: ${ids(appeared)}.`;
  return 'No new key is left of this run.';
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
      `While this rotation ran, ${ids(end.appeared)} appeared in the list: made by a creation whose answer was lost, so that nobody holds its value, or by another rotation of this name. Do not revoke it by hand; the next rotation clears it away.`,
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
  showFirst(log, report);
  showFreshLeftovers(log, report);
  const isBlind = order.revokeOld === 'immediately' && report.secretName === undefined;
  if (isBlind && end.result !== 'fresh') {
    log.warning(
      'revoke-old is immediately without secret-name: the old key goes before anybody holds the new one. Use after-job, and store the new key in a later step.',
      { title: 'Nobody holds the new key yet' },
    );
  }
  if (end.result === 'dry-run') {
    for (const key of end.plan?.revoke ?? []) log.info(`Would be revoked: ${described(key)}`);
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

/** Where nothing is due, what is valid beside the newest key is said: green must not hide an old key. */
function showFreshLeftovers(log: Log, { end, order }: RotateReport): void {
  if (end.result !== 'fresh' || end.plan === undefined || order.revokeOld === 'never') return;
  if (order.oldKeyIds !== undefined) {
    if (end.plan.revoke.length === 0) return;
    const left = ids(end.plan.revoke.map(({ id }) => id));
    log.warning(`Nothing is due by rotate-after, so what old-key-ids names stays valid: ${left}.`, {
      title: 'Old keys are valid',
    });
    return;
  }
  const { generations } = end.plan;
  if (generations.length <= order.keepPrevious + 1) return;
  const left = ids(generations.slice(order.keepPrevious + 1).map(({ id }) => id));
  log.warning(
    `More keys of the name are valid than keep-previous leaves: ${left}. Another rotation is under way, or the last one did not end; then a new one is due ten minutes after it began.`,
    { title: 'Old keys are valid' },
  );
}

/** The caller's key has another name: the person may think that it is gone. */
function showFirst(log: Log, { end, order }: RotateReport): void {
  const isFirst = end.result === 'rotated' && end.plan?.generations.length === 0;
  if (!isFirst || order.revokeOld === 'never' || order.oldKeyIds !== undefined) return;
  log.warning(
    `No earlier key has the name ${oneLine(order.keyName, 80)}, so none is revoked. A key of another name that this one replaces goes when old-key-ids names it once.`,
    { title: 'No earlier key of this name' },
  );
}

/** The closing sentence of the post step. */
export function afterJobMessage(
  { revoked, perhaps, valid, problems }: Revocation,
  left: readonly string[],
): string {
  if (left.length === 0)
    return `The job succeeded: ${ids(revoked)} ${revoked.length === 1 ? 'is' : 'are'} revoked.`;
  const certain = left.filter((id) => !perhaps.includes(id));
  const maybe =
    perhaps.length === 0
      ? ''
      : ` Perhaps revoked, because no answer came and the list could not be read: ${ids(perhaps)}.`;
  if (certain.length === 0) return `${problems.join(' ')}${maybe} Run the rotation again.`;
  const stillValid =
    valid === undefined
      ? 'whether they are valid was not checked'
      : `a list shows as valid: ${listed(certain.filter((id) => valid.includes(id))) || 'none of them'}`;
  return `${problems.join(' ')}${maybe} Not revoked: ${ids(certain)} (${stillValid}). The next rotation revokes what is left over.`;
}
