import { shellLoops } from '../contenders.ts';
import { MIX } from '../mix.ts';
import { FIELD_FAULTS } from '../parts/faults.ts';
import { LIMIT } from '../parts/rate-limit.ts';
import type { Figures } from './page.ts';
import { bytes, fixed, ratio, table } from './table.ts';

const count = (value: number): string => value.toLocaleString('en-US');

export function introduction({ quick, bareMs, minutes, plan }: Figures, machine: string): string {
  return `# Measured against what people use today

Written by \`npm run bench${quick ? ' -- --quick' : ''}\` in ${fixed(minutes, 1)} minutes (${machine}; \`node -e 0\` took ${fixed(bareMs, 0)} ms).
${
  quick
    ? '**A quick run: too few runs for figures to quote.** `npm run bench` writes the page that counts.\n'
    : ''
}
Everything is measured in one run, on one machine, against one simulator on loopback; the same draws for everybody, by turns or
side by side. A figure of another machine differs, its ratio to the figure beside it should not.

- **This action**: the committed bundle, as GitHub's runner starts it, with its defaults.
- **SDK**: \`waitForOperations\` of \`@neon/sdk\` (${'`bench/package.json`'}), with its defaults: it waits a second, then asks for each pending
  operation, one after the other, every second.
- **Loop**: what people write in a \`run:\` step, ${shellLoops ? 'with `curl` and `jq`' : 'here as a Node script, because `curl` or `jq` is missing'}, every 5 s as the contract suggests, and every 1 s.

All are handed the body that the creating request was answered with. ${plan.latency.runs} runs a point (${plan.latency.longRuns} of 30 s and more), ${plan.latency.mixRuns} of the mix.`;
}

export function latencySection({ latency }: Figures): string {
  const order = [...latency].sort(
    (one, other) => (one.seconds ?? Infinity) - (other.seconds ?? Infinity),
  );
  const points = [...new Set(order.map(({ point }) => point))];
  const contenders = [...new Set(latency.map(({ contender }) => contender))];
  const cell = (point: string, contender: string) =>
    latency.find((row) => row.point === point && row.contender === contender);
  const delays = points.map((point) => [
    point,
    ...contenders.map((contender) => {
      const row = cell(point, contender);
      return `${fixed(row?.median, 2)} / ${fixed(row?.p95, 2)}`;
    }),
    ratio(cell(point, 'this action')?.median ?? 0, cell(point, 'SDK')?.median ?? 0),
  ]);
  const requests = points.map((point) => [
    point,
    ...contenders.map((contender) => fixed(cell(point, contender)?.requests, 1)),
    ratio(cell(point, 'this action')?.requests ?? 0, cell(point, 'SDK')?.requests ?? 0),
  ]);
  const head = (what: string): string[] => [what, ...contenders, 'to the SDK'];
  return `## How long after the end, and how many requests

From the end of the last operation, or the start of the process if that was later, to the end of the process, in seconds: median
/ 95th percentile. Each duration is drawn half of it, at most 2.5 s, shorter to longer, so that no second falls upon the end by
choice.

${table(head('operation of'), delays)}

Requests, mean:

${table(head('operation of'), requests)}

![Delay](plots/delay.svg)
![Requests](plots/requests.svg)

The mix:

${MIX.map(({ share, what }) => `- ${share * 100} % ${what}`).join('\n')}

The step begins up to a second after the creating request. On record is that \`create_branch\`, \`start_compute\` and \`apply_config\` end within one to a few seconds and
large ones take minutes, and that starting a compute takes "500 ms to a few seconds" (the vendor's documentation on the compute
lifecycle). No public record of durations was found; shares and spreads are this project's reading. In real time, draws over two
minutes are left out.`;
}

export function scaleSection({ scale }: Figures): string {
  const rows = scale.map((row) => {
    const rival = scale.find(
      ({ contender, operations, projects }) =>
        contender === 'SDK' && operations === row.operations && projects === row.projects,
    );
    return [
      row.contender,
      count(row.operations),
      count(row.projects),
      count(row.requests),
      rival && rival !== row ? ratio(row.requests, rival.requests) : '',
      bytes(row.bytes),
      fixed(row.cpuSeconds, 2),
      fixed(row.peakMiB, 0),
      fixed(row.delay, 1),
    ];
  });
  const head = [
    '',
    'operations',
    'projects',
    'requests',
    'to the SDK',
    'bytes received',
    'CPU s',
    'peak MiB',
    'delay s',
  ];
  return `## Scale

All operations take 10 s. The action reads a project's operations with one listing; it asks for single ones no faster than ten a
second, so that many projects take their time instead of the account's rate limit. The SDK and the loop were left out where asking
for each by itself would take minutes.

${table(head, rows)}

![Requests by operations](plots/scale.svg)`;
}

