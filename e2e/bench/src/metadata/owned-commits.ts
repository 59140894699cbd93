// Commits through an owner: offsets in memory, one journal entry per group commit. In this process, on a journal in PostgreSQL.
import { randomUUID } from 'node:crypto';
import { JobPlans, Owner, randomIds, recover, systemClock } from '@penstock/metadata';
import type { Id } from '@penstock/metadata-core';
import { type ClusterIdentity, MemoryDeadFiles, PostgresJournal } from '@penstock/metadata-journal';
import { createLogger } from '@penstock/platform';
import type { Pool } from 'pg';
import type { Load } from '../closed-loop.ts';
import { cpuSeconds, cpuSecondsOfTree } from '../process-usage.ts';
import type { BenchServer } from './bench-server.ts';
import { type MeasuredCommits, measureWithCpu } from './cpu-shares.ts';
import { newCommit, RUNS_PER_COMMIT } from './workload.ts';

export function newCluster(): ClusterIdentity {
  return { clusterId: randomUUID(), organizationId: 'bench' };
}

export async function openOwner(pool: Pool, cluster: ClusterIdentity): Promise<Owner> {
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
      journalKeptMs: 0,
      deadFiles: new MemoryDeadFiles(),
      restoreWindowMs: 0,
      jobPlans: new JobPlans([{ id: 1, secret: 'the root secret of a benchmark' }], cluster.clusterId),
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
  if (results[0]?.errorCode !== 0) {
    throw new Error(`the topic was not created: ${results[0]?.errorMessage}`);
  }
  return topicId;
}

export async function commitOnce(owner: Owner, topicId: Id): Promise<void> {
  const answer = await owner.submit(newCommit(topicId));
  if (answer.errorCode !== 0 || answer.batchErrorCode.length > 0) {
    throw new Error(`commit refused: ${answer.errorMessage}`);
  }
}

export async function measureOwnedCommits(pool: Pool, server: BenchServer, load: Load): Promise<MeasuredCommits> {
  const owner = await openOwner(pool, newCluster());
  const topicId = await createTopic(owner);
  const usedSeconds = {
    benchmark_and_owner: () => cpuSeconds(process.pid),
    postgresql: () => cpuSecondsOfTree(server.pid),
  };
  const result = await measureWithCpu(load, usedSeconds, () => commitOnce(owner, topicId));
  await owner.retire();
  return result;
}
