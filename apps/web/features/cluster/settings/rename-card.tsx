'use client';

import { updateClusterInput } from '@penstock/api/inputs';
import { Card, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { Form, TextField, useForm } from '../../../lib/forms';
import { useTRPC } from '../../../lib/trpc';
import type { Cluster } from '../cluster-frame';
import { useRefreshCluster } from './use-refresh-cluster';

export function RenameCard({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshCluster();
  const rename = useMutation(
    trpc.cluster.update.mutationOptions({
      onSuccess: async (renamed) => {
        await refresh(renamed.id);
        toast({ title: `Cluster renamed to “${renamed.name}”` });
      },
    }),
  );
  const form = useForm({
    initial: { name: cluster.name },
    schema: updateClusterInput,
    toInput: ({ name }) => ({ clusterId: cluster.id, name }),
    send: rename.mutateAsync,
  });
  return (
    <Card title="Name" description="A display name. Agents and clients use the cluster ID, which never changes.">
      <Form form={form} labels={['Rename', 'Renaming…']}>
        <TextField form={form} name="name" label="Cluster name" className="max-w-sm" />
      </Form>
    </Card>
  );
}
