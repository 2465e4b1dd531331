import { runAction } from './action.ts';
import { systemClock } from './clock.ts';
import { createHttp } from './control-api/http.ts';
import { guard } from './runner/guard.ts';

guard((runner) => runAction({ runner, clock: systemClock, random: Math.random, createHttp }));
