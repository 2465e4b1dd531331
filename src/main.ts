import { setFlagsFromString } from 'node:v8';
import { runAction } from './action.ts';
import { systemClock } from './clock.ts';
import { createHttp } from './control-api/http.ts';
import { createGitHubRunner } from './runner/github.ts';
import type { Program } from './runner/guard.ts';

// A step shares a small machine with the job's own processes, and what it reads is garbage a moment later: the heap's young
// part stays as small as it begins, at the cost of collecting it more often. `npm run bench` measures both.
setFlagsFromString('--semi-space-growth-factor=1');

/** The action with everything that it takes from outside: GitHub's runner, the machine's clock, HTTP. */
export const program: Program = {
  createRunner: createGitHubRunner,
  run: (runner) => runAction({ runner, clock: systemClock, random: Math.random, createHttp }),
};
