// What a workflow does with the vendor's SDK: waits for the operations in the file OPERATIONS, with the SDK's defaults.
// `waitFor` is `waitForOperations` with the client's options, and those are left alone.
import { readFileSync } from 'node:fs';
import { createNeonClient } from '@neon/sdk';

/** @returns whether every operation finished; a wait that could not be carried on is a failure */
export async function waitWithSdk(baseUrl, apiKey, operations) {
  const neon = createNeonClient({ apiKey, baseUrl });
  const { error } = await neon.operations.waitFor({ operations });
  return { finished: error === undefined, why: error?.message ?? '' };
}

if (import.meta.main) {
  const { BASE_URL, API_KEY, OPERATIONS } = process.env;
  const { operations } = JSON.parse(readFileSync(OPERATIONS, 'utf8'));
  const { finished, why } = await waitWithSdk(BASE_URL, API_KEY, operations);
  if (!finished) console.error(why);
  process.exitCode = finished ? 0 : 1;
}
