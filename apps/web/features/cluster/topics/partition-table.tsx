'use client';

import { formatBytes, formatCount } from '@penstock/units';
import type { LivePartition, LiveTopic } from '../../../lib/live';
import { VirtualTable } from '../../../lib/virtual-table';

export function bytesText(bytes: number): string {
  const { value, unit } = formatBytes(bytes);
  return `${value} ${unit}`;
}

/** All partitions of a topic. */
export function PartitionTable({ topic }: { topic: LiveTopic }) {
  return (
    <VirtualTable<LivePartition>
      label={`Partitions of ${topic.name}`}
      rows={topic.partitions}
      rowKey={(partition) => partition.partition}
      minWidth="34rem"
      columns={[
        {
          key: 'partition',
          header: 'Partition',
          track: '6rem',
          stack: 'title',
          label: 'Partition',
          cell: (row) => row.partition,
        },
        {
          key: 'start',
          header: 'Log start offset',
          label: 'Start',
          track: '1fr',
          numeric: true,
          cell: (row) => formatCount(row.logStartOffset),
        },
        {
          key: 'end',
          header: 'High watermark',
          label: 'End',
          track: '1fr',
          numeric: true,
          cell: (row) => formatCount(row.highWatermark),
        },
        {
          key: 'records',
          header: 'Records',
          stack: 'aside',
          label: 'Records',
          track: '1fr',
          numeric: true,
          cell: (row) => formatCount(row.highWatermark - row.logStartOffset),
        },
        {
          key: 'size',
          header: 'Size',
          track: '7rem',
          numeric: true,
          label: 'Size',
          cell: (row) => bytesText(row.storedBytes),
        },
      ]}
    />
  );
}
