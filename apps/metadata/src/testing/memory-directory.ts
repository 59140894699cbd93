// The control plane's records of virtual clusters, in memory. A test changes them as the control plane would.
import type { ClusterDirectory, ClusterRecord } from '../owners/cluster-directory.ts';

/** The settings of a new cluster: the defaults of its table. */
const NEW_CLUSTER: Omit<ClusterRecord, 'clusterId' | 'organizationId'> = {
  autoCreateTopics: true,
  defaultPartitions: 12,
  offsetsRetentionMinutes: 10_080,
  maxUncompressedBatchBytes: 67_108_864,
  mode: 'standard',
  writesRefusedReason: null,
  isPaying: false,
  isSuspended: false,
  isDeleted: false,
};

export class MemoryDirectory implements ClusterDirectory {
  readonly #records = new Map<string, ClusterRecord>();

  /** Creates a cluster, by default of the organization `org`. */
  add(clusterId: string, facts: Partial<Omit<ClusterRecord, 'clusterId'>> = {}): void {
    this.#records.set(clusterId, { ...NEW_CLUSTER, organizationId: 'org', ...facts, clusterId });
  }

  /** Changes some facts of a cluster. */
  change(clusterId: string, facts: Partial<Omit<ClusterRecord, 'clusterId' | 'organizationId'>>): void {
    const record = this.#records.get(clusterId);
    if (record === undefined) {
      throw new Error(`no cluster ${clusterId} was added`);
    }
    Object.assign(record, facts);
  }

  async lookUp(clusterIds: readonly string[]): Promise<ClusterRecord[]> {
    return [...new Set(clusterIds)].flatMap((clusterId) => {
      const record = this.#records.get(clusterId);
      return record === undefined ? [] : [{ ...record }];
    });
  }

  async setMaxUncompressedBatchBytes(clusterId: string, bytes: number): Promise<void> {
    const record = this.#records.get(clusterId);
    if (record !== undefined) {
      record.maxUncompressedBatchBytes = bytes;
    }
  }
}
