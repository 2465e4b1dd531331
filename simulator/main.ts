import { parseArgs } from 'node:util';
import { type Simulator, startSimulator } from './server.ts';
import type { SettingsChange } from './settings.ts';

const help = `The control API on your own machine, without an account.

  npm run simulator -- [--port 8080] [--running-ms 3000] …

  --port NUMBER           listen on this port of 127.0.0.1 (default: 8080; 0: any free one)
  --api-key KEY           accept this key (default: a new one)
  --project-id ID         the id of the project that is there at the start (default: demo-project)
  --scheduling-ms NUMBER  how long an operation is scheduling (default: 500)
  --running-ms NUMBER     how long it then runs (default: 3000)
  --fail ACTION           operations of this action fail; may be repeated
  --help                  this text
`;

interface Command {
  port: number;
  apiKey: string | undefined;
  projectId: string;
  settings: SettingsChange;
}

/** @throws Error that says which flag is wrong */
function readFlags(args: string[]): Command | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '8080' },
      'api-key': { type: 'string' },
      'project-id': { type: 'string', default: 'demo-project' },
      'scheduling-ms': { type: 'string', default: '500' },
      'running-ms': { type: 'string', default: '3000' },
      fail: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const projectId = values['project-id'];
  if (!/^[a-z0-9-]{1,60}$/.test(projectId)) {
    throw new Error(`--project-id is up to 60 of a-z, 0-9 and "-", not "${projectId}"`);
  }
  return {
    port: readNumber('port', values.port, 65_535),
    apiKey: values['api-key'],
    projectId,
    settings: {
      durations: {
        schedulingMs: readNumber('scheduling-ms', values['scheduling-ms']),
        runningMs: readNumber('running-ms', values['running-ms']),
      },
      outcomes: Object.fromEntries(values.fail.map((action) => [action, { outcome: 'failed' }])),
    },
  };
}

function readNumber(flag: string, text: string, max = 1e9): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= max))
    throw new Error(`--${flag} is a whole number from 0 to ${max}, not "${text}"`);
  return value;
}

function usage({ baseUrl, adminUrl, apiKey, github }: Simulator, projectId: string): string {
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`;
  return `The control API listens. Ctrl-C stops it.

  base URL    ${baseUrl}
  API key     ${apiKey}
  project     ${projectId}
  GitHub API  ${github.apiUrl} (token ${github.token}, repository octo-org/octo-repo)

List its operations:
  curl -s ${authorization} '${baseUrl}/projects/${projectId}/operations'

Create a branch:
  curl -s ${authorization} -X POST '${baseUrl}/projects/${projectId}/branches'

Answer the next three requests with 503:
  curl -s '${adminUrl}/faults' -d '{"match":{"times":3},"fault":{"kind":"status","status":503}}'

More controls:
  curl -s '${adminUrl}'
`;
}

async function main(): Promise<void> {
  const command = readFlags(process.argv.slice(2));
  if (command === 'help') {
    process.stdout.write(help);
    return;
  }
  const { port, apiKey, projectId, settings } = command;
  const simulator = await startSimulator({
    port,
    ...(apiKey && { apiKey }),
    ...settings,
    seed: (started) => {
      started.addProject({ id: projectId, name: 'demo' });
      started.addOperation({
        projectId,
        action: 'create_timeline',
        createdAt: started.clock.now() - 60_000,
      });
    },
  });
  process.stdout.write(usage(simulator, projectId));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void simulator.close());
  }
}

try {
  await main();
} catch (error) {
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const reason = isTaken ? 'the port is in use; choose another with --port' : String(error);
  process.stderr.write(`${reason.replace(/^(Type)?Error( \[\w+\])?: /, '')}\nSee --help.\n`);
  process.exitCode = 1;
}
