// Clusters with a journal across the beginning of a month, folded into the ledger.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { foldBounds, foldJournal } from '../../metering/fold-journal.ts';
import { entryOf, type JournalFixture } from '../../metering/testing/journal-fixture.ts';

export const MONTH = '2026-11';
/** The month begins within these entries; the entries in October belong to another bill. */
export const start = Date.parse('2026-10-31T22:00:00Z');
export const ENTRY_INTERVAL_MS = 60_000;
export const ENTRIES = 400;

export interface TestCluster {
  organizationId: string;
  clusterId: string;
}

/** Makes such clusters in the fixture's database, and changes what is stored of them. */
export function foldedClusters(journals: JournalFixture) {
  /** An organization with one cluster: one entry per minute, each with a cluster-minute and about a GiB. */
  async function newCluster({ isFolded = true } = {}): Promise<TestCluster> {
    const organizationId = `org-${randomUUID()}`;
    const clusterId = randomUUID();
    await journals.pool.query('INSERT INTO organization (id, name, slug) VALUES ($1, $1, $1)', [organizationId]);
    await journals.pool.query(
      `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1, $2, 'events', 'aws', 'x', now())`,
      [clusterId, organizationId],
    );
    const journal = Array.from({ length: ENTRIES }, (_, index) =>
      entryOf(start + index * ENTRY_INTERVAL_MS, {
        files: 1,
        storedBytes: 1_000 + index,
        uncompressedBytes: 2 ** 30 + index,
        records: index + 1,
        clusterMinutes: 1,
        lowLatencyMinutes: index % 4 === 0 ? 1 : 0,
      }),
    );
    await journals.appendAll(clusterId, journal);
    await journals.pool.query('UPDATE metadata_journal SET organization_id = $2 WHERE cluster_id = $1', [
      clusterId,
      organizationId,
    ]);
    if (isFolded) {
      await fold(clusterId);
    }
    return { organizationId, clusterId };
  }

  async function fold(clusterId: string): Promise<void> {
    while (
      !(await foldJournal(journals.metering, journals.cells, clusterId, { bounds: { ...foldBounds, entries: 70 } }))
        .isCaughtUp
    ) {}
  }

  /** Cuts as the metadata service does: behind a snapshot. */
  async function cut(clusterId: string, throughSeq: number): Promise<void> {
    await journals.pool.query(
      `INSERT INTO metadata_snapshot (cluster_id, seq, part, parts, bytes) VALUES ($1, $2, 0, 1, '\\x00')`,
      [clusterId, throughSeq],
    );
    await journals.pool.query('DELETE FROM metadata_journal WHERE cluster_id = $1 AND seq <= $2', [
      clusterId,
      throughSeq,
    ]);
  }

  async function change(text: string, { clusterId }: TestCluster): Promise<void> {
    const { rowCount } = await journals.pool.query(text, [clusterId]);
    expect(rowCount).toBeGreaterThan(0);
  }

  return { newCluster, cut, change };
}
