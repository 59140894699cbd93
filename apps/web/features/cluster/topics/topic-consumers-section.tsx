'use client';

import { Card, EmptyState, Table, Td, Th, Tr } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { Users } from 'lucide-react';
import { useLiveConsumers, useLiveTopic } from '../../../lib/live';
import { clusterPath } from '../../../lib/routes';
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
          <Table label={`Consumers of ${topicName}`} stacks>
            <thead>
              <tr>
                <Th>Group</Th>
                <Th>State</Th>
                <Th numeric>Longest lag</Th>
                <Th numeric>Lag (records)</Th>
                <Th numeric>Members</Th>
                <Th numeric>Partitions</Th>
              </tr>
            </thead>
            <tbody>
              {groups.map((group) => (
                <Tr key={group.groupId}>
                  <Td stack="title" className="break-all font-medium text-ink">
                    <IntentLink
                      href={`${clusterPath(clusterId, 'groups')}?group=${encodeURIComponent(group.groupId)}`}
                      className="underline-offset-4 hover:underline"
                    >
                      {group.groupId}
                    </IntentLink>
                  </Td>
                  <Td stack="aside">
                    <GroupStateBadge state={group.state} />
                  </Td>
                  <Td label="Lag" numeric>
                    {lagTimeText(group.lagSeconds)}
                  </Td>
                  <Td label="Records behind" numeric>
                    {formatCount(group.lagRecords)}
                  </Td>
                  <Td label="Members" numeric>
                    {formatCount(group.members)}
                  </Td>
                  <Td label="Partitions" numeric>
                    {formatCount(group.partitions)}
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </QueryState>
    </Card>
  );
}
