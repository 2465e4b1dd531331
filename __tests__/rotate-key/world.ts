import type { ListedKey } from '../../src/rotate-key/generations.ts';
import { revokeAll } from '../../src/rotate-key/revocation.ts';
import { type RotationEnd, type RotationOrder, rotation } from '../../src/rotate-key/rotation.ts';
import type { AnyAnswer, Fault, Script, Step } from '../../src/rotate-key/steps.ts';

export const NAME = 'octo-org/octo-repo/deploy';
const LATEST_STORE_MS = 5 * 60_000;

/** What befalls one step: it happens; it does not; its answer is lost, before or after it happened. */
export type Luck = 'ok' | 'refused' | 'lost-before' | 'lost-after';

interface Key {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  valid: boolean;
}

/** The account and the stores, as simple as the contract allows: what a rotation must not break. */
export class World {
  now = 100 * 86_400_000;
  readonly keys: Key[] = [];
  /** Which key each target holds; undefined: no secret yet. */
  readonly targets: { holds: string | undefined; writtenAt: number }[] = [];

  addKey(name: string, ageMs = 0): Key {
    const id = String(this.keys.length + 1);
    const key = { id, name, createdAt: this.now - ageMs, valid: true };
    this.keys.push(key);
    return key;
  }

  isValid(id: string | undefined): boolean {
    return this.keys.some((key) => key.id === id && key.valid);
  }

  valid(): string[] {
    return this.keys.filter((key) => key.valid && key.name === NAME).map(({ id }) => id);
  }

  /** Targets whose stored key does not work: nobody who uses them gets in. */
  lockedOut(): number[] {
    return this.targets.flatMap(({ holds }, index) =>
      holds !== undefined && !this.isValid(holds) ? [index] : [],
    );
  }
}

/** One run of a rotation, performed step by step in a world. */
export class Run {
  readonly #world: World;
  readonly #order: RotationOrder;
  /** The key that the workflow passes: what the first target held when the job began. */
  readonly #caller: string;
  readonly #broken: string | undefined;
  #script: Script<RotationEnd> | Script<unknown>;
  #step: Step | undefined;
  #created: Key | undefined;
  #inPost = false;
  end: RotationEnd | undefined;

  /** @param broken a rule that this run does not keep, to see that the model notices */
  constructor(world: World, order: RotationOrder, caller: string, broken?: string) {
    this.#world = world;
    this.#broken = broken;
    this.#order = order;
    this.#caller = caller;
    this.#script = rotation(order);
    this.#advance(this.#script.next());
  }

  get isOver(): boolean {
    return this.#step === undefined;
  }

  /** The runner kills the process: nothing more happens. */
  kill(): void {
    this.#step = undefined;
  }

  /** Performs the next step and hands its answer to the script. */
  go(luck: Luck): void {
    if (this.#step === undefined) return;
    this.#advance(this.#script.next(this.#perform(this.#step, luck)));
  }

  #advance(next: IteratorResult<Step, unknown>): void {
    this.#step = next.done ? undefined : next.value;
    if (!next.done) return;
    if (this.#inPost) return;
    this.end = next.value as RotationEnd;
    const { pending, updatedAt, result } = this.end;
    if (result !== 'rotated' || this.#order.revokeOld !== 'after-job') return;
    this.#inPost = true;
    this.#script = revokeAll(pending, updatedAt);
    this.#advance(this.#script.next());
  }

  #perform(step: Step, luck: Luck): AnyAnswer {
    if (luck === 'refused') return fault('refused');
    if (luck === 'lost-before') return fault(isWrite(step) ? 'lost' : 'refused');
    const answer = this.#act(step);
    if (luck === 'ok' || 'fault' in answer) return answer;
    return fault(isWrite(step) ? 'lost' : 'refused');
  }

  #listed({ id, name, createdAt }: Key): ListedKey {
    // Without the rule every other key seems an hour older than it is; the new one's own age is right.
    const tooOld = this.#broken === 'young' && id !== this.#created?.id ? 60 * 60_000 : 0;
    return { id, name, ageMs: this.#world.now - createdAt + tooOld };
  }

  #act(step: Step): AnyAnswer {
    const world = this.#world;
    const actor = 'as' in step && step.as === 'new' ? this.#created?.id : this.#caller;
    const needsKey = step.do === 'list' || step.do === 'create' || step.do === 'revoke';
    if (needsKey && !world.isValid(actor)) return fault('unauthorized');
    switch (step.do) {
      case 'list':
        return { keys: world.keys.filter((key) => key.valid).map((key) => this.#listed(key)) };
      case 'create':
        this.#created = world.addKey(this.#order.keyName);
        return { id: this.#created.id };
      case 'revoke': {
        const key = world.keys.find(({ id, valid }) => id === step.id && valid);
        if (key === undefined) return fault('gone');
        key.valid = false;
        return { revoked: true };
      }
      case 'look-at': {
        const target = world.targets[step.target];
        if (target === undefined) throw new Error('no such target');
        const age = world.now - target.writtenAt;
        return { secretAgeMs: target.holds === undefined ? undefined : age };
      }
      case 'store': {
        const target = world.targets[step.target];
        if (target === undefined || this.#created === undefined)
          throw new Error('nothing to store');
        const isLate = world.now - this.#created.createdAt > LATEST_STORE_MS;
        if (isLate && this.#broken !== 'late-store') return fault('refused');
        target.holds = this.#created.id;
        target.writtenAt = world.now;
        return {};
      }
      case 'read':
        // GitHub tells whole seconds.
        return {
          place: `target ${step.target}`,
          updatedAt: String(Math.floor((world.targets[step.target]?.writtenAt ?? 0) / 1000)),
        };
    }
  }
}

function isWrite({ do: what }: Step): boolean {
  return what === 'create' || what === 'store' || what === 'revoke';
}

function fault(kind: Fault['fault']): Fault {
  return { fault: kind, message: `It was ${kind}.` };
}
