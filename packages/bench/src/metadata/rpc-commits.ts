// The same commits as agents send them: through the Connect RPC of a metadata process of its own.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';
import type { CommitFile } from '@penstock/metadata-core';
import {
  CommitFileRequestSchema,
  CommitFileResponseSchema,
  clusterHeader,
  MetadataService,
} from '@penstock/metadata-protocol';
import { generateAgentKey, newId } from '@penstock/platform';
import type { Pool } from 'pg';
import { type Load, type LoopResult, runClosedLoop } from '../closed-loop.ts';
import { newCommit, newFileId, RUNS_PER_COMMIT } from './workload.ts';

const main = fileURLToPath(import.meta.resolve('@penstock/metadata/main'));

export async function measureRpcCommits(pool: Pool, databaseUrl: string, load: Load): Promise<LoopResult> {
  const cluster = await createCluster(pool);
  const service = await startService(databaseUrl);
  try {
    const topicId = await createTopic(service.rpcUrl, cluster);
    const connection = connect(service.rpcUrl);
    try {
      const commit = commitCaller(connection, cluster, topicId);
      return await runClosedLoop(load, commit);
    } finally {
      connection.destroy();
    }
  } finally {
    await service.stop();
  }
}

interface Cluster {
  clusterId: string;
  key: string;
}

function headersOf({ clusterId, key }: Cluster): Record<string, string> {
  return { authorization: `Bearer ${key}`, [clusterHeader]: clusterId };
}

async function createTopic(rpcUrl: string, cluster: Cluster): Promise<Uint8Array> {
  const withHeaders: Interceptor = (next) => (request) => {
    for (const [name, value] of Object.entries(headersOf(cluster))) request.header.set(name, value);
    return next(request);
  };
  const sessionManager = new Http2SessionManager(rpcUrl);
  const transport = createConnectTransport({
    baseUrl: rpcUrl,
    httpVersion: '2',
    interceptors: [withHeaders],
    sessionManager,
  });
  const topics = [{ name: 'bench', partitions: RUNS_PER_COMMIT }];
  const { results } = await createClient(MetadataService, transport).createTopics({ topics });
  sessionManager.abort();
  const [created] = results;
  if (created?.errorCode !== 0) throw new Error(`the topic was not created: ${created?.errorMessage}`);
  return created.topicId;
}

/**
 * Sends commits with as little work as possible, since the load shares the machine with what it measures: the message is made
 * once, and only its file id, the first field, changes. Agents are written in Rust; a generated Node client would cost more than
 * the service does.
 */
function commitCaller(connection: ClientHttp2Session, cluster: Cluster, topicId: Uint8Array): () => Promise<void> {
  const template = Buffer.from(
    toBinary(CommitFileRequestSchema, create(CommitFileRequestSchema, requestOf(newCommit(topicId)))),
  );
  const headers = {
    ':method': 'POST',
    ':path': `/${MetadataService.typeName}/${MetadataService.method.commitFile.name}`,
    'content-type': 'application/proto',
    'connect-protocol-version': '1',
    ...headersOf(cluster),
  };
  return async () => {
    const body = Buffer.from(template);
    body.set(newFileId(Date.now()), FILE_ID_AT);
    const { status, bytes } = await post(connection, headers, body);
    if (status !== 200) throw new Error(`commit failed with HTTP ${status}: ${bytes.toString()}`);
    const answer = fromBinary(CommitFileResponseSchema, bytes);
    if (answer.errorCode !== 0 || answer.batchErrorCode.length > 0)
      throw new Error(`commit refused: ${answer.errorMessage}`);
  };
}

/** Behind the tag and the length of field 1. */
const FILE_ID_AT = 2;

async function post(
  connection: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body: Buffer,
): Promise<{ status: number; bytes: Buffer }> {
  const stream = connection.request(headers);
  stream.end(body);
  let status = 0;
  stream.once('response', (response) => {
    status = response[':status'] ?? 0;
  });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { status, bytes: Buffer.concat(chunks) };
}

async function createCluster(pool: Pool): Promise<Cluster> {
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
