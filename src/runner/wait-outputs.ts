import { stringifyJson } from '../control-api/json.ts';
import type { Outcome } from '../wait-operations/ledger.ts';
import type { WaitReport } from '../wait-operations/report.ts';
import { LARGEST_OUTPUTS } from './runner.ts';

export interface WaitOutputs {
  readonly outputs: Readonly<Record<string, string>>;
  /** `operations` was left out, because it would be larger than GitHub takes. */
  readonly leftOut: boolean;
}

/** The outputs of `wait-operations`, set in every case. */
export function waitOutputs(report: WaitReport): WaitOutputs {
  const ids = (outcome: Outcome): string =>
    JSON.stringify(report.operations.filter((one) => one.outcome === outcome).map(({ id }) => id));
  const small = {
    result: report.result,
    'finished-ids': ids('finished'),
    'failed-ids': ids('failed'),
    'pending-ids': ids('pending'),
    count: String(report.operations.length),
    'elapsed-seconds': String(Math.round(report.elapsedMs) / 1000),
    requests: String(report.requests),
  };
  const operations = operationsJson(report);
  if (operations === undefined) return { outputs: small, leftOut: true };
  const size = Object.values(small).reduce((sum, text) => sum + text.length, operations.length);
  // Counting bytes of a text that is far too long or far too short is not worth the time.
  const fits =
    size <= LARGEST_OUTPUTS &&
    Buffer.byteLength(operations) + size - operations.length <= LARGEST_OUTPUTS;
  return { outputs: fits ? { ...small, operations } : small, leftOut: !fits };
}

/** Undefined where a service nests its fields deeper than JSON can be written. */
function operationsJson({ operations }: WaitReport): string | undefined {
  try {
    return stringifyJson(
      operations.map(({ seen, id, projectId }) => seen ?? { id, project_id: projectId }),
    );
  } catch {
    return undefined;
  }
}

/** The outputs of a wait that never began. */
export function noWaitOutputs(): Readonly<Record<string, string>> {
  return {
    result: 'failed',
    operations: '[]',
    'finished-ids': '[]',
    'failed-ids': '[]',
    'pending-ids': '[]',
    count: '0',
    'elapsed-seconds': '0',
    requests: '0',
  };
}
