// The environment for the documentation's commands: a complete Penstock, an Apache Kafka to migrate from, and Kafka's tools under their own
// names.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentKey } from '@penstock/clusters';
import { freePort } from '@penstock/servers/free-port';
import type { Fence } from '../../../infra/docs/fences.ts';
import { type KafkaBroker, startKafkaBroker } from '../../../infra/local/kafka-broker.ts';
import { agentBinary, root } from '../../../infra/local/paths.ts';
import { inDemoOrganization } from './accounts.ts';
import { createDemoApiKey } from './api-keys.ts';
import { commandLine, kafkaTools } from './java-tools.ts';
import { run } from './run.ts';
import { startTestSystem, type TestSystem } from './system.ts';
import { createTopic } from './topics.ts';

const SOURCE_RECORDS = 50;
/** Only for hangs: several pages run in parallel, each command may be a JVM, and the machine may be busy. */
const COMMAND_TIMEOUT_MS = 180_000;
/** Placeholders that a page leaves to its reader. None may be left before a command runs. */
const placeholder = /YOUR_|psk_\w+_YOUR|example\.com|ORGANIZATION_ID|file:\/\/\/tmp\/penstock/;

const agent = {
  zone: 'zone-a',
  env: { PENSTOCK_MESSAGE_BROWSER: 'true', PENSTOCK_MESSAGE_BROWSER_LISTEN: '127.0.0.1:0' },
};

export class DocsStand {
  readonly system: TestSystem;
  readonly #folder: string;
  readonly #source: KafkaBroker;
  readonly #apiKey: string;
  readonly #values: [string, string][];
  readonly #endless: ChildProcess[] = [];

  private constructor(folder: string, system: TestSystem, source: KafkaBroker, apiKey: string, ownAgentPort: number) {
    this.system = system;
    this.#folder = folder;
    this.#source = source;
    this.#apiKey = apiKey;
    const [first] = system.agents;
    this.#values = [
      // The reader's own agent comes first: in other examples the same address is the agent that already runs.
      ['--listen 127.0.0.1:9092', `--listen 127.0.0.1:${ownAgentPort}`],
      ['localhost:9092', `127.0.0.1:${ownAgentPort}`],
      ['127.0.0.1:9092', first?.bootstrap ?? ''],
      ['http://127.0.0.1:9464', first?.httpUrl ?? ''],
      ['https://metadata.example.com', system.metadata[0]?.url ?? ''],
      ['https://penstock.example.com', system.webUrl ?? ''],
      ['kafka-1.example.com:9092', source.bootstrap],
      ['file:///tmp/penstock', `file://${join(folder, 'objects')}`],
      ['psk_api_YOUR_KEY', apiKey],
      ['ORGANIZATION_ID', system.demo?.organizationId ?? ''],
      ['2026-11', new Date().toISOString().slice(0, 7)],
    ];
  }

  static async start(): Promise<DocsStand> {
    const folder = await mkdtemp(join(tmpdir(), 'docs-of-penstock-'));
    const [system, source] = await Promise.all([
      startTestSystem({ hasWeb: true, hasWorker: true, agents: [agent] }),
      startKafkaBroker(join(folder, 'kafka'), '256m').then(async (broker) => {
        await fillSource(broker.bootstrap);
        return broker;
      }),
      writeTools(join(folder, 'bin')),
    ]);
    const apiKey = await createDemoApiKey(system, { name: 'docs' });
    return new DocsStand(folder, system, source, apiKey, await freePort());
  }

  async stop(): Promise<void> {
    await Promise.all(this.#endless.map(endGroup));
    await Promise.all([this.system.stop(), this.#source.stop()]);
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** A cluster that a command has created: from now on it is the reader's own, with a key for its agent. */
  async adoptCluster(clusterId: string): Promise<void> {
    const { plaintext } = await inDemoOrganization(this.system, (scope) =>
      createAgentKey(scope, { clusterId, name: 'docs' }),
    );
    this.#values.push(['YOUR_CLUSTER_ID', clusterId], ['psk_agent_YOUR_KEY', plaintext]);
  }

  /** The block with values filled in. @throws Error when a placeholder is left */
  fill({ page, line, code }: Fence): string {
    const filled = this.#values.reduce((text, [from, to]) => text.replaceAll(from, to), code);
    const left = placeholder.exec(filled);
    if (left !== null) {
      throw new Error(`${page}:${line} has a placeholder that nobody fills: ${left[0]}`);
    }
    return filled;
  }

  /** Saves a file under the name that the page gives it. */
  async keep(fence: Fence): Promise<void> {
    await writeFile(join(this.#folder, fence.meta['title'] ?? ''), this.fill(fence));
  }

  /** Runs a block as a reader would, and returns its output. @throws Error with its output when it fails */
  run(fence: Fence): Promise<string> {
    return run('bash', ['-euo', 'pipefail', '-c', this.#inPlace(fence)], {
      env: this.#environment(),
      timeout_ms: COMMAND_TIMEOUT_MS,
    });
  }

  /** Starts a block that runs until `stop`. */
  startEndless(fence: Fence): void {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', this.#inPlace(fence)], {
      env: { ...process.env, ...this.#environment() },
      stdio: 'ignore',
      // Its own process group, because the shell does not forward signals.
      detached: true,
    });
    this.#endless.push(child);
  }

  #inPlace(fence: Fence): string {
    const folder = fence.meta['title']?.includes('in the repository') === true ? root : this.#folder;
    return `cd '${folder}'\n${this.fill(fence)}`;
  }

  #environment(): Record<string, string> {
    return {
      PATH: `${join(this.#folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      XDG_CONFIG_HOME: this.#folder,
      DATABASE_URL: this.system.databaseUrl,
      PENSTOCK_URL: this.system.webUrl ?? '',
      PENSTOCK_API_KEY: this.#apiKey,
      PENSTOCK_CLUSTER: this.system.demo?.clusterId ?? '',
      // The reader's own agent uses its default port for this; here another test may have taken it.
      PENSTOCK_HTTP_LISTEN: '127.0.0.1:0',
    };
  }
}

/** Sends SIGTERM to a shell and what it runs. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) {
    return;
  }
  const exited = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await exited;
}

/** The topic and the group that the migration page uses. */
async function fillSource(bootstrap: string): Promise<void> {
  await createTopic(bootstrap, 'orders', 1);
  const lines = Array.from({ length: SOURCE_RECORDS }, (_, index) => `order ${index}\n`).join('');
  await run('kcat', ['-P', '-b', bootstrap, '-t', 'orders'], { input: lines });
  const read = [
    '-b',
    bootstrap,
    '-G',
    'billing',
    'orders',
    '-X',
    'auto.offset.reset=earliest',
    '-c',
    String(SOURCE_RECORDS),
  ];
  await run('kcat', [...read, '-q']);
}

/** Kafka's tools under their distribution's names, and our own program. */
async function writeTools(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await symlink(agentBinary, join(folder, 'penstock'));
  for (const tool of kafkaTools) {
    const file = join(folder, `${tool}.sh`);
    const quoted = (await commandLine(tool, [])).map((word) => `'${word}'`).join(' ');
    await writeFile(file, `#!/bin/sh\nexec java ${quoted} "$@"\n`);
    await chmod(file, 0o755);
  }
}
