'use client';

import { updateClusterInput } from '@penstock/api/inputs';
import { Card, Skeleton, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MODE_NAMES, ModeChoice } from '../../../lib/cluster-modes';
import { Controller, Form, useForm, useWatch } from '../../../lib/forms';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../../lib/trpc';
import { IntentLink } from '../../shell';
import type { Cluster } from '../cluster-frame';
import { useRefreshCluster } from './use-refresh-cluster';

/** The mode of the cluster: what it costs, what it limits, and whether the cluster fits another one now. */
export function ModeCard({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const modes = useQuery(trpc.cluster.previewModes.queryOptions({ clusterId: cluster.id }));
  return (
    <Card
      title="Mode"
      description={
        <>
          Sets the price of a cluster-minute and the limits of the cluster. See{' '}
          <IntentLink href="/docs/pricing" className="font-medium text-accent-ink underline underline-offset-4">
            what is counted
          </IntentLink>
          .
        </>
      }
    >
      {modes.data !== undefined ? (
        <ModeForm key={cluster.mode} cluster={cluster} modes={modes.data} />
      ) : modes.error === null ? (
        <Skeleton className="h-40 rounded-lg" />
      ) : (
        <FailureNotice error={modes.error} onRetry={() => void modes.refetch()} />
      )}
    </Card>
  );
}

function ModeForm({ cluster, modes }: { cluster: Cluster; modes: RouterOutputs['cluster']['previewModes'] }) {
  const trpc = useTRPC();
  const toast = useToast();
  const queryClient = useQueryClient();
  const refresh = useRefreshCluster();
  const update = useMutation(
    trpc.cluster.update.mutationOptions({
      onSuccess: async (updated) => {
        toast({
          title: `Mode changed to ${MODE_NAMES[updated.mode]}`,
          description: 'Agents apply it within seconds. The new price counts from the next minute.',
        });
        await Promise.all([
          refresh(updated.id),
          queryClient.invalidateQueries(trpc.cluster.previewModes.queryFilter({ clusterId: updated.id })),
        ]);
      },
    }),
  );
  const form = useForm({
    initial: { mode: cluster.mode },
    schema: updateClusterInput,
    toInput: ({ mode }) => ({ clusterId: cluster.id, mode }),
    send: update.mutateAsync,
  });
  const mode = useWatch({ control: form.control, name: 'mode' });
  const priceOf = (wanted: string) => modes.find((offer) => offer.mode === wanted)?.usdPerMonth;
  const chosen = modes.find((offer) => offer.mode === mode);
  const isWithinLimits = chosen?.maxPartitions !== null && chosen?.warning === null;
  return (
    <Form form={form} labels={['Change mode', 'Changing…']} isSubmitDisabled={mode === cluster.mode}>
      <Controller
        control={form.control}
        name="mode"
        render={({ field }) => <ModeChoice offers={modes} value={field.value} onChange={field.onChange} />}
      />
      {mode === cluster.mode ? null : (
        <p role="status" className="text-ink text-sm leading-6">
          The price of this cluster changes from <span className="nums">{priceOf(cluster.mode)}</span> to{' '}
          <span className="nums">{priceOf(mode)}</span> a month, from the next minute. Agents keep running.
          {isWithinLimits ? ' The cluster’s partitions and its writes in the last hour are within the limits.' : null}
        </p>
      )}
    </Form>
  );
}
