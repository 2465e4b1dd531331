import { type Clock, every, SIGN_OF_LIFE_MS, sleep } from '../clock.ts';
import { tooLongToWait } from '../control-api/advice.ts';
import type { CallOptions, ControlApi } from '../control-api/client.ts';
import { ControlApiError, isPassing } from '../control-api/errors.ts';
import { LONG_PAUSE_MS } from '../control-api/retry.ts';
import type { ApiKey } from '../control-api/schemas.ts';
import type { ServiceClock } from '../control-api/service-clock.ts';
import { parseMoment } from '../moments.ts';
import { Secret } from '../secret.ts';
import { oneLine, sentence } from '../text.ts';
import type { ListedKey, TargetLook } from './generations.ts';
import { GitHubError, NotStoredError } from './github-api.ts';
import type { SecretStore } from './secret-store.ts';
import type { Answers, AnyAnswer, Fault, Script, Step } from './steps.ts';

/** Told what happens during a rotation. */
export interface RotateObserver {
  /** A step succeeded. */
  done(step: Step, answer: AnyAnswer): void;
  /** The sign of life of a step that takes long. @param doing `create the new key` */
  alive(doing: string, elapsedMs: number): void;
  /** A request failed in a way that passes, and the pause before the next try is long. */
  retry(error: ControlApiError, pauseMs: number): void;
}

export interface ShellParts {
  readonly keyName: string;
  readonly stores: readonly SecretStore[];
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  /** A client that asks with this key. */
  readonly createApi: (key: Secret, refusal?: string) => ControlApi;
  /** Undefined in the post step, which has the new key alone. */
  readonly callerKey: Secret | undefined;
  /** Hides a value from the log; called before anything else is done with it. */
  readonly mask: (secret: Secret) => void;
  readonly observe: RotateObserver;
  /** The runner asks the step to stop. */
  readonly cancelled: AbortSignal;
}

/** A new key may need this long to be known everywhere. */
const PROPAGATION_MS = 30_000;
/** What was stored may need a moment to be seen. */
const VISIBLE_MS = 10_000;
const PAUSE_MS = 1000;
/** A store that begins later could put back a key that the next rotation has taken for old. */
const LATEST_STORE_MS = 5 * 60_000;
/** What a 401 for the new key means to people. */
const REFUSED = 'The new key is not known to the service, or was revoked by somebody else';
/** The runner kills 10 s after the first signal; what is under way may end within this. */
const WIND_UP_MS = 5000;

/** Performs the steps of a rotation's script: the thin part that touches the network. */
export class Shell {
  readonly #parts: ShellParts;
  readonly #windUp = new AbortController();
  /** What ends the step that is being performed. */
  #signal: AbortSignal = this.#windUp.signal;
  readonly #stopWatching: () => void;
  #newKey: { readonly id: string; readonly secret: Secret } | undefined;
  /** A creation was begun: from then on a key may be there. */
  #isCreating = false;
  /** A revocation was begun: from then on a list tells what became of it. */
  #isRevoking = false;
  /** When the keys were listed, so that the ages of secrets are told for the same moment. */
  #listedAt: number | undefined;
  #newApi: ControlApi | undefined;
  readonly #callerApi: ControlApi | undefined;
  /** By the wall clock, because a runner may have slept, and by the other, because the wall clock may be set back. */
  #createdAt = { wall: Number.NEGATIVE_INFINITY, monotonic: Number.NEGATIVE_INFINITY };
  /** The new key was refused for the whole time that it may take; it is not waited for again. */
  #gaveUp = false;

  constructor(parts: ShellParts) {
    this.#parts = parts;
    this.#callerApi = parts.callerKey && parts.createApi(parts.callerKey);
    let stopTimer = (): void => {};
    const onCancel = (): void => {
      stopTimer = parts.clock.timer(WIND_UP_MS, () => this.#windUp.abort(new Error('cancelled')));
    };
    if (parts.cancelled.aborted) onCancel();
    parts.cancelled.addEventListener('abort', onCancel, { once: true });
    this.#stopWatching = () => {
      parts.cancelled.removeEventListener('abort', onCancel);
      stopTimer();
    };
  }

  /** The new key, once it is created. */
  get newKey(): { readonly id: string; readonly secret: Secret } | undefined {
    return this.#newKey;
  }

  /** In the post step: the key that main created. */
  useNewKey(id: string, secret: Secret): void {
    this.#newKey = { id, secret };
    this.#newApi = this.#parts.createApi(secret, REFUSED);
  }

