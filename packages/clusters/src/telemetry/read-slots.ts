// Reads stored samples. Their tables are partitioned, which Prisma's models cannot describe.
import { Prisma, type Transaction } from '@penstock/database/client';
import type { Level } from '@penstock/telemetry';

export interface SlotRange {
  clusterId: string;
  level: Level;
  startMs: number;
  /** End of the range, exclusive. */
  endMs: number;
}

export interface StoredSlot {
  slotMs: number;
  /** An agent's id, or a zone. */
  owner: string;
  bytes: Uint8Array;
}

interface Row {
  slot: Date;
  owner: string;
  sample: Uint8Array;
}

/** The samples of zones within a range, up to the limit. */
export async function readZoneSlots(tx: Transaction, range: SlotRange, limit: number): Promise<StoredSlot[]> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT slot, zone AS owner, sample FROM ${tableOf('zone', range)}
    WHERE cluster_id = ${range.clusterId}::uuid AND slot >= ${new Date(range.startMs)} AND slot < ${new Date(range.endMs)}
    ORDER BY slot LIMIT ${limit}`;
  return rows.map(toSlot);
}

/** The samples of all zones of these clusters within a range, up to the limit, each with its cluster. */
export async function readZoneSlotsOfClusters(
  tx: Transaction,
  clusterIds: readonly string[],
  range: Omit<SlotRange, 'clusterId'>,
  limit: number,
): Promise<StoredSlot[]> {
  if (clusterIds.length === 0) {
    return [];
  }
  const rows = await tx.$queryRaw<Row[]>`
    SELECT slot, cluster_id::text AS owner, sample FROM ${tableOf('zone', range)}
    WHERE cluster_id = ANY(${[...clusterIds]}::uuid[])
      AND slot >= ${new Date(range.startMs)} AND slot < ${new Date(range.endMs)}
    ORDER BY slot LIMIT ${limit}`;
  return rows.map(toSlot);
}

/** The samples of these agents within a range. */
export async function readAgentSlots(
  tx: Transaction,
  range: SlotRange,
  agents: readonly { agentNo: bigint; agentId: string }[],
): Promise<StoredSlot[]> {
  if (agents.length === 0) {
    return [];
  }
  const agentIds = new Map(agents.map(({ agentNo, agentId }) => [String(agentNo), agentId]));
  const rows = await tx.$queryRaw<Row[]>`
    SELECT slot, agent_no::text AS owner, sample FROM ${tableOf('agent', range)}
    WHERE cluster_id = ${range.clusterId}::uuid AND slot >= ${new Date(range.startMs)} AND slot < ${new Date(range.endMs)}
      AND agent_no = ANY(${[...agentIds.keys()]}::bigint[])
    ORDER BY slot`;
  return rows.map((row) => ({ ...toSlot(row), owner: agentIds.get(row.owner) ?? row.owner }));
}

function toSlot({ slot, owner, sample }: Row): StoredSlot {
  return { slotMs: slot.getTime(), owner, bytes: sample };
}

/** Table names come from our code, not from input. */
function tableOf(kind: 'agent' | 'zone', { level }: Pick<SlotRange, 'level'>): Prisma.Sql {
  return Prisma.raw(`telemetry."${kind}_${level}"`);
}
