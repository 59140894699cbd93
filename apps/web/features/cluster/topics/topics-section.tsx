'use client';

import { Button, Card, EmptyState, SkeletonRows } from '@penstock/ui';
import { ListTree, Plus } from 'lucide-react';
import { useState } from 'react';
import { type LiveTopicRow, useLiveTopics } from '../../../lib/live';
import { clusterPath } from '../../../lib/routes';
import { useMay } from '../../../lib/session';
import { IntentLink } from '../../shell';
import { CreateTopicDialog } from './create-topic-dialog';
import { DeleteTopicDialog } from './delete-topic-dialog';
import { TopicConfigsDialog } from './topic-configs-dialog';
import { TopicTable } from './topic-table';

export function TopicsSection({ clusterId }: { clusterId: string }) {
  const topics = useLiveTopics();
  const mayWrite = useMay()('topic:write');
  const [isCreating, setIsCreating] = useState(false);
  const [configuring, setConfiguring] = useState<LiveTopicRow | null>(null);
  const [deleting, setDeleting] = useState<LiveTopicRow | null>(null);
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
        {...(topics === null || topics.length === 0 || !mayWrite ? {} : { actions: createButton })}
        flush
      >
        {topics === null ? (
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
          <TopicTable
            clusterId={clusterId}
            topics={topics}
            onConfigure={mayWrite ? setConfiguring : null}
            onDelete={mayWrite ? setDeleting : null}
          />
        )}
      </Card>
      <CreateTopicDialog clusterId={clusterId} open={isCreating} onClose={() => setIsCreating(false)} />
      <TopicConfigsDialog clusterId={clusterId} topic={configuring} onClose={() => setConfiguring(null)} />
      <DeleteTopicDialog clusterId={clusterId} topic={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}
