'use client';

import { Card, Notice, SkeletonRows } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useLiveTopic } from '../../../lib/live';
import { bytesText, PartitionTable } from './partition-table';

/** The start and end offsets of each partition of a topic. */
export function TopicPartitionsSection({ topicName }: { topicName: string }) {
  const topic = useLiveTopic(topicName);
  if (topic === null) {
    return (
      <Notice tone="warn" title={`Topic “${topicName}” doesn’t exist`}>
        It may have been deleted. Go back to the list of topics.
      </Notice>
    );
  }
  return (
    <Card
      title="Partitions"
      {...(topic === undefined
        ? {}
        : { description: `${formatCount(topic.records)} records, ${bytesText(topic.storedBytes)} stored.` })}
    >
      {topic === undefined ? <SkeletonRows rows={4} label="Loading the topic" /> : <PartitionTable topic={topic} />}
    </Card>
  );
}
