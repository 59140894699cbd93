'use client';

import { ConfirmByTypingDialog } from '@penstock/ui';
import type { ReactNode } from 'react';
import { failureText, toFailure } from '../trpc';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** The exact text to type. */
  expected: string;
  /** The button's label, at rest and while the change is in progress. */
  labels: readonly [idle: string, pending: string];
  mutation: { isPending: boolean; error: unknown; reset: () => void };
  onConfirm: (typed: string) => void;
  onClose: () => void;
}

/** Confirms a mutation by typing the name of what it changes. Closing forgets its error. */
export function ConfirmDialog({ labels, mutation, onClose, ...rest }: ConfirmDialogProps) {
  return (
    <ConfirmByTypingDialog
      {...rest}
      onOpenChange={(isOpen) => {
        if (!isOpen) {
          mutation.reset();
          onClose();
        }
      }}
      confirmLabel={labels[mutation.isPending ? 1 : 0]}
      pending={mutation.isPending}
      error={mutation.error === null ? undefined : failureText(toFailure(mutation.error))}
    />
  );
}
