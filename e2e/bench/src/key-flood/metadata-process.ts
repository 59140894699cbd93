// The benchmark's own metadata process, and an agent with a valid key that commits small files to it.
import { connect } from 'node:http2';
import type { Pool } from 'pg';
import { createCluster, startService } from '../metadata/service-process.ts';
import { newFileId } from '../metadata/workload.ts';
import { type Caller, callJson } from './json-call.ts';

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
  const { rpcUrl, stop } = await startService(databaseUrl);
  return { rpcUrl, openAgent: async (pool) => await openAgent(rpcUrl, await createCluster(pool)), stop };
}

async function openAgent(rpcUrl: string, caller: Caller): Promise<CommittingAgent> {
  const connection = connect(rpcUrl);
  const call = async (method: 'createTopics' | 'commitFile', request: object): Promise<unknown> => {
    const { status, body } = await callJson(connection, method, caller, request);
    if (status !== 200) {
      throw new Error(`${method} failed with HTTP ${status}: ${JSON.stringify(body)}`);
    }
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
      if (errorCode !== 0) {
        throw new Error(`commit refused: ${errorMessage}`);
      }
    },
    close: () => connection.destroy(),
  };
}
