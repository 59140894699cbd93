'use client';

import { createTopicInput } from '@penstock/api/inputs';
import { Button, Dialog, DialogActions, Field, Input, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults, numberOf } from '../../../lib/forms';
import { FailureNotice, failureText, toFailure, useTRPC } from '../../../lib/trpc';
import { useCluster } from '../cluster-frame';

interface CreateTopicDialogProps {
  clusterId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateTopicDialog({ clusterId, open, onOpenChange }: CreateTopicDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Create topic">
      <CreateTopicForm clusterId={clusterId} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function CreateTopicForm({ clusterId, onClose }: { clusterId: string; onClose: () => void }) {
  const trpc = useTRPC();
  const toast = useToast();
  const cluster = useCluster();
  const [name, setName] = useState('');
  const [partitions, setPartitions] = useState(String(cluster.defaultPartitions));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const create = useMutation(
    trpc.topic.create.mutationOptions({
      onSuccess: (topic) => {
        toast({ title: `Topic “${topic.name}” created` });
        onClose();
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = createTopicInput.safeParse({ clusterId, name, partitions: numberOf(partitions) });
    setFaults(parsed.success ? {} : firstFaults(parsed.error));
    if (parsed.success && !create.isPending) {
      create.mutate(parsed.data);
    }
  };
  const failure = create.error === null ? null : toFailure(create.error);
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field label="Name" error={faults['name'] ?? (failure?.field === 'name' ? failureText(failure) : undefined)}>
        {(control) => (
          <Input
            {...control}
            value={name}
            onChange={(event) => setName(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label="Partitions"
        error={faults['partitions']}
        hint="You can add partitions later but not remove them. Partitions are free: agents write all of them to the same objects."
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
      {failure !== null && failure.field !== 'name' ? <FailureNotice error={create.error} /> : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={create.isPending}>
          {create.isPending ? 'Creating…' : 'Create topic'}
        </Button>
      </DialogActions>
    </form>
  );
}
