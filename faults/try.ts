import pMap from 'p-map';
import { endpoints } from './endpoints.ts';
import { casesOf, judge, startBystander } from './matrix.ts';

// `node faults/try.ts PART…`: the cases whose name holds every part.
const bystander = await startBystander();
const wanted = process.argv.slice(2);
const cases = endpoints
  .flatMap((endpoint) => casesOf(endpoint, bystander.port))
  .filter((one) => {
    const name = `${one.endpoint.mode} ${one.endpoint.name} | ${one.fault} | ${one.lasting}`;
    return wanted.every((part) => name.includes(part));
  });
console.log(cases.length, 'cases');
const begin = performance.now();
let bad = 0;
await pMap(
  cases,
  async (one) => {
    const outcome = await judge(one, bystander);
    if (outcome.broken.length > 0 || process.env.VERBOSE) {
      bad += outcome.broken.length > 0 ? 1 : 0;
      console.log(
        `${one.endpoint.mode} ${one.endpoint.name} | ${one.fault} | ${one.lasting}: ${outcome.actual} ${outcome.requests} ${Math.round(outcome.ms)} ms ${outcome.broken.join(' ; ')}`,
      );
    }
  },
  { concurrency: 4 },
);
console.log(bad, 'bad', Math.round(performance.now() - begin), 'ms');
await bystander.close();
