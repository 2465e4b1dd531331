import { type Clock, every, SIGN_OF_LIFE_MS, sleep } from '../clock.ts';
import { errorTitle, nextStep } from '../control-api/advice.ts';
import type { ControlApi } from '../control-api/client.ts';
import { ControlApiError, isPassing } from '../control-api/errors.ts';
import { UnsafeIdError } from '../control-api/paths.ts';
import { LONG_PAUSE_MS } from '../control-api/retry.ts';
import type { ServiceClock } from '../control-api/service-clock.ts';
import { sentence } from '../text.ts';
import {
  cancelledEnding,
  type Ending,
  failedEnding,
  finishedEnding,
  neverFoundEnding,
  projectNotFoundEnding,
  timedOutEnding,
} from './endings.ts';
import type { Observe } from './events.ts';
import { Ledger } from './ledger.ts';
import { Listings } from './listing.ts';
import type { Look, Looker } from './look.ts';
import { LookAround } from './look-around.ts';
import { LookAtGiven } from './look-at-given.ts';
import { WaitProblem } from './problem.ts';
import { Reader } from './reader.ts';
import type { WaitReport, WaitResult } from './report.ts';
import { FIRST_GAP_MS, gapMs } from './schedule.ts';
import type { WaitSettings } from './settings.ts';

export interface WaitParts {
  readonly api: ControlApi;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly observe: Observe;
}

const LAST_LOOK_MS = 5000;
/** A longer pause is made between looks: what one project's service asks must not hide what another's says. */
const LONGEST_PAUSE_IN_LOOK_MS = 2000;

type Verdict = Ending & { readonly result: WaitResult };

/**
 * Waits until every watched operation has ended: looks at once, then again with growing gaps, the last time at the
 * deadline. Nothing but a look that proves it makes the result `finished`.
 */
export class Wait {
  readonly #settings: WaitSettings;
  readonly #parts: WaitParts;
  readonly #ledger: Ledger;
  readonly #reader: Reader;
  readonly #looker: Looker;
  readonly #beganAt: number;
  #verdict: Verdict | undefined;
  #lastLook: Look | undefined;
  /** The last fault since the last look that succeeded. */
  #fault: ControlApiError | undefined;
  /** When the current outage was told, on the monotonic clock. */
  #outageFrom: number | undefined;
  /** No look before this moment: the service asked for it (`Retry-After`). */
  #notBefore = 0;

  constructor(settings: WaitSettings, parts: WaitParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#ledger = new Ledger(settings.failedGraceMs);
    this.#beganAt = parts.clock.monotonic();
    const { api, clock, observe } = parts;
    this.#reader = new Reader({ api, clock, ledger: this.#ledger, observe });
    this.#looker = this.#createLooker();
  }

  /**
   * Runs the wait to its end and reports how it ended; what is wrong with the service, the key or the ids is part of the
   * report.
   * @param cancelled ends the wait within moments, as `cancelled`
   * @throws only what nobody foresaw
   */
  async run(cancelled: AbortSignal): Promise<WaitReport> {
    const stopSigns = this.#showLife();
    try {
      this.#verdict = await this.#untilDecided(cancelled);
    } catch (error) {
      this.#verdict = this.#verdictOf(error, cancelled);
    } finally {
      stopSigns();
    }
    return this.report();
  }

