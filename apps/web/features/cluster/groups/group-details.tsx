'use client';

import { Button } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useMemo, useState } from 'react';
import { type LiveGroup, useLiveTopics } from '../../../lib/live';
import { useMay } from '../../../lib/session';
import { VirtualTable } from '../../../lib/virtual-table';
import { DeleteGroupDialog } from './delete-group-dialog';
import { lagTimeText } from './lag-text';
import { ResetOffsetsDialog } from './reset-offsets-dialog';

function byTopicAndPartition(left: LiveGroup['offsets'][number], right: LiveGroup['offsets'][number]): number {
  return left.topic.localeCompare(right.topic) || left.partition - right.partition;
}

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
  const rows = useMemo(() => group.offsets.toSorted(byTopicAndPartition), [group.offsets]);
  return (
    <div className="flex flex-col gap-4">
      {group.members.length === 0 ? (
        <p className="text-[0.8125rem] text-ink-3">No active members. Committed offsets are kept.</p>
      ) : (
        <div>
          <h3 className="mb-2 font-medium text-[0.8125rem] text-ink">
            Members{group.protocolName === '' ? '' : `, ${group.protocolName} assignor`}
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
              </li>
            ))}
          </ul>
        </div>
      )}
      {group.offsets.length === 0 ? (
        <p className="text-[0.8125rem] text-ink-3">No offsets committed yet.</p>
      ) : (
        <VirtualTable
          label={`Lag of ${group.groupId} per partition`}
          rows={rows}
          rowKey={(offset) => `${offset.topic}/${offset.partition}`}
          minWidth="34rem"
          columns={[
            { key: 'topic', header: 'Topic', track: '2fr', stack: 'title', cell: (row) => row.topic },
            {
              key: 'partition',
              header: 'Partition',
              track: '6rem',
              numeric: true,
              stack: 'aside',
              label: 'Partition',
              cell: (row) => row.partition,
            },
            {
              key: 'committed',
              header: 'Committed offset',
              label: 'Committed',
              track: '1fr',
              numeric: true,
              cell: (row) => (row.committedOffset < 0 ? 'none' : formatCount(row.committedOffset)),
            },
            {
              key: 'lag',
              header: 'Lag (records)',
              label: 'Lag',
              track: '1fr',
              numeric: true,
              cell: (row) => formatCount(row.lagRecords),
            },
            {
              key: 'time',
              header: 'Lag (time)',
              label: 'Time',
              track: '1fr',
              numeric: true,
              cell: (row) => lagTimeText(row.lagSeconds),
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
