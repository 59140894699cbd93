// Benchmark of the pure state machine: `node packages/metadata-core/bench/apply.ts`. One commit is a file of 288 runs of one batch.
import {
  apply,
  type CommitFile,
  createState,
  decodeSnapshot,
  type EntryMeter,
  encodeEntry,
  encodeSnapshot,
  meterOf,
  replayEntry,
} from '../src/index.ts';

const RUNS = 288;
const COMMITS = 3_472;
const START_MS = 1_790_000_000_000;
const topicId = new Uint8Array(16).fill(7);

function fileId(number: number, timeMs: number): Uint8Array {
  const id = new Uint8Array(16);
  for (let at = 5, rest = timeMs; at >= 0; at -= 1) {
    id[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  id[6] = 0x70;
  id[8] = 0x80;
  new DataView(id.buffer).setUint32(12, number);
  return id;
}

function commit(number: number, nowMs: number, idempotent: boolean): CommitFile {
  const bytes = 28_000 + (number % 100);
  const column = Uint32Array.from({ length: RUNS }, (_, run) => run);
  return {
    kind: 'commit-file',
    fileId: fileId(number, nowMs),
    fileBytes: bytes * RUNS,
    topicIds: [topicId],
    runTopic: new Uint32Array(RUNS),
    runPartition: column,
    runPosition: Float64Array.from(column, (run) => run * bytes),
    runBatches: new Uint32Array(RUNS).fill(1),
    batchBytes: new Uint32Array(RUNS).fill(bytes),
    batchRecords: new Uint32Array(RUNS).fill(57),
    batchMaxTimestampMs: Float64Array.from(column, (run) => nowMs - (run % 250)),
    batchUncompressedBytes: new Float64Array(RUNS).fill(58_000),
    producers: idempotent
      ? {
          id: Float64Array.from(column, (run) => 1000 + (run % 64)),
          epoch: new Int32Array(RUNS),
          baseSequence: new Int32Array(RUNS).fill(number * 57),
        }
      : null,
  };
}

function newCluster() {
  const state = createState('bench');
  const topics = [{ name: 't', topicId, partitions: RUNS, configs: [] }];
  const command = { kind: 'create-topics', topics, validateOnly: false } as const;
  apply(state, command, START_MS);
  return { state, entry: encodeEntry({ nowMs: START_MS, commands: [command] }) };
}

/** Milliseconds of this thread's CPU time, so that other work on the machine does not count. */
function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

for (const idempotent of [false, true]) {
  const { state, entry } = newCluster();
  const commands = Array.from({ length: COMMITS }, (_, number) => commit(number, START_MS + number, idempotent));
  const meters: EntryMeter[] = [];
  const applyMs = cpuMs(() => {
    for (const [number, command] of commands.entries()) {
      meters.push(meterOf([apply(state, command, START_MS + number).effects]));
    }
  });
  const entries = [entry];
  const encodeMs = cpuMs(() => {
    for (const [number, command] of commands.entries()) {
      const meter = meters[number];
      entries.push(encodeEntry({ nowMs: START_MS + number, commands: [command], ...(meter && { meter }) }));
    }
  });
  const bytes = entries.reduce((sum, { length }) => sum + length, 0);
  const replayed = createState('bench');
  const replayMs = cpuMs(() => {
    for (const one of entries) {
      replayEntry(replayed, one);
    }
  });
  let snapshot = new Uint8Array(0);
  const snapshotMs = cpuMs(() => {
    snapshot = Uint8Array.from(encodeSnapshot(state));
  });
  const restoreMs = cpuMs(() => {
    decodeSnapshot(snapshot);
  });
  const same = Buffer.compare(snapshot, encodeSnapshot(replayed)) === 0;
  console.log(
    `${idempotent ? 'idempotent' : 'plain'}, CPU time: apply ${((applyMs * 1000) / COMMITS).toFixed(1)} µs/commit, ` +
      `encode ${((encodeMs * 1000) / COMMITS).toFixed(1)} µs/commit, ${(bytes / COMMITS / RUNS).toFixed(1)} journal bytes/run; ` +
      `replay of ${COMMITS * RUNS} runs ${replayMs.toFixed(0)} ms (same state: ${same}); ` +
      `snapshot ${(snapshot.length / 2 ** 20).toFixed(1)} MiB in ${snapshotMs.toFixed(0)} ms, restored in ${restoreMs.toFixed(0)} ms`,
  );
}
