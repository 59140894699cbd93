'use client';

import { useToast } from '@penstock/ui';
import { formatCountOf } from '@penstock/units';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../lib/forms';
import { useTRPC } from '../../../lib/trpc';
import type { Transaction } from './transaction.types';

interface AbortTransactionDialogProps {
  clusterId: string;
  transaction: Transaction | null;
  onClose: () => void;
}

export function AbortTransactionDialog({ clusterId, transaction, onClose }: AbortTransactionDialogProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const toast = useToast();
  const abort = useMutation(
    trpc.transaction.abort.mutationOptions({
      onSuccess: async (_nothing, { transactionalId }) => {
        await queries.invalidateQueries(trpc.transaction.list.queryFilter({ clusterId }));
        toast({ title: `Transaction of “${transactionalId}” aborted` });
        onClose();
      },
    }),
  );
  const transactionalId = transaction?.transactionalId ?? '';
  return (
    <ConfirmDialog
      open={transaction !== null}
      title={`Abort the transaction of ${transactionalId}?`}
      expected={transactionalId}
      labels={['Abort transaction', 'Aborting…']}
      onClose={onClose}
      onConfirm={(confirmation) => abort.mutateAsync({ clusterId, transactionalId, confirmation })}
    >
      Discards what the transaction wrote to {formatCountOf(transaction?.partitions.length ?? 0, 'partition')} and the
      offsets that it would commit. The producer gets an error with its next request and must start again. You can’t
      undo this.
    </ConfirmDialog>
  );
}
