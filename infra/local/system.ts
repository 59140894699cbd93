// A complete Penstock on one machine: PostgreSQL, metadata service, worker, web app, agents. `npm start` runs one; the end-to-end tests and
// the benchmarks run their own, in separate folders and on separate ports.
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyMigrations } from '@penstock/database';
import { type RootSecrets, secretsVariable } from '@penstock/platform';
import { freePort } from '@penstock/servers/free-port';
import { type PostgresServer, startPostgresServer } from '@penstock/servers/postgres-server';
import { type DemoCredentials, seedDemo } from '../../prisma/seed/demo.ts';
import { type AgentFacts, agentPlan, metadataPlan, type SystemFacts, webPlan, workerPlan } from './children.ts';
import { EMBEDDED_DATABASE, EMBEDDED_OWNER, ensureEmbeddedDatabase } from './embedded-database.ts';
import { ManagedProcess, type ProcessEvents, type ProcessPlan } from './managed-process.ts';
import { agentBinary } from './paths.ts';
import type { LocalPorts } from './ports.ts';
import { endLeftovers, ProcessLedger } from './process-ledger.ts';
import { localSecrets } from './secrets.ts';
import { LocalError, step } from './terminal.ts';

export interface AgentOptions {
  zone?: string;
  /** Default: a folder of this system, shared by all its agents. */
  bucket?: string;
  env?: Record<string, string>;
  /** The agent key. Default: the demo's. */
  agentKey?: string;
  clusterId?: string;
}

/** Before the system has started. */
const NO_KEYS: RootSecrets = [{ id: 1, secret: '' }];

/** Settings of an agent with message browsing for this machine. */
export const messageBrowserOnLoopback = {
  PENSTOCK_MESSAGE_BROWSER: 'true',
  PENSTOCK_MESSAGE_BROWSER_LISTEN: '127.0.0.1:0',
};

export interface SystemOptions {
  /** Folder for the system's data, logs and secrets. */
  home: string;
  /** Ports that are not set are free ones. */
  ports?: Partial<LocalPorts>;
  /** The caller's own PostgreSQL instead of an embedded one. */
  databaseUrl?: string | undefined;
  /** Whether to create the demo organization, which agents need. Default: in an embedded PostgreSQL only. */
  hasDemo?: boolean;
  metadataProcesses?: number;
  agents?: AgentOptions[];
  hasWeb?: boolean;
  hasWorker?: boolean;
  /** Additional settings of the web app and the worker. */
  controlPlaneEnv?: Record<string, string>;
  /** Additional settings of the metadata service. */
  metadataEnv?: Record<string, string>;
  /** Prints no progress when true. */
  isQuiet?: boolean;
  events: ProcessEvents & { onDatabaseDeath(lastLines: string): void };
}

export interface RunningAgent {
  process: ManagedProcess;
  /** host:port for Kafka clients. */
  bootstrap: string;
  /** Base URL of /metrics, /healthz and /readyz. */
  httpUrl: string;
}

export interface RunningMetadata {
  process: ManagedProcess;
  /** Base URL of the agents' RPCs. */
  url: string;
  /** Base URL of the control plane's RPCs. */
  adminUrl: string;
  /** Base URL of /metrics, /healthz and /readyz. */
  httpUrl: string;
}

export interface RunningSystem {
  /** URL of a superuser in the embedded PostgreSQL, for inspection; the caller's own URL otherwise. */
  databaseUrl: string;
  webUrl: string | undefined;
  metadata: RunningMetadata[];
  agents: RunningAgent[];
  /** Undefined in a system without one. */
  web: ManagedProcess | undefined;
  /** Undefined in a system without one. */
  worker: ManagedProcess | undefined;
  /** Undefined in a system without one. */
  demo: DemoCredentials | undefined;
  /** `id:secret`: signs calls to the metadata service's port for the control plane. */
  adminKeys: RootSecrets;
  /** Root of the keys for message browser tokens. */
  browseKeys: RootSecrets;
  startAgent(options?: AgentOptions): Promise<RunningAgent>;
  /** Stops everything in the order that loses nothing: agents, web, worker, metadata, PostgreSQL. */
  stop(): Promise<void>;
}

interface MetadataPorts {
  port: number;
  adminPort: number;
}

async function metadataPortsFrom(port: number): Promise<MetadataPorts> {
  return { port, adminPort: await freePort() };
}

function localUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** A system while it is started and stopped. */
class LocalSystem implements Omit<RunningSystem, 'databaseUrl'> {
  webUrl: string | undefined;
  metadata: RunningSystem['metadata'] = [];
  agents: RunningAgent[] = [];
  web: ManagedProcess | undefined;
  worker: ManagedProcess | undefined;
  demo: DemoCredentials | undefined;
  adminKeys: RootSecrets = NO_KEYS;
  browseKeys: RootSecrets = NO_KEYS;
  readonly #options: SystemOptions;
  readonly #ledger: ProcessLedger;
  #postgres: PostgresServer | undefined;
  #isStopping = false;
  #facts: SystemFacts | undefined;
  #agentsStarted = 0;

  constructor(options: SystemOptions) {
    this.#options = options;
    this.#ledger = new ProcessLedger(options.home);
  }

  /** @returns the URL of its database */
  async start(): Promise<string> {
    const { home, ports = {}, hasWeb = true, hasWorker = true, metadataProcesses = 1 } = this.#options;
    await mkdir(home, { recursive: true });
    // PostgreSQL's own account must be able to traverse this folder; secret files in it have their own mode.
    await chmod(home, 0o711);
    await endLeftovers(home);
    const secrets = await localSecrets(home);
    this.adminKeys = secretsVariable.parse(secrets.adminKeys);
    this.browseKeys = secretsVariable.parse(secrets.browseKeys);
    const isEmbedded = this.#options.databaseUrl === undefined;
    const { hasDemo = isEmbedded } = this.#options;
    const given = this.#options.databaseUrl;
    const { databaseUrl, ownerUrl } =
      given === undefined
        ? await this.#startPostgres(secrets.postgresPassword)
        : { databaseUrl: given, ownerUrl: given };
    await this.#step('Applying migrations', () => applyMigrations(ownerUrl));
    if (hasDemo) {
      this.demo = await this.#step('Preparing the demo organization', () => this.#prepareDemo(ownerUrl));
    }

    const first = await metadataPortsFrom(ports.metadata ?? (await freePort()));
    const others: MetadataPorts[] = [];
    while (others.length + 1 < metadataProcesses) {
      others.push(await metadataPortsFrom(await freePort()));
    }
    const webPort = ports.web ?? (await freePort());
    const facts: SystemFacts = {
      home,
      databaseUrl: ownerUrl,
      secrets,
      isEmbedded,
      metadataUrls: [localUrl(first.port), ...others.map(({ port }) => localUrl(port))],
      adminUrls: [first, ...others].map(({ adminPort }) => localUrl(adminPort)),
      webUrl: `http://localhost:${webPort}`,
      controlPlaneEnv: this.#options.controlPlaneEnv ?? {},
      metadataEnv: this.#options.metadataEnv ?? {},
    };
    this.#facts = facts;
    await this.#step('Starting the metadata service', async () => {
      for (const [index, { port, adminPort }] of [first, ...others].entries()) {
        const httpPort = await freePort();
        const process = await this.#run(metadataPlan(facts, index, { port, adminPort, httpPort }));
        const [url, adminUrl, httpUrl] = [localUrl(port), localUrl(adminPort), localUrl(httpPort)];
        this.metadata.push({ process, url, adminUrl, httpUrl });
      }
    });
    await this.#step('Starting the other parts', () =>
      Promise.all([
        hasWorker ? this.#startWorker(facts) : undefined,
        hasWeb ? this.#startWeb(facts, webPort) : undefined,
        this.#startFirstAgents(),
      ]),
    );
    return databaseUrl;
  }

  /** The demo's secrets are random and shown nowhere else, so they are stored in a file of this folder. */
  async #prepareDemo(databaseUrl: string): Promise<DemoCredentials> {
    const file = join(this.#options.home, 'demo.json');
    const known = await readFile(file, 'utf8').then(
      (text) => JSON.parse(text) as DemoCredentials,
      () => undefined,
    );
    const demo = await seedDemo(databaseUrl, known);
    await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
    await chmod(file, 0o600);
    return demo;
  }

  /** @returns the URLs of the database, for its server's administrator and for its owner */
  async #startPostgres(password: string): Promise<{ databaseUrl: string; ownerUrl: string }> {
    const { home, ports = {}, events } = this.#options;
    const logFile = join(home, 'logs', 'postgres.log');
    const dataDir = join(home, 'postgres');
    const isNew = !existsSync(join(dataDir, 'PG_VERSION'));
    const server = await this.#step(isNew ? 'Creating the database server' : 'Starting the database server', async () =>
      startPostgresServer({
        dataDir,
        port: ports.postgres ?? (await freePort()),
        password,
        logFile,
        settings: { max_connections: '200', max_wal_size: '2GB' },
      }),
    );
    this.#postgres = server;
    void server.exited.then(() => {
      if (!this.#isStopping) {
        events.onDatabaseDeath(`see ${logFile}`);
      }
    });
    await ensureEmbeddedDatabase(server.url('postgres'), password);
    const databaseUrl = server.url(EMBEDDED_DATABASE);
    const ownerUrl = new URL(databaseUrl);
    ownerUrl.username = EMBEDDED_OWNER;
    return { databaseUrl, ownerUrl: ownerUrl.href };
  }

  #step<T>(what: string, work: () => Promise<T>): Promise<T> {
    return this.#options.isQuiet === true ? work() : step(what, work);
  }

  async #run(plan: ProcessPlan): Promise<ManagedProcess> {
    const process = new ManagedProcess(plan, this.#ledger, this.#options.events);
    try {
      await process.start();
    } catch (cause) {
      await process.stop();
      throw new LocalError((cause as Error).message, `The whole log: ${plan.logFile}`, { cause });
    }
    return process;
  }

  async #startWorker(facts: SystemFacts): Promise<void> {
    this.worker = await this.#run(workerPlan(facts, await freePort()));
  }

  async #startWeb(facts: SystemFacts, port: number): Promise<void> {
    this.web = await this.#run(webPlan(facts, port));
    this.webUrl = facts.webUrl;
  }

  async #startFirstAgents(): Promise<void> {
    const { agents = [{}], ports = {} } = this.#options;
    if (this.demo === undefined) {
      return;
    }
    for (const [index, agent] of agents.entries()) {
      await this.#startAgent(agent, index === 0 ? ports : {});
    }
  }

  startAgent(options: AgentOptions = {}): Promise<RunningAgent> {
    return this.#startAgent(options, {});
  }

  async #startAgent(options: AgentOptions, ports: Partial<LocalPorts>): Promise<RunningAgent> {
    const facts = this.#facts;
    const agentKey = options.agentKey ?? this.demo?.agentKey;
    const clusterId = options.clusterId ?? this.demo?.clusterId;
    if (facts === undefined || agentKey === undefined || clusterId === undefined) {
      throw new Error('An agent needs a key and a cluster, and the system has to have been started');
    }
    if (!existsSync(agentBinary)) {
      throw new LocalError('The agent has not been built.', 'Run: cargo build --release (in apps/agent)');
    }
    const objects = join(this.#options.home, 'objects');
    await mkdir(objects, { recursive: true });
    this.#agentsStarted += 1;
    const agent: AgentFacts = {
      name: this.#agentsStarted === 1 ? 'agent' : `agent-${this.#agentsStarted}`,
      agentKey,
      clusterId,
      kafkaPort: ports.kafka ?? (await freePort()),
      httpPort: ports.agentHttp ?? (await freePort()),
      // For trials on one machine: fast, but a power cut may lose the last records.
      bucket: options.bucket ?? `file://${objects}?fsync=false`,
      zone: options.zone,
      env: options.env ?? {},
    };
    const running: RunningAgent = {
      process: await this.#run(agentPlan(facts, agent)),
      bootstrap: `127.0.0.1:${agent.kafkaPort}`,
      httpUrl: `http://127.0.0.1:${agent.httpPort}`,
    };
    this.agents.push(running);
    return running;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.agents.map((agent) => agent.process.stop()));
    await this.web?.stop();
    await this.worker?.stop();
    await Promise.all(this.metadata.map(({ process }) => process.stop()));
    await this.#postgres?.stop();
    // The caller may remove the folder now.
    await this.#ledger.settled();
  }
}

/** Starts a system and resolves when all parts are ready. If one part fails, the started ones are stopped. */
export async function startSystem(options: SystemOptions): Promise<RunningSystem> {
  const system = new LocalSystem(options);
  try {
    const databaseUrl = await system.start();
    return Object.assign(system, { databaseUrl });
  } catch (error) {
    await system.stop();
    throw error;
  }
}
