'use client';

import { Button, Card, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../../lib/session';
import { DataTable } from '../../lib/table';
import { useNow } from '../../lib/time';
import { FailureNotice, useTRPC } from '../../lib/trpc';
import { daysLeft } from './days-left';

/** Deleted clusters that can still be restored. Renders nothing when there are none. */
export function DeletedClusters() {
  const trpc = useTRPC();
  const mayRestore = useMay()('cluster:delete');
  const queryClient = useQueryClient();
  const toast = useToast();
  const nowMs = useNow();
  const deleted = useQuery(trpc.cluster.listDeleted.queryOptions());
  const restore = useMutation(
    trpc.cluster.restore.mutationOptions({
      onSuccess: async (cluster) => {
        toast({
          title: `“${cluster.name}” restored`,
          description: 'Its topics, offsets, groups and keys are available again.',
        });
        await Promise.all([
          queryClient.invalidateQueries(trpc.cluster.list.queryFilter()),
          queryClient.invalidateQueries(trpc.cluster.listDeleted.queryFilter()),
        ]);
      },
    }),
  );
  if (deleted.data === undefined || deleted.data.length === 0) {
    return null;
  }
  return (
    <Card
      title="Deleted clusters"
      description="Agents can’t connect. Clusters are permanently deleted after 30 days."
      flush
    >
      {restore.error === null ? null : (
        <div className="p-4">
          <FailureNotice error={restore.error} />
        </div>
      )}
      <DataTable
        label="Deleted clusters"
        noun="cluster"
        isPlain
        rows={deleted.data}
        rowKey={({ id }) => id}
        actions={({ id, name }) =>
          mayRestore ? (
            <Button
              size="sm"
              pending={restore.isPending && restore.variables.clusterId === id}
              onClick={() => restore.mutate({ clusterId: id })}
              aria-label={`Restore ${name}`}
            >
              Restore
            </Button>
          ) : null
        }
        actionsPlace={{ stack: 'aside' }}
        columns={[
          {
            key: 'name',
            header: 'Name',
            stack: 'title',
            className: 'font-medium text-ink',
            value: ({ name }) => name,
          },
          { key: 'deleted', header: 'Deleted', label: 'Deleted', value: ({ deletedAt }) => deletedAt },
          {
            key: 'left',
            header: 'Days left',
            label: 'Days left',
            numeric: true,
            value: ({ purgeAt }) => (purgeAt === null ? null : daysLeft(purgeAt.getTime(), nowMs)),
          },
        ]}
      />
    </Card>
  );
}
