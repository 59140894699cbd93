'use client';

import { useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../lib/forms';
import { useTRPC } from '../../../lib/trpc';

interface DeleteGroupDialogProps {
  clusterId: string;
  groupId: string;
  open: boolean;
  onClose: () => void;
}

export function DeleteGroupDialog({ clusterId, groupId, open, onClose }: DeleteGroupDialogProps) {
  const trpc = useTRPC();
  const toast = useToast();
  const remove = useMutation(
    trpc.group.delete.mutationOptions({
      onSuccess: () => {
        toast({ title: `Consumer group “${groupId}” deleted` });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      open={open}
      title={`Delete consumer group ${groupId}?`}
      expected={groupId}
      labels={['Delete group', 'Deleting…']}
      onClose={onClose}
      onConfirm={(confirmation) => remove.mutateAsync({ clusterId, groupId, confirmation })}
    >
      Deletes the group’s committed offsets, but no records. If its consumers start again, they start at the position
      set by <code className="font-mono text-[0.8125rem]">auto.offset.reset</code> in their client. You can’t undo this.
    </ConfirmDialog>
  );
}
