import { runMain, type StepOptions } from '../../harness/run-step.ts';
import { type Simulator, startSimulator } from '../../simulator/server.ts';

export interface RotationFigures {
  readonly targets: number;
  readonly toService: number;
  readonly toGitHub: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

const KEY_NAME = 'octo-org/shop/deploy';
const SECRET = 'DATABASE_API_KEY';
const DAY_MS = 86_400_000;

/** One rotation of a key that lies in so many repositories' secrets, the old one revoked at once. */
export async function measureRotation(targets: readonly number[]): Promise<RotationFigures[]> {
  const figures: RotationFigures[] = [];
  for (const count of targets) figures.push(await rotate(count));
  return figures;
}

async function rotate(count: number): Promise<RotationFigures> {
  const simulator = await startSimulator();
  try {
    const options = rotationOf(simulator, count);
    const step = await runMain({ ...options, measure: true, killAfterMs: 120_000 });
    if (step.outputs.result !== 'rotated') throw new Error(step.log.join('\n'));
    return {
      targets: count,
      toService: simulator.requests.length,
      toGitHub: simulator.github.requests.length,
      seconds: step.durationMs / 1000,
      cpuSeconds: ((step.userCpuMs ?? Number.NaN) + (step.systemCpuMs ?? Number.NaN)) / 1000,
      peakMiB: (step.maxRssKb ?? Number.NaN) / 1024,
    };
  } finally {
    await simulator.close();
  }
}

/** A step that rotates a key which lies in the secrets of `count` repositories. */
export function rotationOf(simulator: Simulator, count: number): StepOptions {
  const { github } = simulator;
  const createdAt = Date.now() - 40 * DAY_MS;
  const old = simulator.addKey(simulator.account, { name: KEY_NAME, createdAt });
  const targets = Array.from({ length: count }, (_, index) => {
    github.addRepository(`octo-org/shop-${index}`);
    const target = `repository:octo-org/shop-${index}`;
    github.putSecret(target, SECRET, old.key, { updatedAt: createdAt });
    return target;
  });
  return {
    inputs: {
      mode: 'rotate-key',
      'api-key': old.key,
      'base-url': simulator.baseUrl,
      'key-name': KEY_NAME,
      'secret-name': SECRET,
      'secret-targets': targets.join('\n'),
      'github-token': github.token,
    },
    env: { GITHUB_API_URL: github.apiUrl },
    masks: [old.key, github.token],
  };
}
