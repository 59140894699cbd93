'use client';

import { Card, EmptyState } from '@penstock/ui';
import { Users } from 'lucide-react';
import { useLiveConsumers, useLiveTopic } from '../../../lib/live';
import { clusterPath } from '../../../lib/routes';
import { DataTable } from '../../../lib/table';
import { QueryState } from '../../../lib/trpc';
import { IntentLink } from '../../shell';
import { GroupStateBadge } from '../groups/group-state-badge';
import { lagTimeText } from '../groups/lag-text';
import { TopicMissing } from './topic-missing';

/** The groups that read a topic, the furthest behind first. */
export function TopicConsumersSection({ clusterId, topicName }: { clusterId: string; topicName: string }) {
  const topic = useLiveTopic(topicName);
  const consumers = useLiveConsumers(topicName);
  if (topic === null) {
    return <TopicMissing topicName={topicName} />;
  }
  return (
    <Card
      title="Consumers"
      description="Groups with members or committed offsets on this topic. Lag counts this topic only."
      flush
    >
      <QueryState
        query={consumers}
        label="Loading consumers"
        empty={
          <EmptyState icon={<Users />} title="No group reads this topic">
            A group appears here when one of its consumers is assigned a partition of this topic or commits an offset.{' '}
            <IntentLink
              href={clusterPath(clusterId, 'connect')}
              className="font-medium text-accent-ink underline underline-offset-4"
            >
              See client examples
            </IntentLink>
          </EmptyState>
        }
      >
        {(groups) => (
          <DataTable
            label={`Consumers of ${topicName}`}
            noun="group"
            address=""
            filterBy="group"
            rows={groups}
            rowKey={({ groupId }) => groupId}
            columns={[
              {
                key: 'group',
                header: 'Group',
                stack: 'title',
                className: 'break-all font-medium text-ink',
                value: ({ groupId }) => groupId,
                search: 'value',
                cell: ({ groupId }) => (
                  <IntentLink
                    href={`${clusterPath(clusterId, 'groups')}?${new URLSearchParams({ group: groupId, filter: groupId }).toString()}`}
                    className="underline-offset-4 hover:underline"
                  >
                    {groupId}
                  </IntentLink>
                ),
              },
              {
                key: 'state',
                header: 'State',
                stack: 'aside',
                value: ({ state }) => state,
                cell: ({ state }) => <GroupStateBadge state={state} />,
              },
              {
                key: 'time',
                header: 'Longest lag',
                label: 'Lag',
                numeric: true,
                value: ({ lagSeconds }) => lagSeconds,
                cell: ({ lagSeconds }) => lagTimeText(lagSeconds),
              },
              {
                key: 'records',
                header: 'Lag (records)',
                label: 'Records behind',
                numeric: true,
                value: ({ lagRecords }) => lagRecords,
              },
              { key: 'members', header: 'Members', label: 'Members', numeric: true, value: ({ members }) => members },
              {
                key: 'partitions',
                header: 'Partitions',
                label: 'Partitions',
                numeric: true,
                value: ({ partitions }) => partitions,
              },
            ]}
          />
        )}
      </QueryState>
    </Card>
  );
}
