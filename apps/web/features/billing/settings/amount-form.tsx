'use client';

import { Button, Field, Input } from '@penstock/ui';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '../../../lib/trpc';

/** A form for a monthly amount in dollars, with save and remove. */
export function AmountForm(props: {
  label: string;
  hint: string;
  /** The current value; null when none is set. */
  current: string | null;
  /** @returns what is wrong with the text, or undefined when it was sent */
  onSave: (text: string) => string | undefined;
  onRemove: () => void;
  removeLabel: string;
  isPending: boolean;
  error: unknown;
}) {
  const { label, hint, current, onSave, onRemove, removeLabel, isPending, error } = props;
  const [text, setText] = useState(current ?? '');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) {
      setFault(onSave(text));
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-3">
      <Field label={label} hint={hint} error={fault}>
        {(control) => (
          <span className="relative block max-w-48">
            <span aria-hidden className="absolute inset-y-0 left-3 flex items-center text-ink-3 text-sm">
              $
            </span>
            <Input
              {...control}
              inputMode="decimal"
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              placeholder="none"
              className="nums pl-7"
            />
          </span>
        )}
      </Field>
      {error === null ? null : <FailureNotice error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={isPending}>
          {isPending ? 'Saving…' : 'Save'}
        </Button>
        {current === null ? null : (
          <Button
            variant="quiet"
            pending={isPending}
            onClick={() => {
              setText('');
              setFault(undefined);
              onRemove();
            }}
          >
            {removeLabel}
          </Button>
        )}
      </div>
    </form>
  );
}
