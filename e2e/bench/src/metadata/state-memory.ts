// Memory per object of each kind in a virtual cluster's state: creates many of one kind, and compares the growth of the process with
// `memoryBytes`. Manual run: node --expose-gc e2e/bench/src/metadata/state-memory.ts
import {
  apply,
  type ClusterState,
  type CommitFile,
  createState,
  type Id,
  limits,
  memoryBytes,
} from '@penstock/metadata-core';

const START_MS = 1_790_000_000_000;
const MANY = 1_000_000;
const RUNS_PER_COMMIT = 5_000;
/** Advanced to make the state drop its stored responses: file ids contain the time. */
let nowMs = START_MS;
const topicId: Id = new Uint8Array(16).fill(7);

/** A UUIDv7; equal numbers give equal ids. */
function fileId(number: number, timeMs: number): Id {
  const id = new Uint8Array(16);
  const view = new DataView(id.buffer);
  view.setUint16(0, Math.floor(timeMs / 2 ** 32));
  view.setUint32(2, timeMs % 2 ** 32);
  view.setUint16(6, 0x7000);
  view.setUint16(8, 0x8000);
  view.setUint32(10, Math.imul(number, 0x9e37_79b1) >>> 0);
  view.setUint16(14, number % 0x1_0000);
  return id;
}

function clusterWith(partitions: number): ClusterState {
  const state = createState('memory');
  const topics = [{ name: 't', topicId, partitions, configs: [] }];
  apply(state, { kind: 'create-topics', topics, validateOnly: false }, nowMs);
  return state;
}

/** Commits one file with one run per entry of `partitions`; with a producer if one is given. */
function commit(state: ClusterState, number: number, partitions: readonly number[], producerId?: number): void {
  const runs = partitions.length;
  const each = (value: number): Float64Array => new Float64Array(runs).fill(value);
  const command: CommitFile = {
    kind: 'commit-file',
    fileId: fileId(number, nowMs),
    fileBytes: 100 * runs + 1,
    topicIds: [topicId],
    runTopic: new Uint32Array(runs),
    runPartition: Uint32Array.from(partitions),
    runPosition: Float64Array.from(partitions, (_, run) => run * 100),
    runBatches: new Uint32Array(runs).fill(1),
    batchBytes: new Uint32Array(runs).fill(100),
    batchRecords: new Uint32Array(runs).fill(3),
    batchMaxTimestampMs: each(nowMs),
    batchUncompressedBytes: each(100),
    producers:
      producerId === undefined
        ? null
        : { id: each(producerId), epoch: new Int32Array(runs), baseSequence: new Int32Array(runs) },
  };
  const { errorCode, errorMessage, batchErrorCode } = apply(state, command, nowMs).answer;
  if (errorCode !== 0 || batchErrorCode.length > 0) {
    throw new Error(`a commit was refused: ${errorMessage}`);
  }
}

function forgetAnswers(state: ClusterState): void {
  nowMs += limits.ANSWER_MEMORY_MS + 1;
  apply(state, { kind: 'expire-retention' }, nowMs);
}

/** Bytes of JavaScript objects and typed arrays after garbage collection. */
function processBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

interface Case {
  what: string;
  /** Creates everything that must exist before counting. */
  prepare: () => ClusterState;
  /** Adds the objects. Returns how many. */
  add: (state: ClusterState) => number;
}

const partitionsOf = (count: number, from = 0, all = count): number[] =>
  Array.from({ length: count }, (_, at) => (from + at) % all);

