'use client';

import { Button, Card, EmptyState, SkeletonRows } from '@penstock/ui';
import { formatCount } from '@penstock/units';
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

/** From so many topics on, a filter helps more than it disturbs. */
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
        description="Sizes are as stored: batches keep the compression that the producer chose."
        {...(topics.length === 0 || !mayWrite ? {} : { actions: createButton })}
        flush
      >
        {known === null ? (
          <SkeletonRows rows={4} label="Loading topics" />
        ) : topics.length === 0 ? (
          <EmptyState icon={<ListTree />} title="No topics yet" action={mayWrite ? createButton : undefined}>
            {mayWrite ? 'Create one here, or let a client do it: a topic' : 'Let a client create one: a topic'} appears
            with the first record sent to it, unless the cluster’s settings say otherwise.{' '}
            <IntentLink
              href={clusterPath(clusterId, 'connect')}
              className="font-medium text-accent-ink underline underline-offset-4"
            >
              Client snippets
            </IntentLink>
          </EmptyState>
        ) : (
          <>
            {topics.length < FILTER_FROM ? null : (
              <NameFilter
                of="topics"
                value={filter}
                onChange={setFilter}
                status={`${formatCount(shown.length)} of ${formatCount(topics.length)} topics`}
              />
            )}
            {shown.length === 0 ? (
              <EmptyState title="No topic has that in its name">Upper and lower case count.</EmptyState>
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
