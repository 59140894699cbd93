// The same commits as agents send them: through the Connect RPC of a metadata process of its own.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';
import type { CommitFile } from '@penstock/metadata-core';
import { clusterHeader, MetadataService } from '@penstock/metadata-protocol';
import { generateAgentKey, newId } from '@penstock/platform';
import type { Pool } from 'pg';
import { type Load, type LoopResult, runClosedLoop } from '../closed-loop.ts';
import { newCommit, RUNS_PER_COMMIT } from './workload.ts';

const main = fileURLToPath(import.meta.resolve('@penstock/metadata/main'));

export async function measureRpcCommits(pool: Pool, databaseUrl: string, load: Load): Promise<LoopResult> {
  const { clusterId, key } = await createCluster(pool);
  const service = await startService(databaseUrl);
  try {
    const sessionManager = new Http2SessionManager(service.rpcUrl);
    const withHeaders: Interceptor = (next) => (request) => {
      request.header.set('authorization', `Bearer ${key}`);
      request.header.set(clusterHeader, clusterId);
      return next(request);
    };
    const client = createClient(
      MetadataService,
      createConnectTransport({
        baseUrl: service.rpcUrl,
        httpVersion: '2',
        interceptors: [withHeaders],
        sessionManager,
        acceptCompression: [],
      }),
    );
    const created = await client.createTopics({ topics: [{ name: 'bench', partitions: RUNS_PER_COMMIT }] });
    const topicId = created.results[0]?.topicId ?? new Uint8Array();
    const result = await runClosedLoop(load, async () => {
      const answer = await client.commitFile(requestOf(newCommit(topicId)));
      if (answer.errorCode !== 0 || answer.batchErrorCode.length > 0)
        throw new Error(`commit refused: ${answer.errorMessage}`);
    });
    sessionManager.abort();
    return result;
  } finally {
    await service.stop();
  }
}

async function createCluster(pool: Pool): Promise<{ clusterId: string; key: string }> {
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

async function startService(databaseUrl: string): Promise<{ rpcUrl: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      PENSTOCK_METADATA_PORT: '0',
      PENSTOCK_METADATA_HTTP_PORT: '0',
      PENSTOCK_INTERNAL_TOKEN: randomUUID(),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const { rpcUrl }: { rpcUrl?: string } = JSON.parse(line);
    if (rpcUrl === undefined) continue;
    child.stdout.resume();
    return { rpcUrl, stop };
  }
  throw new Error('the metadata service ended while starting');
}

function requestOf(commit: CommitFile) {
  return {
    fileId: commit.fileId,
    fileBytes: BigInt(commit.fileBytes),
    topicIds: commit.topicIds,
    runTopic: [...commit.runTopic],
    runPartition: [...commit.runPartition],
    runPosition: [...commit.runPosition].map(BigInt),
    runBatches: [...commit.runBatches],
    batchBytes: [...commit.batchBytes],
    batchRecords: [...commit.batchRecords],
    batchMaxTimestampMs: [...commit.batchMaxTimestampMs].map(BigInt),
    batchUncompressedBytes: [...commit.batchUncompressedBytes].map(BigInt),
  };
}