  /** Runs a script to its end. */
  async run<Result>(script: Script<Result>): Promise<Result> {
    try {
      let next = script.next();
      while (!next.done) next = script.next(await this.#perform(next.value));
      return next.value;
    } finally {
      this.#stopWatching();
    }
  }

  async #perform(step: Step): Promise<AnyAnswer> {
    if (this.#parts.cancelled.aborted && !this.#isWindingUp(step)) {
      return {
        fault: 'cancelled',
        message: `Cancelled before it was time to ${words(step, this.#parts)}.`,
      };
    }
    const { cancelled, clock, observe } = this.#parts;
    const endsAtOnce = !cancelled.aborted && this.#isProgress(step);
    this.#signal = endsAtOnce ? cancelled : this.#windUp.signal;
    this.#isRevoking ||= step.do === 'revoke';
    const beganAt = clock.monotonic();
    const stopSigns = every(clock, SIGN_OF_LIFE_MS, () =>
      observe.alive(words(step, this.#parts), clock.monotonic() - beganAt),
    );
    try {
      const answer = await this.#act(step);
      observe.done(step, answer);
      return answer;
    } catch (error) {
      return this.#faultOf(step, error);
    } finally {
      stopSigns();
    }
  }

  /** Once cancelled, nothing new is begun: what is left is to look, and to take back a key that is stored nowhere. */
  #isWindingUp(step: Step): boolean {
    if (step.do === 'revoke') return step.id === this.#newKey?.id;
    return step.do === 'list' && (this.#newKey !== undefined || this.#isCreating);
  }

  /**
   * What only reads in order to go on ends with the cancellation: the time that is left belongs to writes, to taking the new key
   * back, and to lists that tell what a fault has done.
   */
  #isProgress(step: Step): boolean {
    if (step.do !== 'list') return step.do === 'look-at' || step.do === 'read';
    return !(step.as === 'new' ? this.#isRevoking : this.#isCreating);
  }

  #act(step: Step): Promise<Answers[Step['do']]> {
    switch (step.do) {
      case 'list':
        return this.#list(step.as);
      case 'create':
        return this.#create();
      case 'revoke':
        return this.#as(step.as, (api, call) => api.revokeApiKey(step.id, call)).then(
          ({ revoked }) => ({ revoked: revoked === true }),
        );
      case 'look-at':
        return this.#look(step.target);
      case 'read':
        return this.#read(step.target);
      case 'store':
        return this.#seal(step.target);
    }
  }

