'use client';

import { Button, Card, Switch, useToast } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { ConfirmDialog } from '../../../lib/forms';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import type { Cluster } from '../cluster-frame';
import { useRefreshCluster } from './use-refresh-cluster';

/** Cluster deletion and deletion protection. */
export function DeleteClusterCard({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const refresh = useRefreshCluster();
  const [isConfirming, setIsConfirming] = useState(false);
  const labelId = useId();
  const hintId = useId();
  const protect = useMutation(
    trpc.cluster.update.mutationOptions({
      onSuccess: async (updated) => {
        await refresh(updated.id);
        toast({
          title: updated.deletionProtection ? 'Deletion protection turned on' : 'Deletion protection turned off',
        });
      },
    }),
  );
  const remove = useMutation(
    trpc.cluster.delete.mutationOptions({
      onSuccess: async (deleted) => {
        await Promise.all([
          queryClient.invalidateQueries(trpc.cluster.list.queryFilter()),
          queryClient.invalidateQueries(trpc.cluster.listDeleted.queryFilter()),
        ]);
        toast({
          title: `“${deleted.name}” deleted`,
          description: 'You can restore it from the list of clusters for 30 days.',
        });
        router.push('/app');
      },
    }),
  );
  const isProtected = cluster.deletionProtection;
  return (
    <Card title="Deletion" tone="danger">
      <div className="flex flex-col gap-5">
        <div className="flex items-start justify-between gap-6">
          <div>
            <p id={labelId} className="font-medium text-ink text-sm">
              Deletion protection
            </p>
            <p id={hintId} className="mt-0.5 text-[0.8125rem] text-ink-3 leading-5">
              While this is on, nobody can delete this cluster from the dashboard or the API.
            </p>
          </div>
          <Switch
            checked={isProtected}
            disabled={protect.isPending}
            onCheckedChange={(deletionProtection) => protect.mutate({ clusterId: cluster.id, deletionProtection })}
            aria-labelledby={labelId}
            aria-describedby={hintId}
          />
        </div>
        {protect.error === null ? null : <FailureNotice error={protect.error} />}
        <div className="flex flex-wrap items-center justify-between gap-4 border-line border-t pt-5">
          <p className="max-w-md text-ink-2 text-sm leading-6">
            Agents and clients lose access immediately. You can restore the cluster for 30 days. After that, its
            metadata is permanently deleted. Objects in your bucket aren’t deleted.
          </p>
          <Button variant="danger" disabled={isProtected} onClick={() => setIsConfirming(true)}>
            Delete cluster
          </Button>
        </div>
        {isProtected ? (
          <p className="text-[0.8125rem] text-ink-3">To delete this cluster, turn off deletion protection first.</p>
        ) : null}
      </div>
      <ConfirmDialog
        open={isConfirming}
        title={`Delete ${cluster.name}?`}
        expected={cluster.name}
        labels={['Delete cluster', 'Deleting…']}
        onClose={() => setIsConfirming(false)}
        onConfirm={(confirmation) => remove.mutateAsync({ clusterId: cluster.id, confirmation })}
      >
        All agents of this cluster stop serving clients within seconds. You can restore the cluster for 30 days.
      </ConfirmDialog>
    </Card>
  );
}
