// Up to when the usage ledger is complete.
import { Prisma, queriesIn } from '@penstock/database/client';
import { readUnfolded } from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import type { Scope } from '@penstock/tenancy';

interface Metered {
  id: string;
  cell: string;
  /** The last folded entry. */
  seq: bigint;
  /** The time that metering recorded for a cluster of another cell. */
  noted: Date;
}

/**
 * The time before the oldest unfolded journal entry (of one cluster, or of all), or now. The journals of other cells
 * cannot be read here, so the time that metering recorded at its last check is used for them. It is at least some
 * seconds old.
 */
export async function countedUntil({ tx, organizationId, now }: Scope, clusterId?: string): Promise<Date> {
  const clusters = await tx.$queryRaw<Metered[]>`
    SELECT c.id, c.cell, coalesce(p.seq, 0) AS seq,
      coalesce(p.counted_until, nullif(p.entry_at, to_timestamp(0)), c.created_at) AS noted
    FROM virtual_cluster c
    LEFT JOIN metering_checkpoint p ON p.cluster_id = c.id
    WHERE c.organization_id = ${organizationId}
      ${clusterId === undefined ? Prisma.empty : Prisma.sql`AND c.id = ${clusterId}::uuid`}`;
  const [here, elsewhere] = [
    clusters.filter(({ cell }) => cell === MAIN_CELL),
    clusters.filter(({ cell }) => cell !== MAIN_CELL),
  ];
  const unfolded = await readUnfolded(
    queriesIn(tx),
    here.map(({ id, seq }) => ({ clusterId: id, foldedSeq: seq })),
  );
  const times = [...unfolded.values(), ...elsewhere.map(({ noted }) => noted)].map((time) => time.getTime());
  return times.length === 0 ? now : new Date(Math.min(...times));
}
