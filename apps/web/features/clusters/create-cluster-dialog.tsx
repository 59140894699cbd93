'use client';

import { createClusterInput } from '@penstock/api/inputs';
import { Button, Dialog, DialogActions, Field, Input, Select, Skeleton } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type ComponentProps, type FormEvent, useState } from 'react';
import { CLOUDS, type CloudValue, cloudOf, isCloud } from '../../lib/cloud';
import { ModeChoice } from '../../lib/cluster-modes';
import { firstFaults } from '../../lib/forms';
import { clusterPath } from '../../lib/routes';
import { FailureNotice, toFailure, useTRPC } from '../../lib/trpc';

export function CreateClusterDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      isWide
      title="Create virtual cluster"
      description="Ready immediately. You pay for writes and for each minute in which at least one agent of the cluster was alive. Without agents, it costs nothing."
    >
      <CreateClusterForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function CreateClusterForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const [name, setName] = useState('');
  const [cloud, setCloud] = useState<CloudValue>('aws');
  const [region, setRegion] = useState<string>(cloudOf('aws').regionHint);
  const [mode, setMode] = useState<ComponentProps<typeof ModeChoice>['value']>('standard');
  const modes = useQuery(trpc.cluster.modes.queryOptions());
  const [faults, setFaults] = useState<Record<string, string>>({});
  const create = useMutation(
    trpc.cluster.create.mutationOptions({
      onSuccess: async (cluster) => {
        await queryClient.invalidateQueries(trpc.cluster.list.queryFilter());
        router.push(clusterPath(cluster.id, 'connect'));
      },
    }),
  );

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = createClusterInput.safeParse({ name, cloud, region, mode });
    setFaults(parsed.success ? {} : firstFaults(parsed.error));
    if (parsed.success && !create.isPending) {
      create.mutate(parsed.data);
    }
  };
  const changeCloud = (value: string) => {
    if (isCloud(value)) {
      // A suggested region changes with the cloud; a typed one does not.
      if (region === cloudOf(cloud).regionHint) {
        setRegion(cloudOf(value).regionHint);
      }
      setCloud(value);
    }
  };
  const failure = create.error === null ? null : toFailure(create.error);
  const refusedName = failure?.field === 'name' ? `${failure.message} ${failure.remedy ?? ''}`.trim() : undefined;

  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field label="Name" error={faults['name'] ?? refusedName} hint="A display name. You can change it later.">
        {(control) => (
          <Input
            {...control}
            value={name}
            onChange={(event) => setName(event.target.value)}
            placeholder="orders-production"
            autoComplete="off"
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Where agents run" error={faults['cloud']}>
          {(control) => <Select {...control} value={cloud} options={CLOUDS} onValueChange={changeCloud} />}
        </Field>
        <Field
          label="Region"
          error={faults['region']}
          hint="A label to help you recognize the cluster. It has no effect on agents."
        >
          {(control) => (
            <Input {...control} value={region} onChange={(event) => setRegion(event.target.value)} autoComplete="off" />
          )}
        </Field>
      </div>
      {modes.data !== undefined ? (
        <ModeChoice offers={modes.data} value={mode} onChange={setMode} />
      ) : modes.error === null ? (
        <Skeleton className="h-40 rounded-lg" />
      ) : (
        <FailureNotice error={modes.error} onRetry={() => void modes.refetch()} />
      )}
      {failure !== null && refusedName === undefined ? <FailureNotice error={create.error} /> : null}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={create.isPending}>
          {create.isPending ? 'Creating…' : 'Create cluster'}
        </Button>
      </DialogActions>
    </form>
  );
}
