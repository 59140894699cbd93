// How long a cluster stays unowned when its owner dies: loading 1,000,000 journaled runs, from the journal alone and from a
// snapshot.

import { takeSnapshotInThread } from '@penstock/metadata';
import { partitionViews } from '@penstock/metadata-core';
import type { Pool } from 'pg';
import { commitOnce, createTopic, newCluster, openOwner } from './owned-commits.ts';
import { RUNS_PER_COMMIT } from './workload.ts';

const JOURNALED_RUNS = 1_000_000;
const IN_FLIGHT = 16;
const RECORDS_PER_RUN = 10;

export interface RecoveryResult {
  journaledRuns: number;
  fromJournalMs: number;
  fromSnapshotMs: number;
  /** Writing the snapshot beside the owner, in a thread of its own. */
  snapshotMs: number;
  snapshotBytes: number;
}

export async function measureRecovery(pool: Pool, databaseUrl: string): Promise<RecoveryResult> {
  const cluster = newCluster();
  const first = await openOwner(pool, databaseUrl, cluster);
  const topicId = await createTopic(first);
  const commits = Math.ceil(JOURNALED_RUNS / RUNS_PER_COMMIT);
  let started = 0;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (started < commits) {
        started += 1;
        await commitOnce(first, topicId);
      }
    }),
  );
  await first.retire();

  const open = async (): Promise<number> => {
    const startedMs = performance.now();
    const owner = await openOwner(pool, databaseUrl, cluster);
    const [view] = await owner.read((state) => partitionViews(state, topicId));
    const openedMs = performance.now() - startedMs;
    if (view?.highWatermark !== commits * RECORDS_PER_RUN)
      throw new Error('recovery did not find all that was committed');
    await owner.retire();
    return openedMs;
  };
  const fromJournalMs = await open();
  const snapshotStartedMs = performance.now();
  const { rows } = await pool.query<{ seq: string }>(
    'SELECT max(seq) AS seq FROM metadata_journal WHERE cluster_id = $1',
    [cluster.clusterId],
  );
  const facts = await takeSnapshotInThread({
    databaseUrl,
    clusterId: cluster.clusterId,
    throughSeq: Number(rows[0]?.seq),
    journalKeptMs: 0,
  });
  const snapshotMs = performance.now() - snapshotStartedMs;
  const fromSnapshotMs = await open();
  return {
    journaledRuns: commits * RUNS_PER_COMMIT,
    fromJournalMs,
    fromSnapshotMs,
    snapshotMs,
    snapshotBytes: facts.bytes,
  };
}
