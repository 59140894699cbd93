'use client';

import { createClusterInput } from '@penstock/api/inputs';
import { Dialog, Skeleton } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import type { ComponentProps } from 'react';
import { CLOUDS, type CloudValue, cloudOf } from '../../lib/cloud';
import { ModeChoice } from '../../lib/cluster-modes';
import { Controller, Form, SelectField, TextField, useForm, useWatch } from '../../lib/forms';
import { clusterPath } from '../../lib/routes';
import { FailureNotice, useTRPC } from '../../lib/trpc';

export function CreateClusterDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      isWide
      title="Create virtual cluster"
      description="Ready immediately. You pay for writes and for each minute in which at least one agent of the cluster was alive. Without agents, it costs nothing."
    >
      <CreateClusterForm onCancel={onClose} />
    </Dialog>
  );
}

interface Values {
  name: string;
  cloud: CloudValue;
  region: string;
  mode: ComponentProps<typeof ModeChoice>['value'];
}

function CreateClusterForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const modes = useQuery(trpc.cluster.modes.queryOptions());
  const create = useMutation(
    trpc.cluster.create.mutationOptions({
      onSuccess: async (cluster) => {
        await queryClient.invalidateQueries(trpc.cluster.list.queryFilter());
        router.push(clusterPath(cluster.id, 'connect'));
      },
    }),
  );
  const initial: Values = { name: '', cloud: 'aws', region: cloudOf('aws').regionHint, mode: 'standard' };
  const form = useForm({ initial, schema: createClusterInput, send: create.mutateAsync });
  const region = useWatch({ control: form.control, name: 'region' });
  return (
    <Form form={form} labels={['Create cluster', 'Creating…']} onCancel={onCancel}>
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="A display name. You can change it later."
        placeholder="orders-production"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          form={form}
          name="cloud"
          label="Where agents run"
          options={CLOUDS}
          onChosen={(cloud) => {
            // A suggested region changes with the cloud; a typed one does not.
            if (CLOUDS.some(({ regionHint }) => regionHint === region)) {
              form.setValue('region', cloudOf(cloud).regionHint);
            }
          }}
        />
        <TextField
          form={form}
          name="region"
          label="Region"
          hint="A label to help you recognize the cluster. It has no effect on agents."
        />
      </div>
      {modes.data !== undefined ? (
        <Controller
          control={form.control}
          name="mode"
          render={({ field }) => <ModeChoice offers={modes.data} value={field.value} onChange={field.onChange} />}
        />
      ) : modes.error === null ? (
        <Skeleton className="h-40 rounded-lg" />
      ) : (
        <FailureNotice error={modes.error} onRetry={() => void modes.refetch()} />
      )}
    </Form>
  );
}
