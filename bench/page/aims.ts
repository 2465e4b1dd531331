import type { Figures } from './page.ts';
import { fixed, table } from './table.ts';

/** What was to be reached, and what was. */
export function aimsSection({ latency, scale, start }: Figures): string {
  const of = (contender: string, point: string) =>
    latency.find((row) => row.contender === contender && row.point === point);
  const rows: string[][] = [];
  const add = (aim: string, measured: string, met: boolean): void => {
    rows.push([aim, measured, met ? 'yes' : '**no**']);
  };
  for (const point of ['0.3 s', '1 s', '2 s', '3 s', 'mix']) {
    const [ours, theirs] = [of('this action', point), of('SDK', point)];
    if (!ours || !theirs) continue;
    add(
      `${point}: at the median not slower than the SDK`,
      `${fixed(ours.median, 2)} s to ${fixed(theirs.median, 2)} s`,
      ours.median <= theirs.median,
    );
    add(
      `${point}: no more requests than the SDK`,
      `${fixed(ours.requests, 1)} to ${fixed(theirs.requests, 1)}`,
      ours.requests <= theirs.requests,
    );
  }
  const [ours, theirs] = [of('this action', '60 s'), of('SDK', '60 s')];
  if (ours && theirs) {
    const share = ours.requests / theirs.requests;
    add('60 s: at most a third of the SDK’s requests', `${fixed(share, 3)} ×`, share <= 1 / 3);
  }
  const at = (contender: string, operations: number) =>
    scale.find((row) => row.contender === contender && row.operations === operations);
  const [many, manySdk] = [at('this action', 1000), at('SDK', 1000)];
  if (many && manySdk) {
    const share = many.requests / manySdk.requests;
    add(
      '1,000 operations: at most 1 % of its requests',
      `${fixed(share * 100, 2)} %`,
      share <= 0.01,
    );
  }
  const most = at('this action', 10_000);
  if (most) {
    const peak = most.peakMiB ?? Number.NaN;
    add('10,000 operations: within 150 MiB', `${fixed(peak, 0)} MiB`, peak <= 150);
  }
  for (const row of start.slice(1, 3)) {
    add(
      `${row.what}: within 2.7 × bare Node`,
      `${fixed(row.toBareNode, 2)} ×`,
      row.toBareNode <= 2.7,
    );
  }
  return `## Aims\n\n${table(['aim', 'measured', 'met'], rows)}

A wait for one operation that ends within its first seconds costs this action one request more than the SDK: it looks at once,
where the SDK first waits a second. That look is what ends a step at once whose operation had ended before it began, and what
tells a wrong key or a wrong id in the first moment. For a new branch, which is two operations, one listing makes up for it.`;
}
