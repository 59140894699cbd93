'use client';

import { type ButtonVariant, Dialog } from '@penstock/ui';
import type { ReactNode } from 'react';
import { z } from 'zod';
import type { Failure } from '../trpc';
import { TextField } from './fields';
import { Form } from './form';
import { useForm } from './use-form';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  /** Describes the consequences, and whether they can be undone. */
  children: ReactNode;
  /** The exact text to type. Without it, the button alone confirms. */
  expected?: string;
  /** The button's label, at rest and while the change is in progress. */
  labels: readonly [idle: string, pending: string];
  variant?: ButtonVariant;
  /** Puts a rejection into words; by default, as one of a procedure. */
  explain?: (error: unknown) => Failure;
  /** Makes the confirmed change. */
  onConfirm: (typed: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks before a change: for a click or, before one that destroys something, for its name to be typed. */
export function ConfirmDialog({ open, title, onClose, ...form }: ConfirmDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <ConfirmForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function ConfirmForm(props: Omit<ConfirmDialogProps, 'open' | 'title'>) {
  const { children, expected, labels, variant = 'danger', explain, onConfirm, onClose } = props;
  const message = `This doesn’t match. Type “${expected}” exactly. Names are case-sensitive.`;
  const form = useForm({
    initial: { typed: '' },
    schema: z.object({ typed: expected === undefined ? z.string() : z.literal(expected, message) }),
    send: ({ typed }) => onConfirm(typed),
    ...(explain === undefined ? {} : { explain }),
  });
  return (
    <Form form={form} labels={labels} variant={variant} onCancel={onClose}>
      <div className="text-ink-2 text-sm leading-6">{children}</div>
      {expected === undefined ? null : (
        <TextField
          form={form}
          name="typed"
          label={
            <>
              Type <span className="rounded bg-inset px-1.5 py-0.5 font-mono text-[0.8125rem]">{expected}</span> to
              confirm
            </>
          }
          autoCapitalize="off"
          spellCheck={false}
        />
      )}
    </Form>
  );
}
