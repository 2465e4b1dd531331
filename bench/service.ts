import type { Simulator } from '../simulator/server.ts';
import type { Work } from './mix.ts';

/** Operations that a step waits for. */
export interface Job {
  readonly simulator: Simulator;
  readonly projectId: string;
  /** As the creating request was answered. */
  readonly operations: readonly { readonly id: string }[];
  /** When the last one ends, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** Starts the operations of `work` in a project of their own, each beginning where the one before ends. */
export function startWork(
  simulator: Simulator,
  work: Work,
  outcome: 'finished' | 'failed' = 'finished',
): Job {
  const { id: projectId } = simulator.addProject();
  const createdAt = Date.now() - work.age * 1000;
  const operations = work.ends.map((end, index) => {
    const begin = work.ends[index - 1] ?? 0;
    const operation = simulator.addOperation({
      projectId,
      action: work.ends.length === 1 ? 'apply_config' : (PAIR[index] ?? 'apply_config'),
      createdAt,
      schedulingMs: begin * 1000,
      runningMs: (end - begin) * 1000,
      outcome,
    });
    return { ...operation.toJSON(), status: index === 0 ? 'running' : 'scheduling' };
  });
  return {
    simulator,
    projectId,
    operations,
    endsAt: createdAt + Math.max(...work.ends) * 1000,
  };
}

const PAIR = ['create_branch', 'start_compute'];

/** `count` operations that run at the same time and end together, one a millisecond, after `seconds`. */
export function startMany(simulator: Simulator, count: number, seconds: number, projects = 1): Job {
  const createdAt = Date.now();
  const ids = Array.from({ length: projects }, () => simulator.addProject().id);
  const operations = Array.from({ length: count }, (_, index) =>
    simulator
      .addOperation({
        projectId: ids[index % projects] ?? '',
        action: 'apply_config',
        createdAt: createdAt - index,
        schedulingMs: 0,
        runningMs: seconds * 1000 + index,
      })
      .toJSON(),
  );
  return { simulator, projectId: ids[0] ?? '', operations, endsAt: createdAt + seconds * 1000 };
}
