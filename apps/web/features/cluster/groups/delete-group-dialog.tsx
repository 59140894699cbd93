'use client';

import { ConfirmByTypingDialog, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { failureText, toFailure, useTRPC } from '../../../lib/trpc';

type DeleteGroupDialogProps = { clusterId: string; groupId: string; open: boolean; onClose: () => void };

export function DeleteGroupDialog({ clusterId, groupId, open, onClose }: DeleteGroupDialogProps) {
  const trpc = useTRPC();
  const toast = useToast();
  const remove = useMutation(
    trpc.group.delete.mutationOptions({
      onSuccess: () => {
        toast({ title: `Consumer group “${groupId}” is deleted` });
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
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) {
          close();
        }
      }}
      title={`Delete consumer group ${groupId}?`}
      expected={groupId}
      confirmLabel={remove.isPending ? 'Deleting…' : 'Delete group'}
      pending={remove.isPending}
      error={remove.error === null ? undefined : failureText(toFailure(remove.error))}
      onConfirm={(confirmation) => remove.mutate({ clusterId, groupId, confirmation })}
    >
      Its committed offsets are deleted; records stay. If consumers of this group start again, they begin where their
      client’s <code className="font-mono text-[0.8125rem]">auto.offset.reset</code> says. This cannot be undone.
    </ConfirmByTypingDialog>
  );
}
