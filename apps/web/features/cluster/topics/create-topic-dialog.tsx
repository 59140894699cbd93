'use client';

import { createTopicInput } from '@penstock/api/inputs';
import { Dialog, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { Form, NumberField, numberOf, TextField, useForm } from '../../../lib/forms';
import { useTRPC } from '../../../lib/trpc';
import { useCluster } from '../cluster-frame';

interface CreateTopicDialogProps {
  clusterId: string;
  open: boolean;
  onClose: () => void;
}

export function CreateTopicDialog({ clusterId, open, onClose }: CreateTopicDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Create topic">
      <CreateTopicForm clusterId={clusterId} onClose={onClose} />
    </Dialog>
  );
}

function CreateTopicForm({ clusterId, onClose }: { clusterId: string; onClose: () => void }) {
  const trpc = useTRPC();
  const toast = useToast();
  const cluster = useCluster();
  const create = useMutation(
    trpc.topic.create.mutationOptions({
      onSuccess: (topic) => {
        toast({ title: `Topic “${topic.name}” created` });
        onClose();
      },
    }),
  );
  const form = useForm({
    initial: { name: '', partitions: String(cluster.defaultPartitions) },
    schema: createTopicInput,
    toInput: ({ name, partitions }) => ({ clusterId, name, partitions: numberOf(partitions) }),
    send: create.mutateAsync,
  });
  return (
    <Form form={form} labels={['Create topic', 'Creating…']} onCancel={onClose}>
      <TextField form={form} name="name" label="Name" spellCheck={false} />
      <NumberField
        form={form}
        name="partitions"
        label="Partitions"
        hint="You can add partitions later but not remove them. Partitions are free: agents write all of them to the same objects."
      />
    </Form>
  );
}
