// A process that fills the state with a million runs and a million files through the real commands, and prints the memory per run and file.
import { apply, type ClusterState, type Command, createState } from '@penstock/metadata-core';
import { HOUR_MS } from '@penstock/units';
import { type MemoryUse, memoryAfterGc } from './memory.ts';
import { FLUSHED_RUN, PARTITIONS, PARTITIONS_PER_TOPIC, TOPICS } from './scenario.ts';
import { columnsOf, newFileId, topicName } from './traffic.ts';

const ROWS = 1_000_000;
const START_MS = Date.UTC(2026, 0, 1);
/** Commits of one minute: their retry records are not measured, and are dropped before. */
const COMMITS_PER_MINUTE = 2_000;
const FORGOTTEN_AFTER_MS = HOUR_MS;

export interface RowMemory {
  bytesPerFile: number;
  bytesPerRun: number;
  /** Resident memory of a file with one run, after both. */
  rssBytesPerFileAndRun: number;
}

let nowMs = START_MS;
const topicIds = Array.from({ length: TOPICS }, (_, topic) => Uint8Array.from({ length: 16 }, (_, at) => at + topic));
const allPartitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);

function run(state: ClusterState, command: Command): void {
  const { answer } = apply(state, command, nowMs);
  if ('errorCode' in answer && answer.errorCode !== 0) {
    throw new Error(`${command.kind} was refused: ${JSON.stringify(answer)}`);
  }
}

function createCluster(): ClusterState {
  const state = createState('bench');
  const configs = [{ name: 'retention.ms', value: '-1' }];
  const topics = topicIds.map((topicId, topic) => ({
    name: topicName(topic),
    topicId,
    partitions: PARTITIONS_PER_TOPIC,
    configs,
  }));
  run(state, { kind: 'create-topics', topics, validateOnly: false });
  return state;
}

function commit(state: ClusterState, partitions: readonly number[]): void {
  const batchMaxTimestampMs = new Float64Array(partitions.length).fill(nowMs);
  const fileId = newFileId(nowMs);
  const columns = columnsOf(partitions, FLUSHED_RUN);
  run(state, { kind: 'commit-file', ...columns, fileId, topicIds, batchMaxTimestampMs, producers: null });
}

/** Drops the records of commits kept for retries. */
function forget(state: ClusterState): void {
  nowMs += FORGOTTEN_AFTER_MS;
  run(state, { kind: 'expire-retention' });
}

/** Drops all runs. A file without runs waits for its deletion in the same row. */
function dropRuns(state: ClusterState): void {
  const partitions = allPartitions.map((partition) => ({
    topicId: topicIds[Math.floor(partition / PARTITIONS_PER_TOPIC)] ?? new Uint8Array(16),
    partition: partition % PARTITIONS_PER_TOPIC,
    beforeOffset: -1,
  }));
  run(state, { kind: 'delete-records', partitions });
}

/** A state that has everything but rows. */
async function emptiedCluster(): Promise<{ state: ClusterState; before: MemoryUse }> {
  const state = createCluster();
  commit(state, allPartitions);
  forget(state);
  dropRuns(state);
  return { state, before: await memoryAfterGc() };
}

async function bytesPerRun(): Promise<number> {
  const { state, before } = await emptiedCluster();
  const commits = Math.floor(ROWS / PARTITIONS);
  for (let file = 0; file < commits; file += 1) {
    commit(state, allPartitions);
  }
  forget(state);
  const after = await memoryAfterGc();
  return (after.heapAndBufferBytes - before.heapAndBufferBytes) / (commits * PARTITIONS);
}

async function files(): Promise<Pick<RowMemory, 'bytesPerFile' | 'rssBytesPerFileAndRun'>> {
  const { state, before } = await emptiedCluster();
  for (let file = 0; file < ROWS; file += 1) {
    commit(state, [file % PARTITIONS]);
    if (file % COMMITS_PER_MINUTE === 0) {
      nowMs += 60_000;
      run(state, { kind: 'expire-retention' });
    }
  }
  forget(state);
  const both = await memoryAfterGc();
  dropRuns(state);
  const after = await memoryAfterGc();
  return {
    bytesPerFile: (after.heapAndBufferBytes - before.heapAndBufferBytes) / (state.files.size - 1),
    rssBytesPerFileAndRun: (both.rssBytes - before.rssBytes) / ROWS,
  };
}

const measured: RowMemory = { bytesPerRun: await bytesPerRun(), ...(await files()) };
process.stdout.write(`${JSON.stringify(measured)}\n`);
