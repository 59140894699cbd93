// The thread's side of `takeSnapshotInThread`: one snapshot, then it ends.
import { parentPort, workerData } from 'node:worker_threads';
import { PostgresJournal } from '@penstock/metadata-journal';
import { Pool } from 'pg';
import { takeSnapshot } from './take-snapshot.ts';

export interface SnapshotThreadData {
  databaseUrl: string;
  clusterId: string;
  throughSeq: number;
  journalKeptMs: number;
}

const { databaseUrl, clusterId, throughSeq, journalKeptMs }: SnapshotThreadData = workerData;
const pool = new Pool({ connectionString: databaseUrl, max: 2, application_name: 'penstock-metadata-snapshot' });
pool.on('error', () => undefined);
try {
  parentPort?.postMessage(await takeSnapshot(new PostgresJournal(pool), clusterId, throughSeq, journalKeptMs));
} finally {
  await pool.end();
}
