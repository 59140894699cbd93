'use client';

import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';

/** The attributes of a control inside a field, so that its label, hint and error are announced with it. */
export interface FieldControlProps {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Describes the error and how to correct it. */
  error?: string | undefined;
  /** Shown at the end of the label's line, e.g. a "Forgot password?" link. */
  aside?: ReactNode;
  children: (control: FieldControlProps) => ReactNode;
}

export function Field({ label, hint, error, aside, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error === undefined ? null : errorId, hint === undefined ? null : hintId].filter(
    (part) => part !== null,
  );
  const control: FieldControlProps = {
    id,
    ...(describedBy.length > 0 ? { 'aria-describedby': describedBy.join(' ') } : {}),
    ...(error === undefined ? {} : { 'aria-invalid': true }),
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-medium text-ink text-sm">
          {label}
        </label>
        {aside}
      </div>
      {children(control)}
      {error === undefined ? null : (
        <p id={errorId} className="flex items-start gap-1.5 text-[0.8125rem] text-danger-ink leading-5">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{error}</span>
        </p>
      )}
      {hint === undefined ? null : (
        <p id={hintId} className="text-[0.8125rem] text-ink-3 leading-5">
          {hint}
        </p>
      )}
    </div>
  );
}
