// Reads and writes the ledger's tables, for the fold and for recomputing bills.
import type { ClientBase } from 'pg';
import type { HourTotals } from './hourly-totals.ts';
import type { AliveMinutes, MeterBlock } from './meter-block.ts';

export interface ClusterHour extends HourTotals {
  clusterId: string;
  organizationId: string;
}

/** Adds totals to the hours of clusters, in one statement. */
export async function addToHours(client: ClientBase, hours: readonly ClusterHour[]): Promise<void> {
  if (hours.length === 0) {
    return;
  }
  await client.query({
    name: 'metering-hours-add',
    text: `INSERT INTO usage_hour AS u (cluster_id, organization_id, hour, uncompressed_bytes, stored_bytes, records, files,
             cluster_minutes, dev_minutes, low_latency_minutes, first_seq, last_seq)
           SELECT h.cluster_id, h.organization_id, to_timestamp(h.ms::double precision / 1000), h.uncompressed, h.stored, h.records, h.files,
             h.minutes, h.dev, h.low_latency, h.first_seq, h.last_seq
           FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::int[],
             $9::int[], $10::int[], $11::bigint[], $12::bigint[])
             AS h (cluster_id, organization_id, ms, uncompressed, stored, records, files, minutes, dev, low_latency, first_seq, last_seq)
           ON CONFLICT (cluster_id, hour) DO UPDATE SET
             uncompressed_bytes = u.uncompressed_bytes + excluded.uncompressed_bytes,
             stored_bytes = u.stored_bytes + excluded.stored_bytes,
             records = u.records + excluded.records,
             files = u.files + excluded.files,
             cluster_minutes = u.cluster_minutes + excluded.cluster_minutes,
             dev_minutes = u.dev_minutes + excluded.dev_minutes,
             low_latency_minutes = u.low_latency_minutes + excluded.low_latency_minutes,
             last_seq = excluded.last_seq`,
    values: [
      hours.map((hour) => hour.clusterId),
      hours.map((hour) => hour.organizationId),
      hours.map((hour) => hour.hourMs),
      hours.map((hour) => hour.uncompressedBytes.toString()),
      hours.map((hour) => hour.storedBytes.toString()),
      hours.map((hour) => hour.records.toString()),
      hours.map((hour) => hour.files.toString()),
      hours.map((hour) => hour.clusterMinutes),
      hours.map((hour) => hour.devMinutes),
      hours.map((hour) => hour.lowLatencyMinutes),
      hours.map((hour) => hour.firstSeq.toString()),
      hours.map((hour) => hour.lastSeq.toString()),
    ],
  });
}

interface BlockRow {
  first_seq: string;
  last_seq: string;
  bytes_per_minute: Record<string, number>;
  alive_minutes: AliveMinutes | null;
  hash: Buffer;
  previous_hash: Buffer;
  seal: Buffer | null;
}

function blockOf(row: BlockRow): MeterBlock {
  return {
    firstSeq: BigInt(row.first_seq),
    lastSeq: BigInt(row.last_seq),
    bytesPerMinute: row.bytes_per_minute,
    aliveMinutes: row.alive_minutes,
    hash: row.hash,
    previousHash: row.previous_hash,
    seal: row.seal,
  };
}

/** The newest blocks of each cluster, newest first. */
export async function readNewestBlocks(
  client: ClientBase,
  clusterIds: readonly string[],
  count: number,
): Promise<Map<string, MeterBlock[]>> {
  const { rows } = await client.query<BlockRow & { cluster_id: string }>({
    name: 'metering-blocks-newest',
    text: `SELECT c.cluster_id, newest.* FROM unnest($1::uuid[]) AS c (cluster_id) CROSS JOIN LATERAL (
             SELECT first_seq, last_seq, bytes_per_minute, alive_minutes, hash, previous_hash, seal FROM metadata_meter_block b
             WHERE b.cluster_id = c.cluster_id ORDER BY first_seq DESC LIMIT $2
           ) newest ORDER BY c.cluster_id, first_seq DESC`,
    values: [clusterIds, count],
  });
  const byCluster = Map.groupBy(rows, (row) => row.cluster_id);
  return new Map([...byCluster].map(([clusterId, own]) => [clusterId, own.map(blockOf)]));
}

/** Blocks of a cluster whose first entry lies after `afterSeq`, oldest first. */
export async function readBlocks(
  client: ClientBase,
  clusterId: string,
  afterSeq: bigint,
  limit: number,
): Promise<MeterBlock[]> {
  const { rows } = await client.query<BlockRow>({
    name: 'metering-blocks',
    text: `SELECT first_seq, last_seq, bytes_per_minute, alive_minutes, hash, previous_hash, seal FROM metadata_meter_block
           WHERE cluster_id = $1 AND first_seq > $2 ORDER BY first_seq LIMIT $3`,
    values: [clusterId, afterSeq.toString(), limit],
  });
  return rows.map(blockOf);
}

export interface ClusterBlock extends MeterBlock {
  clusterId: string;
}

/** Writes new blocks and extended versions of existing ones, in one statement. */
export async function writeBlocks(client: ClientBase, blocks: readonly ClusterBlock[]): Promise<void> {
  await client.query({
    name: 'metering-blocks-write',
    text: `INSERT INTO metadata_meter_block (cluster_id, first_seq, last_seq, bytes_per_minute, alive_minutes, hash, previous_hash, seal)
           SELECT b.* FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::jsonb[], $5::jsonb[], $6::bytea[], $7::bytea[], $8::bytea[]) b
           ON CONFLICT (cluster_id, first_seq) DO UPDATE SET
             last_seq = excluded.last_seq, bytes_per_minute = excluded.bytes_per_minute, alive_minutes = excluded.alive_minutes,
             hash = excluded.hash, seal = excluded.seal`,
    values: [
      blocks.map((block) => block.clusterId),
      blocks.map((block) => block.firstSeq.toString()),
      blocks.map((block) => block.lastSeq.toString()),
      blocks.map((block) => JSON.stringify(block.bytesPerMinute)),
      blocks.map((block) => (block.aliveMinutes === null ? null : JSON.stringify(block.aliveMinutes))),
      blocks.map((block) => asBuffer(block.hash)),
      blocks.map((block) => asBuffer(block.previousHash)),
      blocks.map((block) => (block.seal === null ? null : asBuffer(block.seal))),
    ],
  });
}

/** Returns the bytes as a Buffer, which the driver sends in binary form. It would convert any other view to text. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
