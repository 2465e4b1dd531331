import { Ledger } from '../../src/wait-operations/ledger.ts';
import type { WaitReport } from '../../src/wait-operations/report.ts';
import type { SeenOperation } from '../../src/wait-operations/settings.ts';

export const BEGAN_AT = Date.UTC(2026, 2, 1, 8);

/** An operation that was created `ageMs` before the step began and changed a second later. */
export function operation(
  id: string,
  status: string,
  fields: Partial<SeenOperation> = {},
): SeenOperation {
  return {
    id,
    project_id: 'p1',
    branch_id: 'br-1',
    action: 'create_branch',
    status,
    created_at: new Date(BEGAN_AT).toISOString(),
    updated_at: new Date(BEGAN_AT + 1000).toISOString(),
    ...fields,
  };
}

/** The report of a wait that saw these operations; one given as an id was never seen. */
export function report(
  operations: readonly (SeenOperation | string)[],
  fields: Partial<WaitReport> = {},
): WaitReport {
  const ledger = new Ledger(0);
  for (const one of operations) {
    const [id, projectId] = typeof one === 'string' ? [one, 'p1'] : [one.id, one.project_id];
    const watched = ledger.watch({ projectId, id });
    if (typeof one !== 'string') ledger.record(watched, one, 0);
  }
  return {
    result: 'finished',
    selection: undefined,
    operations: ledger.all(),
    elapsedMs: 5000,
    requests: 3,
    beganAt: BEGAN_AT,
    message: 'All is well.',
    title: 'Finished',
    ...fields,
  };
}