  async #create(): Promise<{ id: string }> {
    if (this.#callerApi === undefined) throw new Error('nobody to create a key');
    this.#isCreating = true;
    this.#noteCreation(0);
    const call = this.#call();
    const created = await this.#callerApi.createApiKey(this.#parts.keyName, {
      ...call,
      onRetry: (error, pauseMs) => {
        call.onRetry?.(error, pauseMs);
        this.#noteCreation(pauseMs);
      },
    });
    const secret = new Secret(created.key);
    this.#parts.mask(secret);
    this.useNewKey(String(created.id), secret);
    return { id: String(created.id) };
  }

  /** A key is as old as the request that made it, however late the answer came. */
  #noteCreation(inMs: number): void {
    const { clock } = this.#parts;
    this.#createdAt = { wall: clock.wall() + inMs, monotonic: clock.monotonic() + inMs };
  }

  /** The secret's age at the moment in which the keys' ages were told: the look at a target may have taken minutes. */
  async #look(target: number): Promise<TargetLook> {
    const { secretAgeMs } = await this.#store(target).look(this.#signal);
    if (secretAgeMs === undefined) return { secretAgeMs };
    const now = this.#parts.clock.monotonic();
    return { secretAgeMs: secretAgeMs - (now - (this.#listedAt ?? now)) };
  }

  async #seal(target: number): Promise<Record<never, never>> {
    if (this.#newKey === undefined) throw new Error('nothing to store');
    const { clock } = this.#parts;
    const { wall, monotonic } = this.#createdAt;
    const tooLate = (): boolean =>
      Math.max(clock.wall() - wall, clock.monotonic() - monotonic) > LATEST_STORE_MS;
    await this.#store(target).store(this.#newKey.secret, this.#signal, tooLate);
    return {};
  }

  /** A store that was answered and is nowhere to be seen must not cost the old key: it is waited for, and then a fault. */
  async #read(target: number): Promise<Answers['read']> {
    const store = this.#store(target);
    const { clock } = this.#parts;
    const until = clock.monotonic() + VISIBLE_MS;
    for (;;) {
      const updatedAt = await store.updatedAt(this.#signal);
      if (store.isWritten(updatedAt)) return { updatedAt, place: store.name };
      if (clock.monotonic() >= until) {
        const message = `The secret in ${store.name} is still the one of ${updatedAt}, from before the store.`;
        throw new NotStoredError(message, undefined, false);
      }
      await sleep(clock, PAUSE_MS, this.#signal);
    }
  }

  async #list(as: 'caller' | 'new'): Promise<{ keys: ListedKey[] }> {
    const keys = await this.#as(as, (api, call) => api.listApiKeys(call));
    const now = this.#parts.serviceClock.now();
    this.#listedAt ??= this.#parts.clock.monotonic();
    return { keys: keys.map((key) => listed(key, now)) };
  }

  /** Asks with one of the keys. A 401 of the new one may be a key that is not known everywhere yet. */
  async #as<Result>(
    as: 'caller' | 'new',
    ask: (api: ControlApi, call: CallOptions) => Promise<Result>,
  ): Promise<Result> {
    const api = as === 'new' ? this.#newApi : this.#callerApi;
    if (api === undefined) throw new Error(`no ${as} key`);
    const { clock, cancelled } = this.#parts;
    const until = clock.monotonic() + PROPAGATION_MS;
    for (;;) {
      try {
        return await ask(api, this.#call());
      } catch (error) {
        const unknown = error instanceof ControlApiError && error.kind === 'unauthorized';
        if (as !== 'new' || !unknown || this.#gaveUp || cancelled.aborted) throw error;
        if (clock.monotonic() >= until) {
          this.#gaveUp = true;
          throw error;
        }
        await sleep(clock, PAUSE_MS, this.#signal);
      }
    }
  }

  #call(): CallOptions {
    return {
      signal: this.#signal,
      onRetry: (error, pauseMs) => {
        if (pauseMs >= LONG_PAUSE_MS) this.#parts.observe.retry(error, pauseMs);
      },
    };
  }

  #store(target: number): SecretStore {
    const store = this.#parts.stores[target];
    if (store === undefined) throw new Error('no such target');
    return store;
  }

  #faultOf(step: Step, error: unknown): Fault {
    const isWrite = step.do === 'create' || step.do === 'store' || step.do === 'revoke';
    if (this.#signal.aborted) {
      const message = `Cancelled while it was time to ${words(step, this.#parts)}.`;
      return { fault: isWrite ? 'lost' : 'refused', message };
    }
    if (error instanceof NotStoredError) return { fault: 'gone', message: sentenceOf(error) };
    if (error instanceof GitHubError) {
      return {
        fault: isWrite && error.perhapsDone ? 'lost' : 'refused',
        message: sentenceOf(error),
      };
    }
    if (!(error instanceof ControlApiError)) throw error;
    const hint = step.do === 'list' && step.as === 'caller' ? listHint(error) : '';
    const message = sentenceOf(error) + tooLongToWait(error) + hint;
    if (error.kind === 'ambiguous') return { fault: 'lost', message };
    if (error.kind === 'unauthorized') return { fault: 'unauthorized', message };
    if (error.kind === 'not-found' && step.do === 'revoke') return { fault: 'gone', message };
    return { fault: 'refused', message };
  }
}

function listed(key: ApiKey, now: number): ListedKey {
  const created = parseMoment(key.created_at);
  return {
    id: String(key.id),
    name: key.name,
    ageMs: Number.isNaN(created) ? undefined : now - created,
    ...(key.last_used_at ? { lastUsedAt: key.last_used_at } : {}),
  };
}

/** The keys of an organisation live elsewhere. */
function listHint(error: ControlApiError): string {
  if (error.kind === 'unauthorized' || isPassing(error)) return '';
  return ' Rotation is for keys that GET /api_keys lists, which are personal keys; those of an organisation live elsewhere.';
}

function words(step: Step, { stores }: ShellParts): string {
  switch (step.do) {
    case 'list':
      return 'list the API keys';
    case 'create':
      return 'create the new key';
    case 'revoke':
      return `revoke key ${step.id}`;
    case 'look-at':
      return `look at ${stores[step.target]?.name}`;
    case 'store':
      return `store the new key in ${stores[step.target]?.name}`;
    case 'read':
      return `read when ${stores[step.target]?.name} was written`;
  }
}

function sentenceOf({ message }: Error): string {
  return sentence(oneLine(message, 600));
}
