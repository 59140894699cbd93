import { Td, Tr } from '@penstock/ui';
import { DAY_MS, formatCount, MINUTE_MS } from '@penstock/units';
import limits from '../reference/limits.json' with { type: 'json' };
import { ReferenceTable } from './reference-tables';

function duration(milliseconds: number): string {
  if (milliseconds >= DAY_MS) {
    return milliseconds === DAY_MS ? '1 day' : `${milliseconds / DAY_MS} days`;
  }
  return milliseconds >= MINUTE_MS ? `${milliseconds / MINUTE_MS} min` : `${milliseconds / 1_000} s`;
}

function mebibytes(bytes: number): string {
  return `${formatCount(bytes / 1024 ** 2)} MiB`;
}

const ROWS: readonly (readonly [string, string])[] = [
  ['Partitions of a virtual cluster', formatCount(limits.MAX_PARTITIONS_PER_CLUSTER)],
  ['Partitions of a Dev cluster', formatCount(limits.MAX_PARTITIONS_PER_DEV_CLUSTER)],
  ['Agents of a virtual cluster', formatCount(limits.MAX_AGENTS)],
  ['Length of a topic name, in characters', formatCount(limits.MAX_TOPIC_NAME_CHARS)],
  ['Consumer groups', formatCount(limits.MAX_GROUPS)],
  ['Members of a consumer group', formatCount(limits.MAX_MEMBERS_PER_GROUP)],
  ['Groups with their members, metadata and assignments, together', mebibytes(limits.MEMORY_LIMITS.groups)],
  ['Committed offsets with their metadata, of all groups together', mebibytes(limits.MEMORY_LIMITS.offsets)],
  ['Transactional IDs and open transactions, together', mebibytes(limits.MEMORY_LIMITS.transactions)],
  ['Names and configs of topics, together', mebibytes(limits.MEMORY_LIMITS.topics)],
  ['Groups with configs of their own', formatCount(limits.MAX_GROUP_CONFIGS)],
  [
    'Session time-out of a member',
    `${duration(limits.MIN_SESSION_TIMEOUT_MS)} to ${duration(limits.MAX_SESSION_TIMEOUT_MS)}`,
  ],
  ['Metadata of a committed offset, in bytes', formatCount(limits.MAX_OFFSET_METADATA_BYTES)],
  [
    'Committed offsets of a group without members are kept for, by default',
    duration(limits.DEFAULT_OFFSETS_RETENTION_MINUTES * MINUTE_MS),
  ],
  ['An unused producer ID expires after', duration(limits.PRODUCER_EXPIRATION_MS)],
  ['Batches per producer that are recognized when resent', formatCount(limits.REMEMBERED_BATCHES_PER_PRODUCER)],
  ['A data file can be committed within', duration(limits.FILE_ID_MAX_AGE_MS)],
  ['An unreferenced data file is deleted after', duration(limits.DELETION_GRACE_MS)],
];

/** The limits that the metadata service enforces per cluster. */
export function LimitTable() {
  return (
    <ReferenceTable label="Limits" heads={['Item', 'Limit']} stacks={false}>
      {ROWS.map(([what, limit]) => (
        <Tr key={what}>
          <Td className="text-ink">{what}</Td>
          <Td className="nums">{limit}</Td>
        </Tr>
      ))}
    </ReferenceTable>
  );
}
