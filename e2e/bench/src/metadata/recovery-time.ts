// How long a cluster has no owner after its owner dies: loads 1,000,000 journaled runs from the journal alone and from a snapshot.

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
  /** Writing the snapshot from the owner's live state. */
  snapshotMs: number;
  snapshotBytes: number;
}

export async function measureRecovery(pool: Pool): Promise<RecoveryResult> {
  const cluster = newCluster();
  const first = await openOwner(pool, cluster);
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
    const owner = await openOwner(pool, cluster);
    const [view] = await owner.read((state) => partitionViews(state, topicId));
    const openedMs = performance.now() - startedMs;
    if (view?.highWatermark !== commits * RECORDS_PER_RUN) {
      throw new Error('recovery did not find all that was committed');
    }
    await owner.retire();
    return openedMs;
  };
  const fromJournalMs = await open();
  const second = await openOwner(pool, cluster);
  const snapshotStartedMs = performance.now();
  const facts = await second.takeSnapshot();
  const snapshotMs = performance.now() - snapshotStartedMs;
  await second.retire();
  const fromSnapshotMs = await open();
  return {
    journaledRuns: commits * RUNS_PER_COMMIT,
    fromJournalMs,
    fromSnapshotMs,
    snapshotMs,
    snapshotBytes: facts.bytes,
  };
}
