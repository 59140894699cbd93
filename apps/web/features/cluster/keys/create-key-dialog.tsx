'use client';

import { createAgentKeyInput } from '@penstock/api/inputs';
import { Button, Dialog, DialogActions, Field, Input } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../../forms';
import { FailureNotice, useTRPC } from '../../trpc';

type CreateKeyDialogProps = {
  clusterId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The secret: hand it to what shows it, keep it nowhere. */
  onCreated: (plaintext: string) => void;
};

export function CreateKeyDialog({ clusterId, open, onOpenChange, onCreated }: CreateKeyDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create an agent key"
      description="It opens this cluster and nothing else. You will see it once."
    >
      <CreateKeyForm clusterId={clusterId} onCancel={() => onOpenChange(false)} onCreated={onCreated} />
    </Dialog>
  );
}

type CreateKeyFormProps = { clusterId: string; onCancel: () => void; onCreated: (plaintext: string) => void };

function CreateKeyForm({ clusterId, onCancel, onCreated }: CreateKeyFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const create = useMutation(
    trpc.agentKey.create.mutationOptions({
      onSuccess: async ({ plaintext }) => {
        await queryClient.invalidateQueries(trpc.agentKey.list.queryFilter({ clusterId }));
        onCreated(plaintext);
      },
      // The secret must not linger in the cache of mutations.
      gcTime: 0,
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = createAgentKeyInput.safeParse({ clusterId, name });
    setFault(parsed.success ? undefined : firstFaults(parsed.error)['name']);
    if (parsed.success && !create.isPending) {
      create.mutate(parsed.data);
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field
        label="Name"
        error={fault}
        hint="Where it will live, e.g. “staging, eu-west-1”. It appears in the audit log."
      >
        {(control) => (
          <Input {...control} value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
        )}
      </Field>
      {create.error === null ? null : <FailureNotice error={create.error} />}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={create.isPending}>
          {create.isPending ? 'Creating…' : 'Create key'}
        </Button>
      </DialogActions>
    </form>
  );
}
