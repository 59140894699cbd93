import { Notice } from '@penstock/ui';

/** Shown on the pages of a topic that does not exist. */
export function TopicMissing({ topicName }: { topicName: string }) {
  return (
    <Notice tone="warn" title={`Topic “${topicName}” doesn’t exist`}>
      It may have been deleted. Go back to the list of topics.
    </Notice>
  );
}
