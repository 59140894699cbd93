'use client';

import { Card, EmptyState, SkeletonRows } from '@penstock/ui';
import { formatPartOf } from '@penstock/units';
import { Users } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useDeferredValue, useMemo, useState } from 'react';
import { useLiveGroups } from '../../../lib/live';
import { clusterPath } from '../../../lib/routes';
import { IntentLink } from '../../shell';
import { NameFilter } from '../name-filter';
import { GroupTable } from './group-table';

/** The filter appears from this many groups on. */
const FILTER_FROM = 10;

export function GroupsSection({ clusterId }: { clusterId: string }) {
  const known = useLiveGroups();
  // A link from a topic's consumers names the group.
  const named = useSearchParams().get('group');
  const [filter, setFilter] = useState(named ?? '');
  const groups = known ?? [];
  const wanted = useDeferredValue(filter.trim());
  const shown = useMemo(() => (known ?? []).filter(({ groupId }) => groupId.includes(wanted)), [known, wanted]);
  return (
    <Card
      title="Consumer groups"
      description="Lag in records is the distance from the committed offset to the high watermark. Lag in time is the age of the oldest unconsumed record, based on record timestamps and accurate to the agents’ flush interval."
      flush
    >
      {known === null ? (
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
        <>
          {groups.length < FILTER_FROM && filter === '' ? null : (
            <NameFilter
              of="consumer groups"
              value={filter}
              onChange={setFilter}
              status={formatPartOf(shown.length, groups.length, 'group')}
            />
          )}
          {shown.length > 0 ? (
            <GroupTable clusterId={clusterId} groups={shown} initialGroup={named} />
          ) : (
            <EmptyState title="No groups match">Names are case-sensitive.</EmptyState>
          )}
        </>
      )}
    </Card>
  );
}
