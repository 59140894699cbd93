'use client';

import { ActionsTh, Button, Card, Table, Td, Th, Tr, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../../lib/session';
import { DateTime, useNow } from '../../lib/time';
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
      <Table label="Deleted clusters" stacks>
        <thead>
          <tr>
            <Th>Name</Th>
            <Th>Deleted</Th>
            <Th numeric>Days left</Th>
            <ActionsTh />
          </tr>
        </thead>
        <tbody>
          {deleted.data.map((cluster) => (
            <Tr key={cluster.id}>
              <Td className="font-medium text-ink" stack="title">
                {cluster.name}
              </Td>
              <Td label="Deleted">
                {cluster.deletedAt === null ? null : <DateTime timeMs={cluster.deletedAt.getTime()} />}
              </Td>
              <Td numeric label="Days left">
                {cluster.purgeAt === null ? null : daysLeft(cluster.purgeAt.getTime(), nowMs)}
              </Td>
              <Td className="text-right" stack="aside">
                {mayRestore ? (
                  <Button
                    size="sm"
                    pending={restore.isPending && restore.variables.clusterId === cluster.id}
                    onClick={() => restore.mutate({ clusterId: cluster.id })}
                    aria-label={`Restore ${cluster.name}`}
                  >
                    Restore
                  </Button>
                ) : null}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
