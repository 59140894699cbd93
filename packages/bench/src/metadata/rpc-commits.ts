// The same commits as agents send them: through the Connect RPC of a metadata process of its own.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { create, toBinary } from '@bufbuild/protobuf';
import { createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { type CommitFile, NEWEST_RULES } from '@penstock/metadata-core';
import { CommitFileRequestSchema, clusterHeader, MetadataService } from '@penstock/metadata-protocol';
import { generateAgentKey, newId } from '@penstock/platform';
import type { Pool } from 'pg';
import type { Load } from '../closed-loop.ts';
import { cpuSeconds, cpuSecondsOfTree } from '../process-usage.ts';
import type { BenchServer } from './bench-server.ts';
import { type MeasuredCommits, measureWithCpu } from './cpu-shares.ts';
import { LeanHttp2 } from './lean-http2.ts';
import { newCommit, newFileId, RUNS_PER_COMMIT } from './workload.ts';

const main = fileURLToPath(import.meta.resolve('@penstock/metadata/main'));

export async function measureRpcCommits(pool: Pool, server: BenchServer, load: Load): Promise<MeasuredCommits> {
  const cluster = await createCluster(pool);
  const service = await startService(server.url);
  try {
    const topicId = await createTopic(service.rpcUrl, cluster);
    const { commit, close } = await commitCaller(service.rpcUrl, cluster, topicId);
    const usedSeconds = {
      load_generator: () => cpuSeconds(process.pid),
      metadata_service: () => cpuSeconds(service.pid),
      postgresql: () => cpuSecondsOfTree(server.pid),
    };
    try {
      return await measureWithCpu(load, usedSeconds, commit);
    } finally {
      close();
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

interface CommitCaller {
  commit: () => Promise<void>;
  close: () => void;
}

/**
 * Sends commits with as little work as possible, since the load shares the machine with what it measures: the message is made
 * once, and only its file id, the first field, changes.
 */
async function commitCaller(rpcUrl: string, cluster: Cluster, topicId: Uint8Array): Promise<CommitCaller> {
  const template = Buffer.from(
    toBinary(CommitFileRequestSchema, create(CommitFileRequestSchema, requestOf(newCommit(topicId)))),
  );
  const url = new URL(rpcUrl);
  const client = await LeanHttp2.connect(url, [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':authority', url.host],
    [':path', `/${MetadataService.typeName}/${MetadataService.method.commitFile.name}`],
    ...Object.entries(headersOf(cluster)),
    ['connect-protocol-version', '1'],
    ['content-type', 'application/proto'],
    ['accept', '*/*'],
    ['content-length', String(template.length)],
  ]);
  return {
    commit: async () => {
      const body = Buffer.from(template);
      body.set(newFileId(Date.now()), FILE_ID_AT);
      const answer = await client.post(body);
      if (!answer.isOk) {
        throw new Error(`commit failed: ${answer.body.toString()}`);
      }
      requireStored(answer.body);
    },
    close: () => client.close(),
  };
}

/** Behind the tag and the length of field 1. */
const FILE_ID_AT = 2;

// Tags of CommitFileResponse.
const BATCH_BASE_OFFSET = (1 << 3) | 2;
const RUN_LOG_START_OFFSET = (3 << 3) | 2;

/** The answer must have an offset for each batch and each run, and no error code: fields 1 and 3, and none beside them. */
function requireStored(answer: Buffer): void {
  let at = 0;
  for (const tag of [BATCH_BASE_OFFSET, RUN_LOG_START_OFFSET]) {
    const isShort = answer.readUInt8(at + 1) < 0x80;
    const length = isShort
      ? answer.readUInt8(at + 1)
      : (answer.readUInt8(at + 2) << 7) | (answer.readUInt8(at + 1) & 0x7f);
    const from = at + (isShort ? 2 : 3);
    if (answer.readUInt8(at) !== tag || integers(answer, from, from + length) !== RUNS_PER_COMMIT) {
      throw new Error(`commit refused: ${answer.toString('hex')}`);
    }
    at = from + length;
  }
  if (at !== answer.length) {
    throw new Error(`commit refused: ${answer.toString('hex')}`);
  }
}

/** Each ends in one byte below 128. */
function integers(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    count += (bytes.readUInt8(at) >> 7) ^ 1;
  }
  return count;
}

async function createCluster(pool: Pool): Promise<Cluster> {
  const clusterId = randomUUID();
  const { plaintext, hash, display } = generateAgentKey();
  await pool.query(
    `INSERT INTO organization (id, name, slug) VALUES ('bench', 'Bench', 'bench') ON CONFLICT DO NOTHING`,
  );
  await pool.query(
    `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1, 'bench', $2, 'other', '', now())`,
    [clusterId, `bench ${clusterId}`],
  );
  await pool.query(
    `INSERT INTO agent_key (id, cluster_id, organization_id, name, display_prefix, display_last4, hash)
     VALUES ($1, $2, 'bench', 'bench', $3, $4, $5)`,
    [newId(), clusterId, display.prefix, display.last4, Buffer.from(hash)],
  );
  return { clusterId, key: plaintext };
}

interface Service {
  rpcUrl: string;
  pid: number;
  stop: () => Promise<void>;
}

async function startService(databaseUrl: string): Promise<Service> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      PENSTOCK_METADATA_PORT: '0',
      PENSTOCK_METADATA_HTTP_PORT: '0',
      PENSTOCK_INTERNAL_TOKEN: randomUUID(),
      PENSTOCK_METADATA_RULES: String(NEWEST_RULES),
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
    return { rpcUrl, pid: child.pid ?? -1, stop };
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
