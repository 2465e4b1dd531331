import { runAction } from './action.ts';
import { systemClock } from './clock.ts';
import { createHttp } from './control-api/http.ts';
import { createGitHubRunner } from './runner/github.ts';
import type { Program } from './runner/guard.ts';

/** The action with everything that it takes from outside: GitHub's runner, the machine's clock, HTTP. */
export const program: Program = {
  createRunner: createGitHubRunner,
  run: (runner) => runAction({ runner, clock: systemClock, random: Math.random, createHttp }),
};
