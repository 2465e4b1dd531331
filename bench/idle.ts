import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE_MS = 120;
const IDLE_SHARE = 0.35;
const LONGEST_MS = 600;

/**
 * Waits until the machine has had a third of its processors to spare for a moment, but not for long: what is started then
 * is measured, and not the queue for a processor. Takes {@link SAMPLE_MS} at least, so starts are that far apart.
 */
export async function untilIdle(): Promise<void> {
  const begin = performance.now();
  do {
    const before = times();
    await sleep(SAMPLE_MS);
    const after = times();
    if (after.idle - before.idle >= IDLE_SHARE * (after.all - before.all)) return;
  } while (performance.now() - begin < LONGEST_MS);
}

function times(): { idle: number; all: number } {
  const sum = { idle: 0, all: 0 };
  for (const { times: of } of cpus()) {
    sum.idle += of.idle;
    sum.all += of.user + of.nice + of.sys + of.irq + of.idle;
  }
  return sum;
}
