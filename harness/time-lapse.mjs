// Loaded before a script (`node --import …/time-lapse.mjs script.mjs`) to make its time run TIME_LAPSE times as fast:
// a wait of ten minutes ends after some seconds, without a change to the script. Timers, clocks and the timeouts of
// AbortSignal are scaled; those of sockets are not, because the other end lives in ordinary time.
import process from 'node:process';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

const factor = Number(process.env.TIME_LAPSE ?? '');
if (!(factor > 0))
  throw new Error('TIME_LAPSE must say how many times as fast time runs, e.g. 50.');

const wallStart = Date.now();
const monotonicStart = performance.now();
const hrtimeStart = process.hrtime.bigint();
const original = {
  now: performance.now.bind(performance),
  hrtime: process.hrtime.bigint.bind(process.hrtime),
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  sleep: timersPromises.setTimeout,
  ticks: timersPromises.setInterval,
  RealDate: Date,
};

// Only one clock is read, so that all of them agree.
const elapsed = () => (original.now() - monotonicStart) * factor;
const wallNow = () => Math.floor(wallStart + elapsed());

class LapsedDate extends original.RealDate {
  constructor(...args) {
    if (args.length === 0) super(wallNow());
    else super(...args);
  }
  static now() {
    return wallNow();
  }
}
// `Date()` without `new` gives text, which a class cannot do; and a Date made elsewhere must be an instance of this one.
globalThis.Date = new Proxy(LapsedDate, {
  apply: () => new LapsedDate().toString(),
});
Object.defineProperty(LapsedDate, Symbol.hasInstance, {
  value: (value) => Object.prototype.isPrototypeOf.call(original.RealDate.prototype, value),
});
LapsedDate.prototype.constructor = globalThis.Date;

performance.now = () => monotonicStart + elapsed();

const hrtimeNow = () => hrtimeStart + BigInt(Math.round(elapsed() * 1e6));
process.hrtime = Object.assign(
  (since) => {
    const now = hrtimeNow();
    const time = [Number(now / 1_000_000_000n), Number(now % 1_000_000_000n)];
    if (!since) return time;
    const seconds = time[0] - since[0];
    const nanoseconds = time[1] - since[1];
    return nanoseconds < 0 ? [seconds - 1, nanoseconds + 1e9] : [seconds, nanoseconds];
  },
  { bigint: hrtimeNow },
);

// Node takes a delay past 2^31-1 ms for 1 ms, and so must this: a fault of that kind would otherwise be hidden.
const scaled = (delay) => {
  const ms = Number(delay);
  return ms > 2_147_483_647 ? delay : ms / factor;
};
const lapsed = (timer, custom) => {
  const replacement = (callback, delay, ...args) => timer(callback, scaled(delay), ...args);
  // `util.promisify(setTimeout)` looks for this.
  Object.defineProperty(replacement, Symbol.for('nodejs.util.promisify.custom'), {
    value: custom,
  });
  return replacement;
};
const sleep = (delay, ...args) => original.sleep(scaled(delay), ...args);
const setTimeoutLapsed = lapsed(original.setTimeout, sleep);
const setIntervalLapsed = lapsed(original.setInterval, undefined);
globalThis.setTimeout = setTimeoutLapsed;
globalThis.setInterval = setIntervalLapsed;
timers.setTimeout = setTimeoutLapsed;
timers.setInterval = setIntervalLapsed;
timersPromises.setTimeout = sleep;
timersPromises.setInterval = (delay, ...args) => original.ticks(scaled(delay), ...args);
timersPromises.scheduler.wait = (delay, options) => sleep(delay, undefined, options);

const realTimeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (delay) => realTimeout(Math.ceil(delay / factor));

// `import { setTimeout } from 'node:timers/promises'` sees the replacements only after this.
const { syncBuiltinESMExports } = await import('node:module');
syncBuiltinESMExports();