export function rateLimitSection({ rateLimit, plan }: Figures): string {
  const rows = rateLimit.map((row) => [
    row.contender,
    count(row.steps),
    row.seconds === undefined ? `over ${plan.rateLimit.patience}` : fixed(row.seconds, 0),
    count(row.requests),
    count(row.refused),
    `${row.failed} (${fixed((row.failed / row.steps) * 100, 0)} %)`,
  ]);
  return `## Under the rate limit

${LIMIT.perMinute} requests a minute for the account, ${LIMIT.perSecond} a second for a route, then 429 with \`Retry-After\`. So many steps at once, each
waiting for three operations of a project of its own that finish after 10 s. Here and below everybody runs without a process of
their own, all in one: hundreds of processes would measure the machine. The code is the same.

${table(['', 'steps at once', 'seconds until all ended', 'requests', '429', 'not green'], rows)}`;
}

export function faultSection({ faults, plan }: Figures): string {
  const rows = faults.map((row) => [
    row.contender,
    `${row.share * 100} %`,
    `${fixed((row.right / row.steps) * 100, 0)} %`,
    String(row.falselyGreen),
    String(row.falselyRed),
    String(row.notEnded),
  ]);
  const ways = FIELD_FAULTS.map(([what]) => `- ${what}`).join('\n');
  return `## Under faults

So many of the answers fail, by equal chance in one of these ways:

${ways}

${plan.faults.steps} steps, each waiting for an operation of 10 s; every second operation fails. Right is green where it finished and red where it failed, whatever the reason given. Not ended: still hanging after
${plan.faults.patience} s.

${table(['', 'answers that fail', 'ended right', 'falsely green', 'falsely red', 'not ended'], rows)}`;
}

export function startSection({ start, bytes: read, plan }: Figures): string {
  const rows = start.map((row) => [
    row.what,
    `${fixed(row.ms, 0)} ms`,
    `${fixed(row.toBareNode, 2)} ×`,
    row.firstRequestMs === undefined ? '–' : `${fixed(row.firstRequestMs, 0)} ms`,
    row.peakMiB === undefined ? '–' : `${fixed(row.peakMiB, 0)} MiB`,
  ]);
  const files = read.map(({ mode, files: number, bytes: size }) => [
    mode,
    String(number),
    bytes(size),
  ]);
  return `## Start

The whole step for an operation that has finished, by turns with bare Node, median of ${plan.startTurns}.

${table(['process', 'time', 'to bare Node', 'to the first request', 'peak memory'], rows)}

Bytes of \`dist/\` that are read:

${table(['mode', 'files', 'bytes'], files)}

Where it goes (\`node --cpu-prof\`, in the order of size): Node's own start; \`node:https\` with TLS and crypto, a fifth of the step, which
every real request needs; the first request itself; loading the bundle; \`node:fs/promises\`, some 4 ms, which \`@actions/core\` loads
for the summary, and which only code of our own in the toolkit's place would save. Tried without a gain worth its
price: minifying (Node compiles lazily, so size hardly counts), Node's compile cache (a hosted runner begins each job without
one), a bundle in one file. Taken: CommonJS instead of ES modules, some 4 ms.`;
}

export function rotationSection({ rotation }: Figures): string {
  const rows = rotation.map((row) => [
    count(row.targets),
    String(row.toService),
    String(row.toGitHub),
    fixed(row.toGitHub / row.targets, 1),
    `${fixed(row.seconds, 2)} s`,
    `${fixed(row.cpuSeconds, 2)} s`,
    `${fixed(row.peakMiB, 0)} MiB`,
  ]);
  const head = [
    'targets',
    'requests to the service',
    'to GitHub',
    'a target',
    'time',
    'CPU',
    'peak memory',
  ];
  return `## Rotation

One rotation with the key in so many repositories' secrets, the old key revoked at once.

${table(head, rows)}`;
}
