import { runStep } from '../harness/run-step.ts';
import { type Simulator, startSimulator } from '../simulator/server.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The job summaries to draw, each from the real bundle against the simulator. */
export const scenes: Readonly<Record<string, () => Promise<string>>> = {
  wait: () => withSimulator((simulator) => waiting(simulator, {})),
  'failed-wait': () =>
    withSimulator((simulator) =>
      waiting(simulator, { error: 'no compute capacity in aws-eu-central-1' }),
    ),
  rotation: () => withSimulator(rotating),
  listing: () => withSimulator(listing),
};

async function withSimulator(play: (simulator: Simulator) => Promise<string>): Promise<string> {
  const simulator = await startSimulator();
  try {
    return await play(simulator);
  } finally {
    await simulator.close();
  }
}

async function step(simulator: Simulator, inputs: Record<string, string>): Promise<string> {
  const { summary } = await runStep({
    inputs: { 'api-key': simulator.apiKey, 'base-url': simulator.baseUrl, ...inputs },
    env: { GITHUB_API_URL: simulator.github.apiUrl },
  });
  return summary;
}

/** A branch for a preview and one for tests: created, started, configured. */
async function waiting(simulator: Simulator, { error }: { error?: string }): Promise<string> {
  const { id: projectId } = simulator.addProject({ id: 'aged-salad-686906' });
  const begin = simulator.clock.now();
  for (const [branchId, action, after, schedulingMs, runningMs] of [
    ['br-cool-darkness-a1b2c3d4', 'create_branch', 0, 300, 900],
    ['br-late-mud-e5f6a7b8', 'create_branch', 400, 300, 1100],
    ['br-cool-darkness-a1b2c3d4', 'start_compute', 1200, 700, 2600],
    ['br-late-mud-e5f6a7b8', 'start_compute', 1800, 400, 2100],
    ['br-cool-darkness-a1b2c3d4', 'apply_config', 4500, 200, 1400],
  ] as const) {
    const fails =
      error !== undefined && branchId === 'br-late-mud-e5f6a7b8' && action === 'start_compute';
    simulator.addOperation({
      projectId,
      branchId,
      action,
      createdAt: begin + after,
      schedulingMs,
      runningMs,
      ...(fails ? { outcome: 'failed', error } : {}),
    });
  }
  return step(simulator, {
    mode: 'wait-operations',
    'project-id': projectId,
    'require-actions': 'create_branch, start_compute, apply_config',
    timeout: '1m',
  });
}

async function rotating(simulator: Simulator): Promise<string> {
  const { github, account, clock } = simulator;
  github.addRepository('octo-org/shop', { environments: ['production'] });
  const name = 'octo-org/shop/deploy';
  const [oldest, previous] = [61, 31].map((days) =>
    simulator.addKey(account, { name, createdAt: clock.now() - days * DAY }),
  );
  const targets = ['repository:octo-org/shop', 'environment:octo-org/shop/production'];
  const written = { updatedAt: clock.now() - 31 * DAY };
  for (const target of targets)
    github.putSecret(target, 'DATABASE_API_KEY', previous?.key ?? oldest?.key ?? '', written);
  return step(simulator, {
    mode: 'rotate-key',
    'api-key': previous?.key ?? '',
    'key-name': name,
    'keep-previous': '1',
    'secret-name': 'DATABASE_API_KEY',
    'secret-targets': targets.join('\n'),
    'github-token': github.token,
  });
}

async function listing(simulator: Simulator): Promise<string> {
  const days = (count: number): string =>
    new Date(simulator.clock.now() - count * DAY).toISOString();
  const gib = (size: number) => ({ branch_logical_size_limit_bytes: size * 1024 ** 3 });
  for (const [id, name, region, version, hours, size, age] of [
    ['aged-salad-686906', 'shop', 'aws-eu-central-1', 17, 1204.2, 200, 812],
    ['winter-boat-259881', 'shop-staging', 'aws-eu-central-1', 17, 96.4, 10, 640],
    ['quiet-sea-12345678', 'billing', 'aws-us-east-2', 16, 311.9, 50, 498],
    ['polished-fog-40281133', 'search', 'azure-gwc', 16, 42.1, 50, 121],
    ['little-leaf-77120915', 'Größen & Maße', 'aws-us-east-2', 17, 0.03, 10, 6],
    ['old-archive-00112233', 'archive', 'aws-us-east-2', 14, 3.5, 10, 1400],
  ] as const)
    simulator.addProject({
      id,
      name,
      region_id: region,
      pg_version: version,
      cpu_used_sec: Math.round(hours * 3600),
      created_at: days(age),
      ...gib(size),
    });
  return step(simulator, { mode: 'list-projects', 'project-name': '!archive' });
}
