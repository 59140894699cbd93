'use client';

import { Card, EmptyState, SkeletonRows } from '@penstock/ui';
import { Users } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useLiveGroups } from '../../../lib/live';
import { clusterPath } from '../../../lib/routes';
import { IntentLink } from '../../shell';
import { GroupTable } from './group-table';

export function GroupsSection({ clusterId }: { clusterId: string }) {
  const groups = useLiveGroups();
  // A link from a topic's consumers names the group.
  const named = useSearchParams().get('group');
  return (
    <Card
      title="Consumer groups"
      description="Lag in records is the distance from the committed offset to the high watermark. Lag in time is the age of the oldest unconsumed record, based on record timestamps and accurate to the agents’ flush interval."
      flush
    >
      {groups === null ? (
        <SkeletonRows rows={3} label="Loading consumer groups" />
      ) : groups.length === 0 ? (
        <EmptyState icon={<Users />} title="No consumer groups yet">
          A group appears here when its first consumer joins or commits an offset.{' '}
          <IntentLink
            href={clusterPath(clusterId, 'connect')}
            className="font-medium text-accent-ink underline underline-offset-4"
          >
            See client examples
          </IntentLink>
        </EmptyState>
      ) : (
        <GroupTable clusterId={clusterId} groups={groups} initialGroup={named} />
      )}
    </Card>
  );
}
