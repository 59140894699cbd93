// The same commits as agents send them: through the Connect RPC of a separate metadata process.
import { create, toBinary } from '@bufbuild/protobuf';
import { createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';
import type { CommitFile } from '@penstock/metadata-core';
import { CLUSTER_HEADER, CommitFileRequestSchema, MetadataService } from '@penstock/metadata-protocol';
import type { Pool } from 'pg';
import type { Load } from '../closed-loop.ts';
import { cpuSeconds, cpuSecondsOfTree } from '../process-usage.ts';
import type { BenchServer } from './bench-server.ts';
import { type MeasuredCommits, measureWithCpu } from './cpu-shares.ts';
import { type LeanAnswer, LeanHttp2 } from './lean-http2.ts';
import { type BenchCluster as Cluster, createCluster, startService } from './service-process.ts';
import { newCommit, newFileId, RUNS_PER_COMMIT } from './workload.ts';

/** The load is more than the default budgets allow a cluster. */
const AMPLE_BUDGETS = { default: { calls: 1_000_000, commits: 1_000_000, batches: 1_000_000_000 } };

export async function measureRpcCommits(pool: Pool, server: BenchServer, load: Load): Promise<MeasuredCommits> {
  const cluster = await createCluster(pool);
  const service = await startService(server.url, { PENSTOCK_METADATA_BUDGETS: JSON.stringify(AMPLE_BUDGETS) });
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

function headersOf({ clusterId, key }: Cluster): Record<string, string> {
  return { authorization: `Bearer ${key}`, [CLUSTER_HEADER]: clusterId };
}

export async function createTopic(rpcUrl: string, cluster: Cluster): Promise<Uint8Array> {
  const withHeaders: Interceptor = (next) => (request) => {
    for (const [name, value] of Object.entries(headersOf(cluster))) {
      request.header.set(name, value);
    }
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
  if (created?.errorCode !== 0) {
    throw new Error(`the topic was not created: ${created?.errorMessage}`);
  }
  return created.topicId;
}

export interface CommitCaller {
  commit: () => Promise<void>;
  /** Like `commit`, without checking the response: returns false if it is a refusal. */
  tryCommit: () => Promise<boolean>;
  close: () => void;
}

/**
 * Sends commits with as little work as possible, since the load shares the machine with what it measures: the message is encoded once, and
 * only its file id, the first field, changes.
 */
export async function commitCaller(rpcUrl: string, cluster: Cluster, topicId: Uint8Array): Promise<CommitCaller> {
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
  const post = (): Promise<LeanAnswer> => {
    const body = Buffer.from(template);
    body.set(newFileId(Date.now()), FILE_ID_AT);
    return client.post(body);
  };
  return {
    tryCommit: async () => (await post()).isOk,
    commit: async () => {
      const answer = await post();
      if (!answer.isOk) {
        throw new Error(`commit failed: ${answer.body.toString()}`);
      }
      requireStored(answer.body);
    },
    close: () => client.close(),
  };
}

/** After the tag and the length of field 1. */
const FILE_ID_AT = 2;

// Tags of CommitFileResponse.
const BATCH_BASE_OFFSET = (1 << 3) | 2;
const RUN_LOG_START_OFFSET = (3 << 3) | 2;

/** The response must have an offset for each batch and each run, and no error code: only fields 1 and 3. */
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

/** Each varint ends in one byte below 128. */
function integers(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    count += (bytes.readUInt8(at) >> 7) ^ 1;
  }
  return count;
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
