'use client';

import { updateClusterSettingsInput } from '@penstock/api/inputs';
import { Button, Card, Field, Input, Switch, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { firstFaults, numberOf } from '../../../lib/forms';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import type { Cluster } from '../cluster-frame';
import { useRefreshCluster } from './use-refresh-cluster';

/** Defaults for topics that clients create without explicit settings, how long offsets are kept, and how large batches may be. */
export function TopicDefaultsCard({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshCluster();
  const switchLabelId = useId();
  const switchHintId = useId();
  const [autoCreateTopics, setAutoCreateTopics] = useState(cluster.autoCreateTopics);
  const [partitions, setPartitions] = useState(String(cluster.defaultPartitions));
  const [retention, setRetention] = useState(String(cluster.offsetsRetentionMinutes));
  const [batchBytes, setBatchBytes] = useState(String(cluster.maxUncompressedBatchBytes));
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({});
  const update = useMutation(
    trpc.cluster.updateSettings.mutationOptions({
      onSuccess: async (updated) => {
        await refresh(updated.id);
        toast({ title: 'Topic settings saved', description: 'Agents apply them within seconds.' });
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = updateClusterSettingsInput.safeParse({
      clusterId: cluster.id,
      autoCreateTopics,
      defaultPartitions: numberOf(partitions),
      offsetsRetentionMinutes: numberOf(retention),
      maxUncompressedBatchBytes: numberOf(batchBytes),
    });
    setFaults(parsed.success ? {} : firstFaults(parsed.error));
    if (parsed.success && !update.isPending) {
      update.mutate(parsed.data);
    }
  };
  return (
    <Card title="Topics">
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-5">
        <div className="flex items-start justify-between gap-6">
          <div>
            <p id={switchLabelId} className="font-medium text-ink text-sm">
              Create topics automatically
            </p>
            <p id={switchHintId} className="mt-0.5 text-[0.8125rem] text-ink-3 leading-5">
              Create a topic when a client first writes to it or requests its metadata. When this is off, the client
              gets UNKNOWN_TOPIC_OR_PARTITION.
            </p>
          </div>
          <Switch
            checked={autoCreateTopics}
            onCheckedChange={setAutoCreateTopics}
            aria-labelledby={switchLabelId}
            aria-describedby={switchHintId}
          />
        </div>
        <Field
          label="Default partitions"
          error={faults['defaultPartitions']}
          hint="Used for topics created without a partition count. 1 to 1,024."
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={partitions}
              onChange={(event) => setPartitions(event.target.value)}
              autoComplete="off"
              className="nums max-w-32"
            />
          )}
        </Field>
        <Field
          label="Offset retention (minutes)"
          error={faults['offsetsRetentionMinutes']}
          hint="How long committed offsets are kept after a consumer group last used them. Kafka’s offsets.retention.minutes; 10,080 is 7 days."
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={retention}
              onChange={(event) => setRetention(event.target.value)}
              autoComplete="off"
              className="nums max-w-32"
            />
          )}
        </Field>
        <Field
          label="Largest batch, uncompressed (bytes)"
          error={faults['maxUncompressedBatchBytes']}
          hint="What a compressed batch may decompress to, in topics that don’t set max.uncompressed.batch.bytes. 1,024 to 1,073,741,824; 67,108,864 is 64 MiB."
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={batchBytes}
              onChange={(event) => setBatchBytes(event.target.value)}
              autoComplete="off"
              className="nums max-w-40"
            />
          )}
        </Field>
        {update.error === null ? null : <FailureNotice error={update.error} />}
        <div>
          <Button type="submit" pending={update.isPending}>
            {update.isPending ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </form>
    </Card>
  );
}
