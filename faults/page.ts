import type { FloodResult, Side } from './floods.ts';
import type { LongResult } from './long-waits.ts';
import type { Outcome } from './matrix.ts';
import type { Way } from './ways.ts';

export interface Evidence {
  readonly matrix: readonly Outcome[];
  readonly ways: readonly Way[];
  readonly waits: readonly LongResult[];
  readonly floods: readonly FloodResult[];
  readonly seconds: number;
}

/** docs/reliability.md: the figures of one run, and nothing else. */
export function page({ matrix, ways, waits, floods, seconds }: Evidence): string {
  const all = [...matrix, ...ways, ...waits, ...floods];
  const bad = all.filter(({ broken }) => broken.length > 0).length;
  const leaks = all.filter(({ broken }) =>
    broken.some((one) => /leaked|a secret is in/.test(one)),
  ).length;
  const elsewhere = matrix.filter(({ broken }) =>
    broken.includes('somebody else was asked'),
  ).length;
  return `# Reliability

Written by \`npm run test:faults\`, which runs the committed bundle as GitHub's runner does, against the simulator. All figures are
of one run of it: ${count(seconds)} s, ${count(all.length)} cases, ${count(all.length - bad)} ended as expected, ${count(bad)} did not.
Secrets found in what a step printed or left behind: ${leaks}. Requests to another host, port or scheme: ${elsewhere}.

## The fault matrix

Each endpoint that a mode calls, under each fault: a connection reset before or in the middle of the answer, half-closed,
silent, an answer that drips, stops, never ends or is larger than the limit, truncated JSON, a wrong type in every field, HTML
and nothing with 200, 204, each of 301, 302, 307 and 308 to another host, port and scheme, each status from 400 to 504 that the
field knows, 429 with five kinds of \`Retry-After\`, something that is not HTTP. A fault comes once, or it stays; where both end the
same way only the second is played.

"Recovered": the work was done and the step is green. "Failed": the step is red, its error names the fault, and it ended in
time: a wait within \`timeout\` + \`request-timeout\` (with 0.3 s of real time for a busy machine). In every case the step ended by
itself, its outputs were set, no target held a key that does not work, and no wait was green unless every operation had
finished.

${table(['mode', 'endpoint', 'cases', 'recovered', 'failed', 'requests, median (most)', 'not as expected'], matrixRows(matrix))}

## Ways to the service

Real sockets: nobody who listens, a forward proxy with a password, certificates made for this run.

${table(
  ['mode', 'way', 'ended', 'requests', 'as expected'],
  ways.map(({ mode, name, actual, requests, broken }) => [
    mode,
    name,
    actual,
    count(requests),
    yes(broken),
  ]),
)}

## Long waits

${table(
  ['wait', 'result', 'requests', '', 'as expected'],
  waits.map(({ name, result, requests, facts, broken }) => [
    name,
    result,
    count(requests),
    facts,
    yes(broken),
  ]),
)}

The first two run the action's own code with the clock handed in; the third is the bundle.

## Floods

A service that answers 429 beyond 700 requests a minute for the account and 40 a second for a route. The naive poller sends one
request for each pending operation every second and gives up at the third failure in a row of one operation. "Late" is the time
from the end of the last operation to the end of the last step.

${table(
  ['work', 'who', 'green steps', 'requests', '429 answers', 'late'],
  floods.flatMap(({ work, action, naive }) => [
    [work.name, 'this action', ...sideCells(action, work.steps)],
    ['', 'naive poller', ...sideCells(naive, work.steps)],
  ]),
)}
`;
}

function matrixRows(matrix: readonly Outcome[]): string[][] {
  const groups = Map.groupBy(matrix, ({ endpoint }) => endpoint);
  return [...groups].map(([{ mode, name }, outcomes]) => {
    const requests = outcomes.map((one) => one.requests).sort((a, b) => a - b);
    return [
      mode,
      name,
      count(outcomes.length),
      count(outcomes.filter(({ actual }) => actual === 'green').length),
      count(outcomes.filter(({ actual }) => actual === 'red').length),
      `${requests[requests.length >> 1] ?? 0} (${requests.at(-1) ?? 0})`,
      count(outcomes.filter(({ broken }) => broken.length > 0).length),
    ];
  });
}

function sideCells({ green, requests, limited, lateS }: Side, steps: number): string[] {
  const late = green === steps ? `${lateS.toFixed(1)} s` : '(gave up)';
  return [`${green} of ${steps}`, count(requests), count(limited), late];
}

function yes(broken: readonly string[]): string {
  return broken.length === 0 ? 'yes' : 'no';
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
