// The servers under load: an agent with everything it needs on this machine, or one Apache Kafka broker.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startKafkaBroker } from '../../../infra/local/kafka-broker.ts';
import { type AgentOptions, type RunningAgent, type RunningSystem, startSystem } from '../../../infra/local/system.ts';
import type { S3Server } from '../../clients/support/s3-server.ts';
import type { ObjectRequests, Server } from './agent-load.ts';

/** Reads the agent's counters by their names without prefix and suffix. */
async function counters(httpUrl: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${httpUrl}/metrics`)).text();
  return (name) => {
    const value = new RegExp(`^penstock_agent_${name}_total (\\S+)`, 'm').exec(text)?.[1];
    if (value === undefined) {
      throw new Error(`The agent's metrics have no ${name}`);
    }
    return Number(value);
  };
}

export async function objectRequests({ httpUrl }: RunningAgent): Promise<ObjectRequests> {
  const read = await counters(httpUrl);
  return {
    puts: read('object_puts'),
    gets: read('object_gets'),
    landingPuts: read('landing_puts'),
    landingGets: read('landing_gets'),
    landingFallbacks: read('landing_fallbacks'),
  };
}

/** Merge jobs that an agent has completed so far, and the bytes that they read and wrote. */
export async function completedJobs({
  httpUrl,
}: RunningAgent): Promise<{ jobs: number; read: number; written: number }> {
  const read = await counters(httpUrl);
  return { jobs: read('jobs_done'), read: read('job_read_bytes'), written: read('job_written_bytes') };
}

/** Returns the bytes that an agent has received from producers and sent to consumers so far. */
export async function servedTraffic({
  httpUrl,
}: RunningAgent): Promise<{ producedRecords: number; fetchedBytes: number }> {
  const read = await counters(httpUrl);
  return { producedRecords: read('produced_records'), fetchedBytes: read('fetched_bytes') };
}

/** @throws Error if it is not running */
export function processId({ process }: RunningAgent): number {
  if (process.pid === undefined) {
    throw new Error('The agent does not run');
  }
  return process.pid;
}

/** Options of the system. */
export interface SystemChoice {
  /** Mode of the cluster. Default: standard. */
  mode?: 'low-latency';
  metadataEnv?: Record<string, string>;
  /** Instead of local storage. */
  s3?: S3Server;
  /** Additional settings of the agent. */
  agentEnv?: Record<string, string>;
}

/** An agent for clients or for jobs alone, so that its CPU time is for these alone; on local storage without an S3 server. */
export function agentOptions(
  roles: 'produce,consume' | 'jobs',
  { s3, agentEnv = {} }: Pick<SystemChoice, 's3' | 'agentEnv'> = {},
): AgentOptions {
  const { env, ...rest } = s3?.forAgents() ?? {};
  return { ...rest, env: { ...env, PENSTOCK_ROLES: roles, ...agentEnv } };
}

/**
 * Runs `work` against an agent of a separate system, in a folder that is removed afterwards. The agent only serves clients; merging needs
 * another agent.
 * @throws Error if any part of the system exited meanwhile, which invalidates the measurement
 */
export async function withPenstock<T>(
  work: (server: Server, system: RunningSystem, home: string) => Promise<T>,
  { mode, metadataEnv = {}, ...choice }: SystemChoice = {},
): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), 'penstock-bench-'));
  const deaths: string[] = [];
  let system: RunningSystem | undefined;
  try {
    system = await startSystem({
      home,
      hasWeb: false,
      hasWorker: false,
      isQuiet: true,
      agents: [],
      metadataEnv,
      events: {
        onDeath: (name, reason) => deaths.push(`${name} ended (${reason})`),
        onRestart: () => undefined,
        onDatabaseDeath: (lines) => deaths.push(`PostgreSQL ended: ${lines}`),
      },
    });
    if (mode !== undefined) {
      await setMode(system, mode);
    }
    const agent = await system.startAgent(agentOptions('produce,consume', choice));
    const server: Server = {
      name: 'Penstock',
      bootstrap: agent.bootstrap,
      pid: processId(agent),
      objectRequests: () => objectRequests(agent),
    };
    const result = await work(server, system, home);
    if (deaths.length > 0) {
      throw new Error(`Not a valid run: ${deaths.join('; ')}`);
    }
    return result;
  } finally {
    await system?.stop();
    await rm(home, { recursive: true, force: true });
  }
}

/** Before an agent starts, so that it knows the mode from its first file on. */
async function setMode({ databaseUrl, demo }: RunningSystem, mode: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('update virtual_cluster set mode = $1 where id = $2', [mode, demo?.clusterId]);
  } finally {
    await client.end();
  }
}

/** Runs `work` against a separate broker, whose folder is removed afterwards. */
export async function withKafka<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const broker = await startKafkaBroker(join(tmpdir(), `penstock-bench-kafka-${process.pid}`));
  try {
    const none = async (): Promise<undefined> => undefined;
    const { bootstrap, pid } = broker;
    return await work({ name: 'Apache Kafka', bootstrap, pid, objectRequests: none });
  } finally {
    await broker.stop();
  }
}
