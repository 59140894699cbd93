'use client';

import { SkeletonRows } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useMemo, useState } from 'react';
import { type LiveGroupRow, useLiveGroup } from '../../../lib/live';
import { type VirtualColumn, VirtualTable } from '../../../lib/virtual-table';
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
    (): VirtualColumn<LiveGroupRow>[] => [
      {
        key: 'group',
        header: 'Group',
        stack: 'title',
        track: 'minmax(11rem, 1fr)',
        compare: (left, right) => left.groupId.localeCompare(right.groupId),
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
        compare: (left, right) => (left.maxLagSeconds ?? -1) - (right.maxLagSeconds ?? -1),
        cell: (group) => lagTimeText(group.maxLagSeconds),
      },
      {
        key: 'records',
        header: 'Total lag (records)',
        label: 'Records behind',
        track: '9.5rem',
        numeric: true,
        compare: (left, right) => left.totalLagRecords - right.totalLagRecords,
        cell: (group) => <span data-lag={group.totalLagRecords}>{formatCount(group.totalLagRecords)}</span>,
      },
      {
        key: 'state',
        header: 'State',
        stack: 'aside',
        track: '11rem',
        compare: (left, right) => left.state.localeCompare(right.state),
        cell: (group) => <GroupStateBadge state={group.state} />,
      },
      {
        key: 'type',
        header: 'Type',
        label: 'Type',
        track: '6.5rem',
        compare: (left, right) => left.type.localeCompare(right.type),
        cell: (group) => group.type,
      },
      {
        key: 'members',
        header: 'Members',
        label: 'Members',
        track: '6.5rem',
        numeric: true,
        compare: (left, right) => left.members - right.members,
        cell: (group) => formatCount(group.members),
      },
      {
        key: 'partitions',
        header: 'Partitions',
        stack: 'none',
        track: '7rem',
        numeric: true,
        compare: (left, right) => left.partitions - right.partitions,
        cell: (group) => formatCount(group.partitions),
      },
    ],
    [openId],
  );
  return (
    <VirtualTable<LiveGroupRow>
      label="Consumer groups"
      rows={groups}
      columns={columns}
      rowKey={({ groupId }) => groupId}
      rowData={({ groupId }) => ({ 'data-group': groupId })}
      details={({ groupId }) => (openId === groupId ? <OpenGroup clusterId={clusterId} groupId={groupId} /> : null)}
      minWidth="60rem"
      rowHeightPx={48}
      overscanRows={20}
      className="max-h-[44rem] rounded-b-xl"
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
