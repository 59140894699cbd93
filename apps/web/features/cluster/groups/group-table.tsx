'use client';

import { SkeletonRows } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useMemo, useState } from 'react';
import { type LiveGroupRow, useLiveGroup } from '../../../lib/live';
import { type Column, DataTable } from '../../../lib/table';
import { RowToggle } from '../row-toggle';
import { GroupDetails } from './group-details';
import { GroupStateBadge } from './group-state-badge';
import { lagTimeText } from './lag-text';

interface GroupTableProps {
  clusterId: string;
  groups: readonly LiveGroupRow[];
  /** The group that is open at first. */
  initialGroup: string | null;
}

/** All groups; only the visible rows are drawn. One group at a time shows its members and offsets. */
export function GroupTable({ clusterId, groups, initialGroup }: GroupTableProps) {
  const [openId, setOpenId] = useState<string | null>(initialGroup);
  const columns = useMemo(
    (): Column<LiveGroupRow>[] => [
      {
        key: 'group',
        header: 'Group',
        stack: 'title',
        track: 'minmax(11rem, 1fr)',
        value: (row) => row.groupId,
        search: 'value',
        cell: ({ groupId }) => (
          <RowToggle
            name={groupId}
            isOpen={openId === groupId}
            panelId={panelIdOf(groupId)}
            onToggle={() => setOpenId((before) => (before === groupId ? null : groupId))}
          />
        ),
      },
      {
        key: 'time',
        header: 'Longest lag',
        label: 'Lag',
        track: '8.5rem',
        numeric: true,
        value: (row) => row.maxLagSeconds,
        cell: (group) => lagTimeText(group.maxLagSeconds),
      },
      {
        key: 'records',
        header: 'Total lag (records)',
        label: 'Records behind',
        track: '9.5rem',
        numeric: true,
        value: (row) => row.totalLagRecords,
        cell: (group) => <span data-lag={group.totalLagRecords}>{formatCount(group.totalLagRecords)}</span>,
      },
      {
        key: 'state',
        header: 'State',
        stack: 'aside',
        track: '11rem',
        value: (row) => row.state,
        cell: (group) => <GroupStateBadge state={group.state} />,
      },
      {
        key: 'type',
        header: 'Type',
        label: 'Type',
        track: '6.5rem',
        value: (row) => row.type,
      },
      {
        key: 'members',
        header: 'Members',
        label: 'Members',
        track: '6.5rem',
        numeric: true,
        value: (row) => row.members,
      },
      {
        key: 'partitions',
        header: 'Partitions',
        stack: 'none',
        track: '7rem',
        numeric: true,
        value: (row) => row.partitions,
      },
    ],
    [openId],
  );
  return (
    <DataTable<LiveGroupRow>
      label="Consumer groups"
      noun="group"
      address=""
      filterBy="name"
      rows={groups}
      columns={columns}
      rowKey={({ groupId }) => groupId}
      rowData={({ groupId }) => ({ 'data-group': groupId })}
      details={({ groupId }) => (openId === groupId ? <OpenGroup clusterId={clusterId} groupId={groupId} /> : null)}
      inView={{ minWidth: '60rem', className: 'max-h-[44rem] rounded-b-xl', rowHeightPx: 48, overscanRows: 20 }}
    />
  );
}

function panelIdOf(groupId: string): string {
  return `group-${encodeURIComponent(groupId)}`;
}

function OpenGroup({ clusterId, groupId }: { clusterId: string; groupId: string }) {
  const group = useLiveGroup(groupId);
  return (
    <div id={panelIdOf(groupId)}>
      {group == null ? (
        <SkeletonRows rows={3} label="Loading the group" />
      ) : (
        <GroupDetails clusterId={clusterId} group={group} />
      )}
    </div>
  );
}
