// The thread's side of `takeSnapshotInThread`: one snapshot, then it ends.
import { parentPort, workerData } from 'node:worker_threads';
import { PostgresJournal } from '@penstock/metadata-journal';
import { createLogger } from '@penstock/platform';
import { Pool } from 'pg';
import { takeSnapshot } from './take-snapshot.ts';

export interface SnapshotThreadData {
  databaseUrl: string;
  clusterId: string;
  throughSeq: number;
  journalKeptMs: number;
  /** What the whole process may take. */
  memoryMib: number;
}

const { databaseUrl, clusterId, throughSeq, journalKeptMs }: SnapshotThreadData = workerData;
const pool = new Pool({ connectionString: databaseUrl, max: 2, application_name: 'penstock-metadata-snapshot' });
pool.on('error', () => undefined);
pool.on('connect', (client) => void client.on('error', () => undefined));
try {
  const logger = createLogger({ name: 'metadata' });
  const facts = await takeSnapshot(new PostgresJournal(pool), clusterId, throughSeq, journalKeptMs, (seq, error) => {
    logger.error({ err: error, clusterId, seq }, 'snapshot cannot be used; the next one builds on what lies before it');
  });
  parentPort?.postMessage(facts);
} finally {
  await pool.end();
}
