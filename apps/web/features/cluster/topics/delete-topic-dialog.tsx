'use client';

import { useToast } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../lib/forms';
import type { LiveTopicRow } from '../../../lib/live';
import { useTRPC } from '../../../lib/trpc';

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
  return (
    <ConfirmDialog
      open={topic !== null}
      title={`Delete topic ${topic?.name ?? ''}?`}
      expected={topic?.name ?? ''}
      labels={['Delete topic', 'Deleting…']}
      onClose={onClose}
      onConfirm={async (confirmation) => {
        if (topic !== null) {
          await remove.mutateAsync({ clusterId, name: topic.name, confirmation });
        }
      }}
    >
      All {formatCount(topic?.records ?? 0)} records in {formatCount(topic?.partitions ?? 0)} partitions will be
      deleted. You can’t undo this.
    </ConfirmDialog>
  );
}
