// The owner's way: offsets in memory, one journal entry per group commit. In this process, on a journal in PostgreSQL.
import { randomUUID } from 'node:crypto';
import { Owner, randomIds, recover, systemClock, takeSnapshotInThread } from '@penstock/metadata';
import type { Id } from '@penstock/metadata-core';
import { type ClusterIdentity, PostgresJournal } from '@penstock/metadata-journal';
import { createLogger } from '@penstock/platform';
import type { Pool } from 'pg';
import type { Load, LoopResult } from '../closed-loop.ts';
import { runClosedLoop } from '../closed-loop.ts';
import { newCommit, RUNS_PER_COMMIT } from './workload.ts';

export function newCluster(): ClusterIdentity {
  return { clusterId: randomUUID(), organizationId: 'bench' };
}

export async function openOwner(pool: Pool, databaseUrl: string, cluster: ClusterIdentity): Promise<Owner> {
  const journal = new PostgresJournal(pool);
  const logger = createLogger({ name: 'bench', level: 'warn' });
  const recovered = await recover(journal, cluster, systemClock, {
    onSnapshotUnreadable: (seq, error) => {
      throw new Error(`snapshot ${seq} cannot be read`, { cause: error });
    },
  });
  return new Owner(
    {
      cluster,
      journal,
      clock: systemClock,
      ids: randomIds,
      logger,
      initialRebalanceDelayMs: 0,
      takeSnapshot: (throughSeq) =>
        takeSnapshotInThread({ databaseUrl, clusterId: cluster.clusterId, throughSeq, journalKeptMs: 0 }),
      isLeaseValid: () => true,
      onClosed: () => undefined,
    },
    recovered,
  );
}

export async function createTopic(owner: Owner): Promise<Id> {
  const topicId = randomIds.uuidBytes();
  const { results } = await owner.submit({
    kind: 'create-topics',
    topics: [{ name: 'bench', topicId, partitions: RUNS_PER_COMMIT, configs: [] }],
    validateOnly: false,
  });
  if (results[0]?.errorCode !== 0) throw new Error(`the topic was not created: ${results[0]?.errorMessage}`);
  return topicId;
}

export async function commitOnce(owner: Owner, topicId: Id): Promise<void> {
  const answer = await owner.submit(newCommit(topicId));
  if (answer.errorCode !== 0 || answer.batchErrorCode.length > 0)
    throw new Error(`commit refused: ${answer.errorMessage}`);
}

export async function measureOwnedCommits(pool: Pool, databaseUrl: string, load: Load): Promise<LoopResult> {
  const owner = await openOwner(pool, databaseUrl, newCluster());
  const topicId = await createTopic(owner);
  const result = await runClosedLoop(load, () => commitOnce(owner, topicId));
  await owner.retire();
  return result;
}
