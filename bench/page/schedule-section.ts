import { SHORT } from '../schedule/study.ts';
import type { Figures } from './page.ts';
import { fixed, table } from './table.ts';

/** The trade-off, all schedules, and why the one. */
export function scheduleSection({ schedules }: Figures): string {
  const rows = schedules.map((row, index) => {
    const { name, mix, short, long } = row;
    return [
      `${index + 1}. ${name.startsWith('chosen') ? `**${name}**` : name}`,
      `${fixed(mix.median, 2)} / ${fixed(mix.p95, 2)} / ${fixed(mix.mean, 2)}`,
      fixed(mix.requests, 2),
      ...short.map(({ median, requests }) => `${fixed(median, 2)}, ${fixed(requests, 1)}`),
      `${fixed(long.median, 2)}, ${fixed(long.requests, 1)}`,
    ];
  });
  const head = [
    'gap between looks',
    'mix: median / p95 / mean delay',
    'requests',
    ...SHORT.map((seconds) => `${seconds} s`),
    '60 s',
  ];
  return `## The schedule, chosen by simulation

Without real time (\`bench/schedule/\`): 4,000 waits of each kind, a look takes 0.1 s. Delay in seconds, and requests; for single
durations the median delay and the mean of requests. Gaps vary by a fifth less to a tenth more unless it says otherwise.

${table(head, rows)}

![Schedules](plots/schedules.svg)

- **The trade-off.** A gap *g* costs *g*/2 of delay on average and 1/*g* requests a second. Where most operations end, within the
  first seconds, a short gap pays each time; the more time has passed, the less likely the end is in the next second, and the same
  request buys less.
- **Why held for five seconds.** Linear and geometric gaps from one second on (as before: geometric × 1.5) save less than one
  request on an operation under five seconds and cost up to a second there. Held at one second, the delay is that of the SDK.
- **Why then fourfold.** The rest of the requests of a minute is the steady interval's. Growing slowly, in proportion to the time so
  far, has less delay between 5 and 20 s, but takes more than a third of the SDK's requests on a minute.
- **Why not below one second, or above the interval.** A first gap of half a second would halve the delay of the shortest for a
  request more; \`poll-interval\` is the contract's interval, and at least one second.
- **Jitter** is more often down than up: its mean is a gap of 0.95 s, which makes up for the time that a look and the end of the
  step take.
- **Anew after a change** helps where a long operation is followed by a short one, and makes a thousand operations that end one after
  the other cost a look a second: not taken.
- **History** (the listing shows how long this took before; look when four of five had ended) saves a request of 4.5 on the mix. It
  pays in delay only where the same work takes the same time within about a tenth; where durations spread as they do between projects
  (0.6), the delay doubles. A single operation is read by its id, and would need the listing besides. Not kept.`;
}
