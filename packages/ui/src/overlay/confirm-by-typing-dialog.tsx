'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import { Notice } from '../feedback/notice.tsx';
import { Button } from '../primitives/button.tsx';
import { Field } from '../primitives/field.tsx';
import { Input } from '../primitives/input.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

export interface ConfirmByTypingDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** The exact text to type, e.g. the name of what will be deleted. */
  expected: string;
  confirmLabel: string;
  pending: boolean;
  error?: string | undefined;
  onConfirm: (typed: string) => void;
}

/** Confirms a destructive action by typing the name of what it destroys. */
export function ConfirmByTypingDialog(props: ConfirmByTypingDialogProps) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title={props.title}>
      <ConfirmForm {...props} />
    </Dialog>
  );
}

function ConfirmForm(props: ConfirmByTypingDialogProps) {
  const [typed, setTyped] = useState('');
  const [mismatch, setMismatch] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== props.expected) {
      setMismatch(true);
      return;
    }
    props.onConfirm(typed);
  };
  return (
    <form onSubmit={submit} noValidate>
      <div className="text-ink-2 text-sm leading-6">{props.children}</div>
      <div className="mt-4">
        <Field
          label={
            <>
              Type <span className="rounded bg-inset px-1.5 py-0.5 font-mono text-[0.8125rem]">{props.expected}</span>{' '}
              to confirm
            </>
          }
          error={
            mismatch ? `This doesn’t match. Type “${props.expected}” exactly. Names are case-sensitive.` : undefined
          }
        >
          {(control) => (
            <Input
              {...control}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setMismatch(false);
              }}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          )}
        </Field>
      </div>
      {props.error === undefined ? null : (
        <div className="mt-4">
          <Notice tone="danger" title={props.error} />
        </div>
      )}
      <DialogActions>
        <Button onClick={() => props.onOpenChange(false)}>Cancel</Button>
        <Button type="submit" variant="danger" pending={props.pending}>
          {props.confirmLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
