'use client';

import { updateClusterInput } from '@penstock/api/inputs';
import { Card, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { Form, NumberField, numberOf, SwitchField, useForm } from '../../../lib/forms';
import { useTRPC } from '../../../lib/trpc';
import type { Cluster } from '../cluster-frame';
import { useRefreshCluster } from './use-refresh-cluster';

/** Defaults for topics that clients create without explicit settings, how long offsets are kept, and how large batches may be. */
export function TopicDefaultsCard({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshCluster();
  const update = useMutation(
    trpc.cluster.update.mutationOptions({
      onSuccess: async (updated) => {
        await refresh(updated.id);
        toast({ title: 'Topic settings saved', description: 'Agents apply them within seconds.' });
      },
    }),
  );
  const form = useForm({
    initial: {
      autoCreateTopics: cluster.autoCreateTopics,
      defaultPartitions: String(cluster.defaultPartitions),
      offsetsRetentionMinutes: String(cluster.offsetsRetentionMinutes),
      maxUncompressedBatchBytes: String(cluster.maxUncompressedBatchBytes),
    },
    schema: updateClusterInput,
    toInput: ({ autoCreateTopics, defaultPartitions, offsetsRetentionMinutes, maxUncompressedBatchBytes }) => ({
      clusterId: cluster.id,
      autoCreateTopics,
      defaultPartitions: numberOf(defaultPartitions),
      offsetsRetentionMinutes: numberOf(offsetsRetentionMinutes),
      maxUncompressedBatchBytes: numberOf(maxUncompressedBatchBytes),
    }),
    send: update.mutateAsync,
  });
  return (
    <Card title="Topics">
      <Form form={form} labels={['Save', 'Saving…']}>
        <SwitchField
          form={form}
          name="autoCreateTopics"
          label="Create topics automatically"
          hint="Create a topic when a client first writes to it or requests its metadata. When this is off, the client gets UNKNOWN_TOPIC_OR_PARTITION."
        />
        <NumberField
          form={form}
          name="defaultPartitions"
          label="Default partitions"
          bounds={[1, 1_024]}
          hint="Used for topics created without a partition count."
        />
        <NumberField
          form={form}
          name="offsetsRetentionMinutes"
          label="Offset retention"
          unit="minutes"
          hint="How long committed offsets are kept after a consumer group last used them. Kafka’s offsets.retention.minutes; 10,080 is 7 days."
        />
        <NumberField
          form={form}
          name="maxUncompressedBatchBytes"
          label="Largest batch, uncompressed"
          unit="bytes"
          bounds={[1_024, 1_073_741_824]}
          hint="What a compressed batch may decompress to, in topics that don’t set max.uncompressed.batch.bytes. 67,108,864 is 64 MiB."
        />
      </Form>
    </Card>
  );
}
