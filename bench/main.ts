/**
 * `npm run bench`: the action beside what people use today, on one simulator in one run; writes `bench/README.md` and its
 * plots. `-- --quick`: fewer and shorter runs, under two minutes. `-- --against PATH`: start this bundle of another action,
 * too. `-- --out FOLDER`: write there.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from '../harness/paths.ts';
import { bareStart } from './bare-node.ts';
import { ensureRivals } from './ensure.ts';
import { FULL, QUICK } from './plan.ts';
import { study } from './schedule/study.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    against: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: join(repository, 'bench') },
  },
});
const plan = values.quick ? QUICK : FULL;
const begin = performance.now();

ensureRivals();
// These import the SDK, directly or not: after it is there.
const { writePage } = await import('./page/page.ts');
const { measureLatency } = await import('./parts/latency.ts');
const { measureScale } = await import('./parts/scale.ts');
const { measureRateLimit } = await import('./parts/rate-limit.ts');
const { measureFaults } = await import('./parts/faults.ts');
const { measureStart, measureBytes } = await import('./parts/start.ts');
const { measureRotation } = await import('./parts/rotation.ts');

const bareMs = bareStart();
// What counts milliseconds of processor runs alone; what waits runs side by side.
const start = await timed(
  'start',
  measureStart({ turns: plan.startTurns, against: values.against }),
);
const bytes = await timed('bytes', measureBytes());
const rotation = await timed('rotation', measureRotation(plan.rotationTargets));
const schedules = await timed('schedules', Promise.resolve(study()));
const latency = await timed('latency', measureLatency(plan.latency));
const [scale, rateLimit, faults] = await timed(
  'scale, rate limit, faults',
  Promise.all([
    measureScale(plan.scale),
    measureRateLimit(plan.rateLimit),
    measureFaults(plan.faults),
  ]),
);

const files = writePage({
  quick: values.quick,
  bareMs,
  minutes: (performance.now() - begin) / 60_000,
  plan,
  start,
  bytes,
  rotation,
  schedules,
  latency,
  scale,
  rateLimit,
  faults,
});
rmSync(join(values.out, 'plots'), { recursive: true, force: true });
mkdirSync(join(values.out, 'plots'), { recursive: true });
for (const [name, content] of Object.entries(files)) writeFileSync(join(values.out, name), content);
console.log(`\n${files['README.md']}`);
// A rival that hangs keeps its timers.
process.exit();

async function timed<T>(what: string, work: Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await work;
  console.log(`${what}: ${((performance.now() - from) / 1000).toFixed(0)} s`);
  return result;
}