  /** The report as of now. Before the end its result is `failed`: nothing is proven yet. */
  report(): WaitReport {
    const { clock, api, serviceClock } = this.#parts;
    const elapsedMs = clock.monotonic() - this.#beganAt;
    const { result, title, message }: Verdict = this.#verdict ?? {
      result: 'failed',
      title: 'Broke off',
      message: 'The wait broke off before it was decided.',
    };
    return {
      result,
      title,
      message,
      selection: this.#settings.selection,
      operations: this.#ledger.all(),
      elapsedMs,
      requests: api.requests,
      beganAt: serviceClock.now() - elapsedMs,
    };
  }

  #createLooker(): Looker {
    const { selection } = this.#settings;
    const { api, clock, observe, serviceClock } = this.#parts;
    const ledger = this.#ledger;
    const reader = this.#reader;
    const listings = new Listings(api);
    if (selection.kind === 'given') return new LookAtGiven(ledger, reader, listings);
    const beganAt = (): number => serviceClock.now() - (clock.monotonic() - this.#beganAt);
    return new LookAround({
      discovery: selection,
      clock,
      ledger,
      reader,
      listings,
      beganAt,
      observe,
    });
  }

  async #untilDecided(cancelled: AbortSignal): Promise<Verdict> {
    const { clock } = this.#parts;
    const deadline = this.#beganAt + this.#settings.timeoutMs;
    const decided = this.#begin();
    if (decided) return decided;
    const atDeadline = new AbortController();
    const stop = clock.timer(deadline - clock.monotonic(), () => atDeadline.abort());
    const signal = AbortSignal.any([cancelled, atDeadline.signal]);
    try {
      while (clock.monotonic() < deadline) {
        const look = await this.#look(signal);
        const verdict = this.#decide(look);
        if (verdict) return verdict;
        await sleep(clock, this.#pauseMs(look, deadline), signal);
      }
    } catch (error) {
      if (cancelled.aborted || !atDeadline.signal.aborted) throw error;
    } finally {
      stop();
    }
    return this.#lastChance(cancelled);
  }

  /** Takes in what the workflow gave; operations that had ended already need no request. */
  #begin(): Verdict | undefined {
    const { selection } = this.#settings;
    const { observe, clock } = this.#parts;
    if (selection.kind === 'discovery') {
      observe({ type: 'begun', given: undefined, discovery: selection });
      return undefined;
    }
    observe({ type: 'begun', given: selection.operations.length });
    const changes = selection.operations.flatMap((given) => {
      const watched = this.#ledger.watch(given);
      return given.seen ? (this.#ledger.record(watched, given.seen, clock.monotonic()) ?? []) : [];
    });
    if (changes.length > 0) observe({ type: 'changed', changes });
    return this.#decide({ done: this.#ledger.with('pending').length === 0 });
  }

  /** @returns undefined when the look failed in a way that passes */
  async #look(signal: AbortSignal): Promise<Look | undefined> {
    const { clock, observe } = this.#parts;
    try {
      const look = await this.#looker.look(
        {
          signal,
          longestRetryAfterMs: LONGEST_PAUSE_IN_LOOK_MS,
          onRetry: (error, pauseMs) => this.#note(error, pauseMs >= LONG_PAUSE_MS),
        },
        false,
      );
      this.#lastLook = look;
      this.#fault = undefined;
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#note(error, true);
      this.#notBefore = clock.monotonic() + (error.retryAfterMs ?? 0);
      return undefined;
    }
    if (this.#outageFrom !== undefined) {
      observe({ type: 'recovered', afterMs: clock.monotonic() - this.#outageFrom });
      this.#outageFrom = undefined;
    }
    return this.#lastLook;
  }

  /** Remembers a fault for the closing message, and tells an outage once. */
  #note(error: ControlApiError, isOutage: boolean): void {
    this.#fault = error;
    if (!isOutage || this.#outageFrom !== undefined) return;
    this.#outageFrom = this.#parts.clock.monotonic();
    this.#parts.observe({ type: 'outage', error });
  }

  #pauseMs(look: Look | undefined, deadline: number): number {
    const { clock, random } = this.#parts;
    const now = clock.monotonic();
    const gap = look?.fresh
      ? FIRST_GAP_MS * (1 + 0.1 * random())
      : gapMs(now - this.#beganAt, this.#settings.pollIntervalMs, random());
    const graceEnd = this.#ledger.nextGraceEnd() ?? 0;
    // A grace that was over before this look is no reason to hurry.
    const soon = graceEnd > now ? Math.min(now + gap, graceEnd) : now + gap;
    const next = Math.max(soon, this.#notBefore);
    return Math.max(0, Math.min(next, deadline) - now);
  }

  #decide(look: Look | undefined): Verdict | undefined {
    const failed = this.#ledger.with('failed');
    const over = look?.done === true;
    if (failed.length > 0 && (over || this.#settings.failFast)) {
      return { result: 'failed', ...failedEnding(failed, this.#ledger.with('pending')) };
    }
    if (!over) return undefined;
    const elapsedMs = this.#parts.clock.monotonic() - this.#beganAt;
    return { result: 'finished', ...finishedEnding(this.#ledger.all(), elapsedMs) };
  }

  /** The last look, at the deadline: one try, bounded in time. */
  async #lastChance(cancelled: AbortSignal): Promise<Verdict> {
    const { clock } = this.#parts;
    const tooLong = new AbortController();
    const longest = Math.min(this.#settings.requestTimeoutMs, LAST_LOOK_MS);
    const stop = clock.timer(longest, () => tooLong.abort());
    let look: Look | undefined;
    try {
      const signal = AbortSignal.any([cancelled, tooLong.signal]);
      look = await this.#looker.look({ signal, retries: 0 }, true);
    } catch (error) {
      if (cancelled.aborted || !(isPassing(error) || tooLong.signal.aborted)) throw error;
      if (isPassing(error)) this.#note(error, false);
    } finally {
      stop();
    }
    return this.#decide(look) ?? this.#tooLate(look);
  }

  #tooLate(look: Look | undefined): Verdict {
    const failed = this.#ledger.with('failed');
    const pending = this.#ledger.with('pending');
    if (failed.length > 0) return { result: 'failed', ...failedEnding(failed, pending) };
    const projects = this.#reader.unknownProjects;
    if (projects.length > 0) return { result: 'failed', ...projectNotFoundEnding(projects) };
    const unknown = pending.filter(({ found, missed }) => !found && missed > 0);
    if (unknown.length > 0) return { result: 'failed', ...neverFoundEnding(unknown) };
    const fault = look === undefined ? this.#fault : this.#reader.projectFault;
    const { timeoutMs, selection } = this.#settings;
    const ending = timedOutEnding({ pending, look, fault, timeoutMs, selection });
    return { result: 'timed-out', ...ending };
  }

  #verdictOf(error: unknown, cancelled: AbortSignal): Verdict {
    if (cancelled.aborted) {
      const elapsedMs = this.#parts.clock.monotonic() - this.#beganAt;
      return { result: 'cancelled', ...cancelledEnding(this.#ledger.with('pending'), elapsedMs) };
    }
    if (error instanceof WaitProblem) return failedBy(error.title, error);
    if (error instanceof UnsafeIdError) return failedBy('Bad id', error);
    if (error instanceof ControlApiError)
      return failedBy(errorTitle(error), error, nextStep(error));
    throw error;
  }

  #showLife(): () => void {
    const { clock, observe } = this.#parts;
    return every(clock, SIGN_OF_LIFE_MS, () => {
      const elapsedMs = clock.monotonic() - this.#beganAt;
      observe({
        type: 'alive',
        pending: this.#ledger.with('pending'),
        missing: this.#lastLook?.missing ?? [],
        elapsedMs,
        restMs: Math.max(0, this.#settings.timeoutMs - elapsedMs),
      });
    });
  }
}

function failedBy(title: string, { message }: Error, next = ''): Verdict {
  return { result: 'failed', title, message: sentence(message) + next };
}
