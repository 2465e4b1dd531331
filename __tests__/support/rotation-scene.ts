import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findLeaks } from '../../harness/leaks.ts';
import { repository } from '../../harness/paths.ts';
import type { MainResult, PhaseResult } from '../../harness/run-step.ts';
import { type Annotation, runMain, runPost, type StepOptions } from '../../harness/run-step.ts';
import {
  type FaultHandle,
  type Key,
  type KeyFields,
  type RecordedRequest,
  type Rule,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from '../../simulator/server.ts';

export const KEY_NAME = 'octo-org/octo-repo/deploy';
export const SECRET = 'DATABASE_API_KEY';
export const REPOSITORY = 'repository:octo-org/octo-repo';
export const ENVIRONMENT = 'environment:octo-org/shop/production';
export const ORGANIZATION = 'organization:octo-org';
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Set at every end of a rotation. */
export const OUTPUTS = [
  'api-key',
  'kept-key-ids',
  'key-id',
  'pending-key-ids',
  'result',
  'revoked-key-ids',
  'rotated',
  'stored-in',
];

/** How many times as fast as usual a step's time runs: pauses and patience take no real time. */
const SPEED = 10;

export interface RotationSceneOptions extends SimulatorOptions {
  /** Where the secret is to be stored. Default: {@link REPOSITORY}. */
  targets?: readonly string[];
  /** Whether the targets hold the old key at the start. Default: true. */
  stored?: boolean;
  /** Default: a number of the simulator's choice. */
  oldId?: string;
}

/** As in `with:`; undefined takes away what the scene would give. */
export type Inputs = Readonly<Record<string, string | undefined>>;

/** A request of a run: which server it went to, and its number there, from 1. */
export interface Point {
  readonly side: 'service' | 'github';
  readonly nth: number;
  /** `GET /api_keys` */
  readonly what: string;
}

/** What a part of a step left behind, with its outputs read. */
export interface Read {
  readonly result: string | undefined;
  /** All digits of the ids. */
  readonly ids: {
    readonly new: string | undefined;
    readonly revoked: readonly string[];
    readonly pending: readonly string[];
    readonly kept: readonly string[];
  };
  readonly storedIn: readonly string[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The log as one text. */
  readonly text: string;
}

export type Main = MainResult & Read;
export type Post = PhaseResult & Read;
export type Step = Main & { readonly post?: Post };

/** Runs `play` in a scene of its own and closes it. */
export async function rotationScene(
  options: RotationSceneOptions,
  play: (scene: RotationScene) => Promise<void>,
): Promise<void> {
  const scene = await RotationScene.start(options);
  try {
    await play(scene);
  } finally {
    await scene.simulator.close();
  }
}

/** An account whose key has been in every target for forty days, and rotations of it. */
export class RotationScene {
  readonly simulator: Simulator;
  readonly targets: readonly string[];
  /** The key that everything begins with. */
  readonly old: Key;
  #child: ChildProcess | undefined;
  /** Every value that a key of the account ever had, by id. */
  readonly #everyKey = new Map<string, string>();
  #disturbances: FaultHandle[] = [];

  private constructor(simulator: Simulator, targets: readonly string[], old: Key) {
    this.simulator = simulator;
    this.targets = targets;
    this.old = old;
    // A key that is made and revoked within one step has been there, too.
    simulator.faults.add({ acted: () => this.#remember() });
  }

  static async start({
    targets = [REPOSITORY],
    stored = true,
    oldId,
    ...options
  }: RotationSceneOptions = {}): Promise<RotationScene> {
    const simulator = await startSimulator(options);
    const { github, clock } = simulator;
    github.addRepository('octo-org/shop', { environments: ['production'] });
    github.addOrganization('octo-org', { repositories: ['octo-repo', 'shop'] });
    const createdAt = clock.now() - 40 * DAY;
    const id = oldId === undefined ? {} : { id: oldId };
    const old = simulator.addKey(simulator.account, { name: KEY_NAME, createdAt, ...id });
    const scene = new RotationScene(simulator, targets, old);
    if (stored) for (const target of targets) scene.hold(target, old.key, 40 * DAY);
    return scene;
  }

  /** A further key of the name, by its age. */
  generation(ageMs: number, fields: Partial<KeyFields> = {}): Key {
    const { simulator } = this;
    const createdAt = simulator.clock.now() - ageMs;
    return simulator.addKey(simulator.account, { name: KEY_NAME, createdAt, ...fields });
  }

  /** A target holds this value, written so long ago. */
  hold(target: string, value: string, ageMs: number): void {
    const { github } = this.simulator;
    const isOrganization = target.startsWith('organization:');
    const isNew = github.secret(target, SECRET) === undefined;
    github.putSecret(target, SECRET, value, {
      updatedAt: github.clock.now() - ageMs,
      ...(isOrganization && isNew ? { visibility: 'all' as const } : {}),
    });
  }

  /** What a workflow's `secrets.DATABASE_API_KEY` is now. */
  stored(target = this.targets[0] ?? ''): string | undefined {
    return this.simulator.github.secret(target, SECRET)?.value;
  }

  /** Where the values of the targets come from: the ids of their keys, valid or not. */
  storedIds(): (string | undefined)[] {
    return this.targets.map((target) => {
      const value = this.stored(target);
      return [...this.#everyKey].find(([, key]) => key === value)?.[0];
    });
  }

  /** The ids of the valid keys of the name, in order of creation. */
  valid(): string[] {
    const { keys } = this.simulator.account;
    return keys.filter(({ name }) => name === KEY_NAME).map(({ id }) => String(id));
  }

  /** Targets whose secret is a key that does not work. */
  lockedOut(): string[] {
    const valid = new Set(this.simulator.account.keys.map(({ key }) => key));
    return this.simulator.github
      .everyStored()
      .filter(({ value }) => !valid.has(value))
      .map(({ target }) => target);
  }

  /** Main, and the post step if the runner would run it. */
  async rotate(inputs: Inputs = {}, options: Partial<StepOptions> = {}): Promise<Step> {
    const main = await this.main(inputs, options);
    const goesOn = main.succeeded || options.continueOnError === true;
    if (!goesOn || options.jobSucceeds === false) return main;
    return { ...main, post: await this.post(main, inputs, options) };
  }

  /** Only main. */
  async main(inputs: Inputs = {}, options: Partial<StepOptions> = {}): Promise<Main> {
    const known = this.#remember();
    const main = await runMain(this.#options(inputs, options));
    return { ...main, ...this.#read(main, known) };
  }

  /** Only the post step. */
  async post(main: Main, inputs: Inputs = {}, options: Partial<StepOptions> = {}): Promise<Post> {
    const known = new Set([...this.#remember()].filter((id) => id !== main.outputs['key-id']));
    const post = await runPost(this.#options(inputs, options), main);
    return { ...post, ...this.#read(post, known) };
  }

  #options(inputs: Inputs, { nodeArgs = [], env = {}, ...rest }: Partial<StepOptions>) {
    const { simulator } = this;
    const { github } = simulator;
    const lapse = pathToFileURL(join(repository, 'harness/time-lapse.mjs')).href;
    const given: Inputs = {
      mode: 'rotate-key',
      'api-key': this.stored() ?? this.old.key,
      'base-url': simulator.baseUrl,
      // The other end lives in ordinary time, on a machine that is busy.
      'request-timeout': '3m',
      'key-name': KEY_NAME,
      'secret-name': SECRET,
      'secret-targets': this.targets.join('\n'),
      'github-token': github.token,
      ...inputs,
    };
    return {
      inputs: Object.fromEntries(
        Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      nodeArgs: ['--import', lapse, ...nodeArgs],
      env: { TIME_LAPSE: String(SPEED), GITHUB_API_URL: github.apiUrl, ...env },
      killAfterMs: 30_000,
      onSpawn: (child: ChildProcess) => {
        this.#child = child;
      },
      ...rest,
    } satisfies StepOptions;
  }

  /** @param known the keys that there were before */
  #read(phase: PhaseResult, known: ReadonlySet<string>): Read {
    if (phase.hung) throw new Error('The step did not end by itself.');
    this.#remember();
    this.#searchForLeaks(phase, known);
    const of = (level: Annotation['level']): string[] =>
      phase.annotations.filter((one) => one.level === level).map(({ message }) => message);
    // Numbers may have more digits than JSON.parse keeps.
    const ids = (name: string): string[] => phase.outputs[name]?.match(/\d+/g) ?? [];
    return {
      result: phase.outputs.result,
      ids: {
        new: phase.outputs['key-id'] || undefined,
        revoked: ids('revoked-key-ids'),
        pending: ids('pending-key-ids'),
        kept: ids('kept-key-ids'),
      },
      storedIn: JSON.parse(phase.outputs['stored-in'] ?? '[]'),
      errors: of('error'),
      warnings: of('warning'),
      text: phase.log.join('\n'),
    };
  }

  /** Old keys and the token are nowhere; a new key is in the outputs and the state alone, after its mask. */
  #searchForLeaks(phase: PhaseResult, known: ReadonlySet<string>): void {
    const keys = [...this.#everyKey];
    const old = keys.filter(([id]) => known.has(id)).map(([, key]) => key);
    const made = keys.filter(([id]) => !known.has(id)).map(([, key]) => key);
    const allowedFiles = ['GITHUB_OUTPUT', 'GITHUB_STATE'];
    const leaks = [
      ...findLeaks([...old, this.simulator.apiKey, this.simulator.github.token], phase),
      ...findLeaks({ canaries: made, allowedFiles }, phase),
    ];
    if (leaks.length > 0) throw new Error(`A secret leaked: ${JSON.stringify(leaks)}`);
    for (const key of made) {
      const isWritten = allowedFiles.some((file) => phase.files[file]?.includes(key));
      if (isWritten && !phase.masks.includes(key))
        throw new Error('The new key was written without its mask.');
      // The mask stands before all else that is said of the key, so nothing can have come before it.
      const [before = ''] = phase.stdout.split(`::add-mask::${key}`);
      if (before.includes(key)) throw new Error('The new key was printed before its mask.');
    }
  }

  #remember(): Set<string> {
    for (const { id, key } of this.simulator.account.keys) this.#everyKey.set(String(id), key);
    return new Set(this.#everyKey.keys());
  }

  /** The requests so far, in the order in which they came. */
  points(): (Point & { readonly request: RecordedRequest })[] {
    const numbered = (side: Point['side'], requests: readonly RecordedRequest[]) =>
      requests.map((request, index) => ({
        side,
        nth: index + 1,
        what: `${request.method} ${request.path}`,
        request,
      }));
    return [
      ...numbered('service', this.simulator.requests),
      ...numbered('github', this.simulator.github.requests),
    ].sort((a, b) => a.request.realTime - b.request.realTime);
  }

  /** The requests so far: `GET /api_keys as 165434`, or a GitHub path alone. */
  requests(): string[] {
    return this.points().map(({ what, side, request }) =>
      side === 'service' ? `${what} as ${request.keyId ?? 'nobody'}` : what,
    );
  }

  /** How many requests changed something, or meant to. */
  writes(): string[] {
    return this.requests().filter((what) => !what.startsWith('GET '));
  }

  /** Forgets the requests so far. */
  forget(): void {
    this.simulator.requests.length = 0;
    this.simulator.github.requests.length = 0;
  }

  /** Troubles one side, until {@link calm}. */
  trouble(side: Point['side'], rule: Rule): FaultHandle {
    const { faults, github } = this.simulator;
    const handle = (side === 'service' ? faults : github.faults).add(rule);
    this.#disturbances.push(handle);
    return handle;
  }

  /** Ends all troubles. */
  calm(): void {
    for (const handle of this.#disturbances) handle.remove();
    this.#disturbances = [];
  }

  /** Sends a signal to the running process, and waits until it is gone or has had the time to notice. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(signal);
    if (signal === 'SIGKILL') return gone;
    const noticed = new Promise<void>((resolve) => setTimeout(resolve, 40));
    return Promise.race([gone, noticed]);
  }

  /** Both servers' clocks move on. */
  later(ms: number): void {
    this.simulator.clock.advance(ms);
    if (this.simulator.github.clock !== this.simulator.clock)
      this.simulator.github.clock.advance(ms);
  }
}
