'use client';

import { formatBytes } from '@penstock/units';
import type { LivePartition, LiveTopic } from '../../../lib/live';
import { DataTable } from '../../../lib/table';

export function bytesText(bytes: number): string {
  const { value, unit } = formatBytes(bytes);
  return `${value} ${unit}`;
}

/** All partitions of a topic. */
export function PartitionTable({ topic }: { topic: LiveTopic }) {
  return (
    <DataTable<LivePartition>
      label={`Partitions of ${topic.name}`}
      noun="partition"
      rows={topic.partitions}
      rowKey={({ partition }) => partition}
      inView={{ minWidth: '34rem' }}
      columns={[
        {
          key: 'partition',
          header: 'Partition',
          track: '6rem',
          stack: 'title',
          label: 'Partition',
          value: ({ partition }) => partition,
          cell: ({ partition }) => partition,
        },
        {
          key: 'start',
          header: 'Log start offset',
          label: 'Start',
          numeric: true,
          value: ({ logStartOffset }) => logStartOffset,
        },
        {
          key: 'end',
          header: 'High watermark',
          label: 'End',
          numeric: true,
          value: ({ highWatermark }) => highWatermark,
        },
        {
          key: 'records',
          header: 'Records',
          stack: 'aside',
          label: 'Records',
          numeric: true,
          value: ({ highWatermark, logStartOffset }) => highWatermark - logStartOffset,
        },
        {
          key: 'size',
          header: 'Size',
          track: '7rem',
          numeric: true,
          label: 'Size',
          value: ({ storedBytes }) => storedBytes,
          cell: ({ storedBytes }) => bytesText(storedBytes),
        },
      ]}
    />
  );
}
