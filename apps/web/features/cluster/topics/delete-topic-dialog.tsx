'use client';

import { ConfirmByTypingDialog, useToast } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useMutation } from '@tanstack/react-query';
import type { LiveTopicRow } from '../../../lib/live';
import { failureText, toFailure, useTRPC } from '../../../lib/trpc';

interface DeleteTopicDialogProps {
  clusterId: string;
  topic: LiveTopicRow | null;
  onClose: () => void;
}

export function DeleteTopicDialog({ clusterId, topic, onClose }: DeleteTopicDialogProps) {
  const trpc = useTRPC();
  const toast = useToast();
  const remove = useMutation(
    trpc.topic.delete.mutationOptions({
      onSuccess: (_answer, { name }) => {
        toast({ title: `Topic “${name}” deleted` });
        onClose();
      },
    }),
  );
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmByTypingDialog
      open={topic !== null}
      onOpenChange={(open) => {
        if (!open) {
          close();
        }
      }}
      title={`Delete topic ${topic?.name ?? ''}?`}
      expected={topic?.name ?? ''}
      confirmLabel={remove.isPending ? 'Deleting…' : 'Delete topic'}
      pending={remove.isPending}
      error={remove.error === null ? undefined : failureText(toFailure(remove.error))}
      onConfirm={(confirmation) => {
        if (topic !== null) {
          remove.mutate({ clusterId, name: topic.name, confirmation });
        }
      }}
    >
      All {formatCount(topic?.records ?? 0)} records in {formatCount(topic?.partitions ?? 0)} partitions will be
      deleted. You can’t undo this.
    </ConfirmByTypingDialog>
  );
}
