'use client';

import { Button } from '@penstock/ui';
import { formatCountOf } from '@penstock/units';
import { useMemo, useState } from 'react';
import { type LiveGroup, useLiveTopics } from '../../../lib/live';
import { useMay } from '../../../lib/session';
import { DataTable } from '../../../lib/table';
import { DeleteGroupDialog } from './delete-group-dialog';
import { assignedCount, groupPartitions } from './group-partitions';
import { lagTimeText } from './lag-text';
import { ResetOffsetsDialog } from './reset-offsets-dialog';

/** The members of a group and the lag of each partition. */
export function GroupDetails({ clusterId, group }: { clusterId: string; group: LiveGroup }) {
  const mayChange = useMay()('topic:write');
  const [isResetting, setIsResetting] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  // Offsets of a deleted topic cannot be reset.
  const existing = useLiveTopics();
  const topics = [...new Set(group.offsets.map(({ topic }) => topic))]
    .filter((name) => existing?.some((topic) => topic.name === name))
    .sort();
  const mayReset = mayChange && topics.length > 0;
  const mayDelete = mayChange && group.members.length === 0;
  const rows = useMemo(() => groupPartitions(group), [group]);
  return (
    <div className="flex flex-col gap-4">
      {group.members.length === 0 ? (
        <p className="text-[0.8125rem] text-ink-3">No active members. Committed offsets are kept.</p>
      ) : (
        <div>
          <h3 className="mb-2 font-medium text-[0.8125rem] text-ink">
            Members{group.protocolName === '' ? '' : `, ${group.protocolName} assignor`}
            {group.groupEpoch === null ? '' : `, group epoch ${group.groupEpoch}`}
          </h3>
          <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
            {group.members.map((member) => (
              <li key={member.memberId} className="min-w-0 rounded-lg border border-line bg-inset px-3 py-2">
                <p className="truncate font-medium text-[0.8125rem] text-ink">{member.clientId}</p>
                <p className="truncate font-mono text-ink-3 text-xs" title={member.memberId}>
                  {member.memberId}
                </p>
                <p className="truncate text-ink-3 text-xs">
                  {member.clientHost}
                  {member.groupInstanceId === null ? '' : `, instance ${member.groupInstanceId}`}
                </p>
                <p className="truncate text-ink-3 text-xs">{memberText(member)}</p>
              </li>
            ))}
          </ul>
        </div>
      )}
      {rows.length === 0 ? (
        <p className="text-[0.8125rem] text-ink-3">No partitions assigned and no offsets committed yet.</p>
      ) : (
        <DataTable
          label={`Partitions of ${group.groupId}`}
          noun="partition"
          filterBy="topic or member"
          rows={rows}
          rowKey={({ topic, partition }) => `${topic}/${partition}`}
          inView={{ minWidth: '46rem' }}
          columns={[
            {
              key: 'topic',
              header: 'Topic',
              track: '2fr',
              stack: 'title',
              value: ({ topic }) => topic,
              search: 'value',
            },
            {
              key: 'partition',
              header: 'Partition',
              track: '6rem',
              numeric: true,
              stack: 'aside',
              label: 'Partition',
              value: ({ partition }) => partition,
              cell: ({ partition }) => partition,
            },
            {
              key: 'committed',
              header: 'Committed offset',
              label: 'Committed',
              numeric: true,
              value: ({ committedOffset }) =>
                committedOffset === null || committedOffset < 0 ? null : committedOffset,
              none: 'none',
            },
            {
              key: 'lag',
              header: 'Lag (records)',
              label: 'Lag',
              numeric: true,
              value: ({ lagRecords }) => lagRecords,
            },
            {
              key: 'time',
              header: 'Lag (time)',
              label: 'Time',
              numeric: true,
              value: ({ lagSeconds }) => lagSeconds,
              cell: ({ lagSeconds }) => lagTimeText(lagSeconds),
            },
            {
              key: 'member',
              header: 'Member',
              label: 'Member',
              track: '2fr',
              value: ({ member }) => (member === null ? null : `${member.clientId} ${member.clientHost}`),
              search: 'value',
              cell: ({ member }) =>
                member === null ? (
                  <span className="text-ink-3">nobody</span>
                ) : (
                  <span title={`${member.memberId}, ${member.clientHost}`}>
                    {member.clientId}
                    <span className="text-ink-3"> {member.clientHost}</span>
                  </span>
                ),
            },
          ]}
        />
      )}
      {!mayReset && !mayDelete ? null : (
        <div className="flex flex-wrap gap-2">
          {mayReset ? (
            <Button size="sm" onClick={() => setIsResetting(true)}>
              Reset offsets…
            </Button>
          ) : null}
          {mayDelete ? (
            <Button size="sm" variant="quiet" onClick={() => setIsDeleting(true)}>
              Delete group…
            </Button>
          ) : null}
          <ResetOffsetsDialog
            clusterId={clusterId}
            group={group}
            topics={topics}
            open={isResetting}
            onClose={() => setIsResetting(false)}
          />
          <DeleteGroupDialog
            clusterId={clusterId}
            groupId={group.groupId}
            open={isDeleting}
            onClose={() => setIsDeleting(false)}
          />
        </div>
      )}
    </div>
  );
}

/** “3 partitions”, with the epoch of a member that has one and what it waits for. */
function memberText(member: LiveGroup['members'][number]): string {
  const parts = [formatCountOf(assignedCount(member), 'partition')];
  if (member.memberEpoch !== null) {
    parts.push(`epoch ${member.memberEpoch}`);
  }
  if (member.targetAssignment !== null) {
    parts.push('rebalancing');
  }
  return parts.join(', ');
}
