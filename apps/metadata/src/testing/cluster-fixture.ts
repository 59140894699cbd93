// One virtual cluster with its own journal and clock, and owners that a test opens, pauses and replaces.
import { randomUUID } from 'node:crypto';
import type { ClusterState, CommitFile, Id } from '@penstock/metadata-core';
import { MemoryDeadFiles, MemoryStops } from '@penstock/metadata-journal';
import { createLogger, newId } from '@penstock/platform';
import { HistoryGuard } from '../owners/history-guard.ts';
import { randomIds } from '../owners/ids.ts';
import { JobPlans } from '../owners/job-plans.ts';
import { Owner } from '../owners/owner.ts';
import { Quarantine } from '../owners/quarantine.ts';
import { recover } from '../owners/recovery.ts';
import { ControlledJournal } from './controlled-journal.ts';
import { ManualClock } from './manual-clock.ts';

export const silentLogger = createLogger({ name: 'test', level: 'silent' });

export class ClusterFixture {
  readonly cluster = { clusterId: randomUUID(), organizationId: 'org' };
  readonly journal = new ControlledJournal();
  readonly clock = new ManualClock();
  /** Where owners of this fixture report that entries are lost. */
  readonly stops = new MemoryStops(() => this.clock.nowMs());
  readonly deadFiles = new MemoryDeadFiles();
  restoreWindowMs = 0;
  /** Undefined: the limit of production. */
  maxDeadFiles: number | undefined;
  isLeaseValid = true;
  /** The quarantine of the process in which this fixture's owners run. */
  quarantine = new Quarantine();
  /** Called with each state that was loaded, before its owner opens. */
  onLoaded: ((state: ClusterState) => void) | undefined;

  /** Opens an owner, as a process does that has just acquired the lease. */
  async open(): Promise<Owner> {
    const onSnapshotUnreadable = (): void => undefined;
    const recovered = await recover(this.journal, this.cluster, this.clock, { onSnapshotUnreadable });
    this.onLoaded?.(recovered.state);
    const { journal, stops, clock } = this;
    const guard = new HistoryGuard({ journal, stops, clock, logger: silentLogger });
    return new Owner(
      {
        cluster: this.cluster,
        journal: this.journal,
        clock: this.clock,
        ids: randomIds,
        logger: silentLogger,
        initialRebalanceDelayMs: 500,
        journalKeptMs: 0,
        deadFiles: this.deadFiles,
        restoreWindowMs: this.restoreWindowMs,
        maxDeadFiles: this.maxDeadFiles,
        jobPlans: new JobPlans(
          [{ id: 1, secret: 'a root secret of tests, of more than 32 characters' }],
          this.cluster.clusterId,
        ),
        quarantine: this.quarantine,
        isLeaseValid: () => this.isLeaseValid,
        onHistoryLost: (loss) => guard.lost(this.cluster.clusterId, loss),
        onClosed: () => undefined,
      },
      recovered,
    );
  }

  /** Creates a topic and returns its id. */
  async createTopic(owner: Owner, name: string, partitions = 1): Promise<Id> {
    const topicId = randomIds.uuidBytes();
    const { results } = await owner.submit({
      kind: 'create-topics',
      topics: [{ name, topicId, partitions, configs: [] }],
      validateOnly: false,
    });
    if (results[0]?.errorCode !== 0) {
      throw new Error(`topic ${name} was not created: ${results[0]?.errorMessage}`);
    }
    return topicId;
  }

  /** A data file of one batch per partition. */
  commit(topicId: Id, partitions: readonly number[], records = 1): CommitFile {
    return commitOf(topicId, partitions, records, this.clock.nowMs());
  }
}

/** A data file with one batch of `records` records of 100 bytes for each partition. */
export function commitOf(topicId: Id, partitions: readonly number[], records: number, nowMs: number): CommitFile {
  const count = partitions.length;
  const batchBytes = 61 + records * 100;
  return {
    kind: 'commit-file',
    fileId: Buffer.from(newId(nowMs).replaceAll('-', ''), 'hex'),
    fileBytes: count * batchBytes,
    topicIds: [topicId],
    runTopic: new Uint32Array(count),
    runPartition: Uint32Array.from(partitions),
    runPosition: Float64Array.from(partitions, (_, run) => run * batchBytes),
    runBatches: new Uint32Array(count).fill(1),
    batchBytes: new Uint32Array(count).fill(batchBytes),
    batchRecords: new Uint32Array(count).fill(records),
    batchMaxTimestampMs: new Float64Array(count).fill(nowMs),
    batchUncompressedBytes: new Float64Array(count).fill(batchBytes * 2),
    producers: null,
  };
}
