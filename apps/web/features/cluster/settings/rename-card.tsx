'use client';

import { renameClusterInput } from '@penstock/api/inputs';
import { Button, Card, Field, Input, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../../../lib/forms';
import { FailureNotice, failureText, toFailure, useTRPC } from '../../../lib/trpc';
import type { Cluster } from '../cluster-frame';
import { useRefreshCluster } from './use-refresh-cluster';

export function RenameCard({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshCluster();
  const [name, setName] = useState(cluster.name);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const rename = useMutation(
    trpc.cluster.rename.mutationOptions({
      onSuccess: async (renamed) => {
        await refresh(renamed.id);
        toast({ title: `Cluster renamed to “${renamed.name}”` });
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = renameClusterInput.safeParse({ clusterId: cluster.id, name });
    setFault(parsed.success ? undefined : firstFaults(parsed.error)['name']);
    if (parsed.success && !rename.isPending) {
      rename.mutate(parsed.data);
    }
  };
  const failure = rename.error === null ? null : toFailure(rename.error);
  return (
    <Card title="Name" description="A display name. Agents and clients use the cluster ID, which never changes.">
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-3">
        <Field label="Cluster name" error={fault ?? (failure?.field === 'name' ? failureText(failure) : undefined)}>
          {(control) => (
            <Input
              {...control}
              value={name}
              onChange={(event) => setName(event.target.value)}
              autoComplete="off"
              className="max-w-sm"
            />
          )}
        </Field>
        {failure !== null && failure.field !== 'name' ? <FailureNotice error={rename.error} /> : null}
        <div>
          <Button type="submit" pending={rename.isPending}>
            {rename.isPending ? 'Renaming…' : 'Rename'}
          </Button>
        </div>
      </form>
    </Card>
  );
}
