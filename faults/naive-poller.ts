import { setTimeout as sleep } from 'node:timers/promises';

/** What polling cost. */
export interface NaiveResult {
  /** Every operation was seen finished. */
  readonly green: boolean;
  readonly requests: number;
  /** Answers 429. */
  readonly limited: number;
}

export interface NaiveOrder {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly operations: readonly { readonly projectId: string; readonly id: string }[];
  /** How many times as fast as usual its time runs. */
  readonly speed: number;
}

const PERIOD_MS = 1000;
/** A further failed answer in a row ends the wait, as the vendor's own SDK does it. */
const MOST_FAILURES = 2;

/** What people write, and what the best known SDK does: every second, one request for each pending operation. */
export async function pollNaively(order: NaiveOrder): Promise<NaiveResult> {
  const { baseUrl, apiKey, operations, speed } = order;
  const headers = { authorization: `Bearer ${apiKey}` };
  const failures = new Map<string, number>();
  let pending = operations;
  let requests = 0;
  let limited = 0;
  while (pending.length > 0) {
    const left: (typeof pending)[number][] = [];
    for (const operation of pending) {
      const { projectId, id } = operation;
      requests += 1;
      const answer = await fetch(`${baseUrl}/projects/${projectId}/operations/${id}`, { headers });
      const body = await answer.text();
      if (answer.status === 429) limited += 1;
      if (!answer.ok) {
        const inARow = (failures.get(id) ?? 0) + 1;
        if (inARow > MOST_FAILURES) return { green: false, requests, limited };
        failures.set(id, inARow);
        left.push(operation);
        continue;
      }
      failures.delete(id);
      if (!body.includes('"status":"finished"')) left.push(operation);
    }
    pending = left;
    if (pending.length > 0) await sleep(PERIOD_MS / speed);
  }
  return { green: true, requests, limited };
}
