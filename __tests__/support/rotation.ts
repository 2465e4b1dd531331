import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findLeaks } from '../../harness/leaks.ts';
import { repository } from '../../harness/paths.ts';
import { runStep, type StepOptions, type StepResult } from '../../harness/run-step.ts';
import {
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
const DAY = 86_400_000;
/** How many times as fast as usual a step's time runs: pauses and patience take no real time. */
const SPEED = 20;

/** A request of a run: which server it went to, and its number there, from 1. */
export interface Point {
  readonly side: 'service' | 'github';
  readonly nth: number;
  readonly what: string;
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

  /** @param targets how many of {@link TARGETS} are in play */
  static async start(targets: number, options: SimulatorOptions = {}): Promise<RotationScene> {
    const simulator = await startSimulator({ clock: machineClock(), ...options });
    const { github } = simulator;
    github.addRepository('octo-org/shop', { environments: ['production'] });
    github.addOrganization('octo-org', { repositories: ['shop'] });
    const scene = new RotationScene(simulator, TARGETS.slice(0, targets));
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
    const step = await runStep({
      inputs: {
        mode: 'rotate-key',
        'api-key': this.stored(),
        'base-url': simulator.baseUrl,
        'key-name': KEY_NAME,
        'secret-name': SECRET,
        'secret-targets': this.targets.join('\n'),
        'github-token': github.token,
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
    this.#remember();
    const canaries = [...this.#canaries, github.token];
    const allowedFiles = ['GITHUB_OUTPUT', 'GITHUB_STATE'];
    const leaks = findLeaks({ canaries, allowedFiles }, step);
    if (leaks.length > 0) throw new Error(`A secret leaked: ${JSON.stringify(leaks)}`);
    if (step.hung) throw new Error('The step did not end by itself.');
    return step;
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
  disturb({ side, nth }: Point, rule: Omit<Rule, 'match'>): void {
    const faults = side === 'service' ? this.simulator.faults : this.simulator.github.faults;
    faults.add({ match: { nth }, ...rule });
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
