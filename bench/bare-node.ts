import { spawnSync } from 'node:child_process';
import { node24 } from '../harness/paths.ts';
import { median } from './statistics.ts';

/** Milliseconds that the runner's Node takes to do nothing. */
export function bareNode(): number {
  const begin = performance.now();
  const { status } = spawnSync(node24(), ['-e', '0']);
  if (status !== 0) throw new Error('bare Node failed');
  return performance.now() - begin;
}

/** The same, the middle of a few: how busy the machine is. */
export function bareStart(): number {
  return median(Array.from({ length: 7 }, bareNode));
}
