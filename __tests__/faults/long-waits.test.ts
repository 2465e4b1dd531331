import { expect, test } from '@jest/globals';
import { waitLong } from '../../faults/long-waits.ts';

const HOUR = 3_600_000;

test('six hours with an outage and a clock that is set back end on time', async () => {
  const { report, elapsedMs, timers } = await waitLong({
    endsAt: 6 * HOUR,
    outage: { from: 2 * HOUR, to: 2 * HOUR + 600_000 },
    jump: { at: 3 * HOUR, by: -5 * HOUR },
  });
  expect(report.result).toBe('finished');
  expect(elapsedMs - 6 * HOUR).toBeLessThan(6000);
  expect(report.elapsedMs).toBe(elapsedMs);
  expect(timers).toBe(0);
});

test('a key that is revoked half-way ends it with the first refusal', async () => {
  const { report, asked, elapsedMs } = await waitLong({ endsAt: 6 * HOUR, revokedAt: 3 * HOUR });
  expect(report).toMatchObject({ result: 'failed', title: 'Wrong API key' });
  expect(elapsedMs - 3 * HOUR).toBeLessThan(6000);
  expect(asked.filter((at) => at >= 3 * HOUR)).toHaveLength(1);
});
