import { deepEqual, equal, match } from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findLeaks } from '../../harness/leaks.ts';
import { repository } from '../../harness/paths.ts';
import { runStep, type StepOptions, type StepResult } from '../../harness/run-step.ts';
import {
  type FaultHandle,
  type KeyFields,
  machineClock,
  type Rule,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from '../../simulator/server.ts';

export const KEY_NAME = 'octo-org/shop/deploy';
export const SECRET = 'DATABASE_API_KEY';
export const TARGETS = [
  'repository:octo-org/shop',
  'environment:octo-org/shop/production',
  'organization:octo-org',
];
export const MINUTE = 60_000;
export const DAY = 86_400_000;
/** How many times as fast as usual a step's time runs: pauses and patience take no real time. */
const SPEED = 20;

/** A request of a run: which server it went to, and its number there, from 1. */
export interface Point {
  readonly side: 'service' | 'github';
  readonly nth: number;
  readonly what: string;
}

/** What a run left in its lists of ids, each id with all its digits. */
export interface Ids {
  readonly revoked: string[];
  readonly pending: string[];
  readonly kept: string[];
}

/** Plays in a scene of its own, and closes it; whatever was played, no target may hold a key that does not work. */
export async function play(
  targets: number | readonly string[],
  act: (scene: RotationScene) => Promise<void>,
  options: SimulatorOptions = {},
): Promise<void> {
  const scene = await RotationScene.start(targets, options);
  try {
    await act(scene);
    deepEqual(scene.lockedOut(), []);
  } finally {
    await scene.simulator.close();
  }
}

/** The lists of ids among the outputs. */
export function idsOf({ outputs }: StepResult): Ids {
  const list = (name: string): string[] => (outputs[name] ?? '').match(/\d+/g) ?? [];
  return {
    revoked: list('revoked-key-ids'),
    pending: list('pending-key-ids'),
    kept: list('kept-key-ids'),
  };
}

/** The text of the annotations of a kind. */
export function said(level: 'error' | 'warning', step: Pick<StepResult, 'annotations'>): string {
  return step.annotations
    .filter((one) => one.level === level)
    .map(({ message }) => message)
    .join('\n');
}

/** An account whose key has been in every target for forty days, and rotations of it. */
export class RotationScene {
  readonly simulator: Simulator;
  readonly targets: readonly string[];
  /** The process that is running. */
  child: ChildProcess | undefined;
  readonly #canaries = new Set<string>();

  private constructor(simulator: Simulator, targets: readonly string[]) {
    this.simulator = simulator;
    this.targets = targets;
  }

  /** @param targets how many of {@link TARGETS} are in play, or which places */
  static async start(
    targets: number | readonly string[],
    options: SimulatorOptions = {},
  ): Promise<RotationScene> {
    const simulator = await startSimulator({ clock: machineClock(), ...options });
    const { github } = simulator;
    github.addRepository('octo-org/shop', { environments: ['production'] });
    github.addOrganization('octo-org', { repositories: ['shop'] });
    const places = typeof targets === 'number' ? TARGETS.slice(0, targets) : targets;
    const scene = new RotationScene(simulator, places);
    const age = simulator.clock.now() - 40 * DAY;
    const { key } = simulator.addKey(simulator.account, { name: KEY_NAME, createdAt: age });
    for (const target of scene.targets) {
      const visibility = target.startsWith('organization') ? { visibility: 'all' as const } : {};
      github.putSecret(target, SECRET, key, { updatedAt: age, ...visibility });
    }
    return scene;
  }

  /** What a workflow's `secrets.DATABASE_API_KEY` is now. */
  stored(target = this.targets[0]): string {
    if (target === undefined) return '';
    return this.simulator.github.secret(target, SECRET)?.value ?? '';
  }

  /** The id of the key that the targets held at the start. */
  get first(): string {
    return this.valid()[0] ?? '';
  }

  /** The id that the next key gets. */
  get nextId(): string {
    const ids = this.simulator.account.keys.map(({ id }) => id);
    return String(ids.reduce((highest, id) => (id > highest ? id : highest)) + 1n);
  }

  /** Adds a key, `ageMs` old, of the rotation's name unless told otherwise. */
  addKey(ageMs: number, fields: Partial<KeyFields> = {}): string {
    const { simulator } = this;
    const createdAt = simulator.clock.now() - ageMs;
    const { id } = simulator.addKey(simulator.account, { name: KEY_NAME, createdAt, ...fields });
    return String(id);
  }

  /** How often a method was used on the keys, or, on GitHub's side, on secrets. */
  count(method: string, side: Point['side'] = 'service'): number {
    return this.points().filter((point) => point.side === side && point.what.startsWith(method))
      .length;
  }

  /** The ids of the valid keys of the name. */
  valid(): string[] {
    return this.simulator.account.keys
      .filter(({ name }) => name === KEY_NAME)
      .map(({ id }) => String(id));
  }

  /** Targets that hold a key which does not work. */
  lockedOut(): string[] {
    const valid = new Set(this.simulator.account.keys.map(({ key }) => key));
    return this.simulator.github
      .everyStored()
      .filter(({ value }) => !valid.has(value))
      .map(({ target }) => target);
  }

  /** Runs a rotation, main and post, and searches all that it left behind for keys and tokens. */
  async rotate(
    inputs: Record<string, string> = {},
    options: Partial<StepOptions> = {},
  ): Promise<StepResult> {
    const { simulator } = this;
    const { github } = simulator;
    const { nodeArgs = [], env = {}, ...rest } = options;
    const lapse = pathToFileURL(join(repository, 'harness/time-lapse.mjs')).href;
    this.#remember();
    // A key that comes and goes within the run must not be found either.
    const watch = simulator.faults.add({ acted: () => this.#remember() });
    const storing = this.targets.length > 0;
    const step = await runStep({
      inputs: {
        mode: 'rotate-key',
        'api-key': storing ? this.stored() : this.#value(this.first),
        'base-url': simulator.baseUrl,
        'key-name': KEY_NAME,
        ...(storing && {
          'secret-name': SECRET,
          'secret-targets': this.targets.join('\n'),
          'github-token': github.token,
        }),
        ...inputs,
      },
      nodeArgs: ['--import', lapse, ...nodeArgs],
      env: { TIME_LAPSE: String(SPEED), GITHUB_API_URL: github.apiUrl, ...env },
      killAfterMs: 20_000,
      onSpawn: (child) => {
        this.child = child;
      },
      ...rest,
    });
    watch.remove();
    this.#remember();
    if (step.hung) throw new Error('The step did not end by itself.');
    this.#searchForLeaks(step, [inputs['api-key'], inputs['github-token']]);
    if (step.exitCode !== null) checkOutputs(step);
    return step;
  }

  /** The new key may be in the outputs and the state, everything else nowhere. */
  #searchForLeaks(step: StepResult, given: readonly (string | undefined)[]): void {
    const created = step.outputs['api-key'] ?? '';
    const outputs = ['GITHUB_OUTPUT', 'GITHUB_STATE'];
    const known = [...this.#canaries, this.simulator.github.token, ...given];
    const others = known.filter((one): one is string => one !== undefined && one !== created);
    const leaks = [
      ...findLeaks({ canaries: others }, step),
      ...findLeaks({ canaries: [created], allowedFiles: outputs }, step),
    ];
    if (leaks.length > 0) throw new Error(`A secret leaked: ${JSON.stringify(leaks)}`);
  }

  #value(id: string): string {
    return this.simulator.account.keys.find((key) => String(key.id) === id)?.key ?? '';
  }

  /** Every value that a key ever had. */
  #remember(): void {
    for (const { key } of this.simulator.account.keys) this.#canaries.add(key);
  }

  /** The requests so far, in the order in which they came. */
  points(): Point[] {
    const numbered = (side: Point['side'], requests: Simulator['requests']) =>
      requests.map(({ realTime, method, path }, index) => ({
        realTime,
        side,
        nth: index + 1,
        what: `${method} ${path}`,
      }));
    return [
      ...numbered('service', this.simulator.requests),
      ...numbered('github', this.simulator.github.requests),
    ].sort((a, b) => a.realTime - b.realTime);
  }

  /** Puts a rule on one request. */
  disturb({ side, nth }: Point, rule: Omit<Rule, 'match'>): FaultHandle {
    const faults = side === 'service' ? this.simulator.faults : this.simulator.github.faults;
    return faults.add({ match: { nth }, ...rule });
  }

  /** Sends a signal to the running process, and waits until it is gone or has had the time to notice. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const noticed = new Promise((resolve) => setTimeout(resolve, signal === 'SIGKILL' ? 5000 : 25));
    await Promise.race([gone, noticed]);
  }

  /** Ends all disturbances, lets an hour pass, and rotates once more, undisturbed. */
  async rotateLater(): Promise<StepResult> {
    this.simulator.faults.clear();
    this.simulator.github.faults.clear();
    this.simulator.clock.advance(3_600_000);
    return this.rotate({ 'revoke-old': 'immediately' });
  }
}

const ID_LIST = /^\[(\d+(,\d+)*)?\]$/;

/** Every output is set at every end of the process, ids are numbers, and only what was done is green. */
function checkOutputs({ outputs, exitCode }: StepResult): void {
  const forms: Readonly<Record<string, RegExp>> = {
    result: exitCode === 0 ? /^(rotated|fresh|dry-run)$/ : /^failed$/,
    rotated: /^(true|false)$/,
    'api-key': /^(?!api-key is not set)/,
    'key-id': /^\d*$/,
    'revoked-key-ids': ID_LIST,
    'pending-key-ids': ID_LIST,
    'kept-key-ids': ID_LIST,
    'stored-in': /^\[.*\]$/,
  };
  for (const [name, form] of Object.entries(forms)) {
    match(outputs[name] ?? `${name} is not set`, form);
  }
  // One without the other is of no use to anybody.
  equal(outputs['api-key'] === '', outputs['key-id'] === '');
}
