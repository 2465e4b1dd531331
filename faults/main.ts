/**
 * `npm run test:faults`: the whole evidence in one run: the fault matrix, the ways to the service, long waits and floods.
 * Writes docs/reliability.md with the figures of this run, and fails when anything ended otherwise than expected.
 * `npm run test:faults -- PART…` plays only the cases of the matrix whose name holds every part, and writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pMap from 'p-map';
import { repository } from '../harness/paths.ts';
import { endpoints } from './endpoints.ts';
import { FLOODS, type FloodResult, flood } from './floods.ts';
import { longWaits } from './long-waits.ts';
import { type Case, casesOf, judge, nameOf, type Outcome, startBystander } from './matrix.ts';
import { page } from './page.ts';
import { everyWay } from './ways.ts';

/** Steps of the matrix that run at once: most of their time they wait. */
const AT_ONCE = 4;

const begin = performance.now();
const parts = process.argv.slice(2);
const matrix = await playMatrix();
let isGood = matrix.every(({ broken }) => broken.length === 0);

if (parts.length === 0) {
  const ways = told('ways to the service', await everyWay());
  const waits = told('long waits', await longWaits());
  const floods: FloodResult[] = [];
  for (const work of FLOODS) floods.push(await flood(work));
  told(
    'floods',
    floods.map((one) => ({ name: one.work.name, broken: one.broken })),
  );
  const all = [...matrix, ...ways, ...waits, ...floods];
  isGood = all.every(({ broken }) => broken.length === 0);
  const seconds = (performance.now() - begin) / 1000;
  const file = join(repository, 'docs/reliability.md');
  writeFileSync(file, page({ matrix, ways, waits, floods, seconds }));
}
console.log(isGood ? 'Everything ended as expected.' : 'Not everything ended as expected.');
process.exitCode = isGood ? 0 : 1;

async function playMatrix(): Promise<readonly Outcome[]> {
  const bystander = await startBystander();
  const isWanted = (one: Case): boolean => parts.every((part) => nameOf(one).includes(part));
  const cases = endpoints.flatMap((endpoint) => casesOf(endpoint, bystander.port)).filter(isWanted);
  console.log(`The fault matrix: ${cases.length} cases.`);
  try {
    const outcomes = await pMap(cases, (one) => judge(one, bystander), { concurrency: AT_ONCE });
    told(
      'fault matrix',
      outcomes.map((one) => ({ name: nameOf(one), broken: one.broken })),
    );
    return outcomes;
  } finally {
    await bystander.close();
  }
}

/** Says what was not as expected. */
function told<Result extends { name: string; broken: readonly string[] }>(
  what: string,
  results: readonly Result[],
): readonly Result[] {
  const bad = results.filter(({ broken }) => broken.length > 0);
  const seconds = Math.round((performance.now() - begin) / 1000);
  console.log(
    `${what}: ${results.length - bad.length} of ${results.length} as expected, after ${seconds} s`,
  );
  for (const { name, broken } of bad) console.log(`  ${name}: ${broken.join('; ')}`);
  return results;
}
