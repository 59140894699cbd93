// `npm run bench -- dead-files`: what the dead files of a day cost while they wait for the restore window, at the 12 files a second of a busy
// cluster: as rows of the database, as they do, and in the cluster's state and each of its snapshots, if they stayed there.
import { randomUUID } from 'node:crypto';
import { createState, encodeSnapshot, limits } from '@penstock/metadata-core';
import { PostgresDeadFiles } from '@penstock/metadata-journal';
import { Pool } from 'pg';
import { newFileId } from './longevity/traffic.ts';
import { startBenchServer } from './metadata/bench-server.ts';
import { rounded } from './results.ts';

const FILES_PER_S = 12;
const WINDOW_S = 86_400;
const FILES = FILES_PER_S * WINDOW_S;
/** Those that died within the minute after which they leave the state. */
const FILES_IN_STATE = (FILES_PER_S * limits.DELETION_GRACE_MS) / 1_000;
const FILE_BYTES = 15_000_000;
const PER_CALL = 5_000;
const TAKES = 50;
const FILES_PER_TAKE = 500;
const MIB = 1_048_576;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Memory and snapshot of a state that holds this many dead files and nothing else, in bytes. */
function stateOf(files: number): { memoryBytes: number; snapshotBytes: number } {
  const state = createState('bench');
  const startMs = Date.now();
  for (let file = 0; file < files; file += 1) {
    const nowMs = startMs + Math.floor((file * 1_000) / FILES_PER_S);
    state.files.settle(state.files.add(newFileId(nowMs), FILE_BYTES, nowMs), nowMs);
  }
  return { memoryBytes: state.files.memoryBytes, snapshotBytes: encodeSnapshot(state).length };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

for (const [what, files] of [
  ['in the state, as they wait now', FILES_IN_STATE],
  ['in the state for a day', FILES],
] as const) {
  const { memoryBytes, snapshotBytes } = stateOf(files);
  const [memory, snapshot] = [memoryBytes, snapshotBytes].map((bytes) => (bytes / MIB).toFixed(2));
  say(
    `${what.padEnd(34)}${files.toLocaleString('en').padStart(10)} files  ${memory} MiB of memory, ${snapshot} MiB of snapshot`,
  );
}
const server = await startBenchServer();
const pool = new Pool({ connectionString: server.url, max: 2 });
try {
  const clusterId = randomUUID();
  const store = new PostgresDeadFiles(pool);
  const startMs = Date.now();
  const addMs = await timed(async () => {
    for (let from = 0; from < FILES; from += PER_CALL) {
      const files = Array.from({ length: Math.min(PER_CALL, FILES - from) }, (_, at) => {
        const deleteAfterMs = startMs + Math.floor(((from + at) * 1_000) / FILES_PER_S);
        return { fileId: newFileId(deleteAfterMs), bytes: FILE_BYTES, deleteAfterMs };
      });
      await store.add(clusterId, files);
    }
  });
  const { rows } = await pool.query<{ bytes: string }>(`SELECT pg_total_relation_size('metadata_dead_file') AS bytes`);
  const bytes = Number(rows[0]?.bytes ?? 0);
  const taking = await timed(async () => {
    for (let take = 0; take < TAKES; take += 1) {
      const lease = { dueMs: startMs + WINDOW_S * 1_000, nowMs: startMs, leaseUntilMs: startMs + 1_000 };
      await store.remove(clusterId, await store.take(clusterId, { ...lease, maxFiles: FILES_PER_TAKE }));
    }
  });
  const totalsMs = await timed(() => store.totals(clusterId));
  say(`rows for a day: ${(bytes / MIB).toFixed(0)} MiB with indexes, ${rounded(bytes / FILES)} bytes each`);
  say(
    `adding ${PER_CALL}: ${rounded((addMs / FILES) * PER_CALL)} ms; taking and removing ${FILES_PER_TAKE}: ${rounded(taking / TAKES)} ms`,
  );
  say(`counting them: ${rounded(totalsMs)} ms`);
} finally {
  await pool.end();
  await server.stop();
}