const CASES: readonly Case[] = [
  {
    what: 'file',
    prepare: () => clusterWith(1),
    add: (state) => {
      for (let number = 0; number < MANY; number += 1) {
        commit(state, number, []);
        if (number % 50_000 === 0) {
          forgetAnswers(state);
        }
      }
      forgetAnswers(state);
      return MANY;
    },
  },
  ...[
    { partitions: 300, what: 'run, 3,333 per partition' },
    { partitions: 5_000, what: 'run, 200 per partition' },
  ].map(({ partitions, what }) => ({
    what,
    prepare: () => clusterWith(partitions),
    add: (state: ClusterState) => {
      for (let run = 0; run < MANY; run += RUNS_PER_COMMIT) {
        commit(state, run, partitionsOf(RUNS_PER_COMMIT, run, partitions));
        if (run % 100_000 === 0) {
          forgetAnswers(state);
        }
      }
      forgetAnswers(state);
      return MANY;
    },
  })),
  ...[1_000, 100, 1].map((producers) => ({
    what: `producer, ${producers} per partition`,
    prepare: () => {
      const partitions = MANY / Math.max(producers, 10);
      const state = clusterWith(partitions);
      commit(state, MANY, partitionsOf(partitions));
      dropRuns(state, partitions);
      return state;
    },
    add: (state: ClusterState) => {
      const partitions = MANY / Math.max(producers, 10);
      for (let producer = 0; producer < producers; producer += 1) {
        commit(state, producer, partitionsOf(partitions), producer + 1);
        if (producer % 50 === 49) {
          forgetAnswers(state);
        }
      }
      dropRuns(state, partitions);
      return partitions * producers;
    },
  })),
  {
    what: 'partition, empty',
    prepare: () => createState('memory'),
    add: (state) => {
      const topics = [{ name: 't', topicId, partitions: MANY, configs: [] }];
      apply(state, { kind: 'create-topics', topics, validateOnly: false }, nowMs);
      return MANY;
    },
  },
  {
    what: 'partition, with its first run',
    prepare: () => createState('memory'),
    add: (state) => {
      const topics = [{ name: 't', topicId, partitions: MANY / 4, configs: [] }];
      apply(state, { kind: 'create-topics', topics, validateOnly: false }, nowMs);
      commit(state, 1, partitionsOf(MANY / 4));
      forgetAnswers(state);
      return MANY / 4;
    },
  },
  {
    what: 'committed offset',
    prepare: () => clusterWith(10_000),
    add: (state) => {
      for (let group = 0; group < 100; group += 1) {
        commitOffsets(state, `group-${group}`, 10_000);
      }
      return MANY;
    },
  },
  {
    what: 'group with one offset',
    prepare: () => clusterWith(1),
    add: (state) => {
      for (let group = 0; group < limits.MAX_GROUPS; group += 1) {
        commitOffsets(state, `group-${group}`, 1);
      }
      return limits.MAX_GROUPS;
    },
  },
  {
    what: 'remembered commit of 288 runs',
    prepare: () => clusterWith(288),
    add: (state) => {
      for (let number = 0; number < 5_000; number += 1) {
        commit(state, number, partitionsOf(288));
      }
      return 5_000;
    },
  },
];

/** Leaves the partitions without runs, so that only their producers count. */
function dropRuns(state: ClusterState, partitions: number): void {
  const all = partitionsOf(partitions).map((partition) => ({ topicId, partition, beforeOffset: -1 }));
  apply(state, { kind: 'delete-records', partitions: all }, nowMs);
  forgetAnswers(state);
}

function commitOffsets(state: ClusterState, groupId: string, partitions: number): void {
  const offsets = Array.from({ length: partitions }, (_, partition) => ({
    topic: 't',
    partition,
    offset: partition * 5_000_000_000,
    leaderEpoch: -1,
    metadata: '',
  }));
  const alone = { generationId: -1, memberId: '', groupInstanceId: null };
  apply(state, { kind: 'commit-offsets', groupId, ...alone, offsets }, nowMs);
}

if (globalThis.gc === undefined) {
  throw new Error('run this with: node --expose-gc');
}
console.log('what                                  process   memoryBytes   (bytes each)');
for (const { what, prepare, add } of CASES) {
  const state = prepare();
  const before = { process: processBytes(), counted: memoryBytes(state).total };
  const count = add(state);
  const grown = { process: processBytes() - before.process, counted: memoryBytes(state).total - before.counted };
  console.log(
    `${what.padEnd(34)} ${(grown.process / count).toFixed(1).padStart(10)} ${(grown.counted / count).toFixed(1).padStart(13)}`,
  );
}
