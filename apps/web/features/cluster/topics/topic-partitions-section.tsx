'use client';

import { Card, SkeletonRows } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useLiveTopic } from '../../../lib/live';
import { bytesText, PartitionTable } from './partition-table';
import { TopicMissing } from './topic-missing';

/** The start and end offsets of each partition of a topic. */
export function TopicPartitionsSection({ topicName }: { topicName: string }) {
  const topic = useLiveTopic(topicName);
  if (topic === null) {
    return <TopicMissing topicName={topicName} />;
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
