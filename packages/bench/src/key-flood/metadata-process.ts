// A metadata process of the benchmark's own, and an agent with a good key that commits small files to it.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:http2';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generateAgentKey, newId } from '@penstock/platform';
import type { Pool } from 'pg';
import { newFileId } from '../metadata/workload.ts';
import { type Caller, callJson } from './json-call.ts';

const main = fileURLToPath(import.meta.resolve('@penstock/metadata/main'));
const PARTITIONS = 16;
const BATCH_BYTES = 5_300;

export interface CommittingAgent {
  commit(): Promise<void>;
  close(): void;
}

export interface MetadataProcess {
  rpcUrl: string;
  openAgent(pool: Pool): Promise<CommittingAgent>;
  stop(): Promise<void>;
}

export async function startMetadata(databaseUrl: string): Promise<MetadataProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      PENSTOCK_METADATA_PORT: '0',
      PENSTOCK_METADATA_HTTP_PORT: '0',
      PENSTOCK_INTERNAL_TOKEN: randomUUID(),
      PENSTOCK_METADATA_RULES: '2',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    const { rpcUrl }: { rpcUrl?: string } = JSON.parse(line);
    if (rpcUrl === undefined) continue;
    child.stdout.resume();
    return {
      rpcUrl,
      openAgent: async (pool) => await openAgent(rpcUrl, await createCluster(pool)),
      stop: async () => {
        child.kill('SIGTERM');
        await exited;
      },
    };
  }
  throw new Error('the metadata service ended while starting');
}

async function createCluster(pool: Pool): Promise<Caller> {
  const clusterId = randomUUID();
  const { plaintext, hash, display } = generateAgentKey();
  await pool.query(
    `INSERT INTO organization (id, name, slug) VALUES ('bench', 'Bench', 'bench') ON CONFLICT DO NOTHING`,
  );
  await pool.query(
    `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1, 'bench', 'bench', 'other', '', now())`,
    [clusterId],
  );
  await pool.query(
    `INSERT INTO agent_key (id, cluster_id, organization_id, name, display_prefix, display_last4, hash)
     VALUES ($1, $2, 'bench', 'bench', $3, $4, $5)`,
    [newId(), clusterId, display.prefix, display.last4, Buffer.from(hash)],
  );
  return { clusterId, key: plaintext };
}

async function openAgent(rpcUrl: string, caller: Caller): Promise<CommittingAgent> {
  const connection = connect(rpcUrl);
  const call = async (method: 'createTopics' | 'commitFile', request: object): Promise<unknown> => {
    const { status, body } = await callJson(connection, method, caller, request);
    if (status !== 200) throw new Error(`${method} failed with HTTP ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const created = await call('createTopics', { topics: [{ name: 'bench', partitions: PARTITIONS }] });
  const { results } = created as { results: { topicId: string }[] };
  const each = <Value>(value: (partition: number) => Value): Value[] =>
    Array.from({ length: PARTITIONS }, (_, partition) => value(partition));
  const columns = {
    fileBytes: String(PARTITIONS * BATCH_BYTES),
    topicIds: [results[0]?.topicId],
    runTopic: each(() => 0),
    runPartition: each((partition) => partition),
    runPosition: each((partition) => String(partition * BATCH_BYTES)),
    runBatches: each(() => 1),
    batchBytes: each(() => BATCH_BYTES),
    batchRecords: each(() => 10),
    batchUncompressedBytes: each(() => String(BATCH_BYTES * 2)),
  };
  return {
    commit: async () => {
      const nowMs = Date.now();
      const fileId = Buffer.from(newFileId(nowMs)).toString('base64');
      const answer = await call('commitFile', { ...columns, fileId, batchMaxTimestampMs: each(() => String(nowMs)) });
      const { errorCode = 0, errorMessage } = answer as { errorCode?: number; errorMessage?: string };
      if (errorCode !== 0) throw new Error(`commit refused: ${errorMessage}`);
    },
    close: () => connection.destroy(),
  };
}
