'use client';

import { Button, Card, EmptyState, SkeletonRows } from '@penstock/ui';
import { formatPartOf } from '@penstock/units';
import { ListTree, Plus } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { type LiveTopicRow, useLiveTopics } from '../../../lib/live';
import { clusterPath } from '../../../lib/routes';
import { useMay } from '../../../lib/session';
import { IntentLink } from '../../shell';
import { NameFilter } from '../name-filter';
import { CreateTopicDialog } from './create-topic-dialog';
import { DeleteTopicDialog } from './delete-topic-dialog';
import { TopicConfigsDialog } from './topic-configs-dialog';
import { TopicTable } from './topic-table';

/** The filter appears from this many topics on. */
const FILTER_FROM = 8;

export function TopicsSection({ clusterId }: { clusterId: string }) {
  const known = useLiveTopics();
  const mayWrite = useMay()('topic:write');
  const [isCreating, setIsCreating] = useState(false);
  const [configuring, setConfiguring] = useState<LiveTopicRow | null>(null);
  const [deleting, setDeleting] = useState<LiveTopicRow | null>(null);
  const [filter, setFilter] = useState('');
  const topics = known ?? [];
  const wanted = useDeferredValue(filter.trim());
  const shown = useMemo(() => (known ?? []).filter((topic) => topic.name.includes(wanted)), [known, wanted]);
  const createButton = (
    <Button variant="primary" size="sm" onClick={() => setIsCreating(true)}>
      <Plus aria-hidden />
      Create topic
    </Button>
  );
  return (
    <>
      <Card
        title="Topics"
        description="Sizes are as stored, with the compression that the producer used."
        {...(topics.length === 0 || !mayWrite ? {} : { actions: createButton })}
        flush
      >
        {known === null ? (
          <SkeletonRows rows={4} label="Loading topics" />
        ) : topics.length === 0 ? (
          <EmptyState icon={<ListTree />} title="No topics yet" action={mayWrite ? createButton : undefined}>
            {mayWrite ? 'Create one here, or let a client create it.' : 'Clients can create topics.'} If automatic topic
            creation is on, a topic is created with the first record sent to it.{' '}
            <IntentLink
              href={clusterPath(clusterId, 'connect')}
              className="font-medium text-accent-ink underline underline-offset-4"
            >
              See client examples
            </IntentLink>
          </EmptyState>
        ) : (
          <>
            {topics.length < FILTER_FROM ? null : (
              <NameFilter
                of="topics"
                value={filter}
                onChange={setFilter}
                status={formatPartOf(shown.length, topics.length, 'topic')}
              />
            )}
            {shown.length === 0 ? (
              <EmptyState title="No topics match">Names are case-sensitive.</EmptyState>
            ) : (
              <TopicTable
                clusterId={clusterId}
                topics={shown}
                onConfigure={mayWrite ? setConfiguring : null}
                onDelete={mayWrite ? setDeleting : null}
              />
            )}
          </>
        )}
      </Card>
      <CreateTopicDialog clusterId={clusterId} open={isCreating} onOpenChange={setIsCreating} />
      <TopicConfigsDialog clusterId={clusterId} topic={configuring} onClose={() => setConfiguring(null)} />
      <DeleteTopicDialog clusterId={clusterId} topic={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}
