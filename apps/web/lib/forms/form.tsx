'use client';

import { Button, type ButtonVariant, cx, DialogActions, Notice } from '@penstock/ui';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { Failure } from '../trpc';
import type { Form as FormOf } from './use-form';

interface FormProps<Values extends FieldValues> {
  form: FormOf<Values>;
  /** The submit button’s label, at rest and while the input is being sent. Null when the user may only read. */
  labels: readonly [idle: string, pending: string] | null;
  /** The fields of the form. */
  children: ReactNode;
  /** For forms in dialogs. */
  onCancel?: () => void;
  variant?: ButtonVariant;
  isSubmitDisabled?: boolean;
  /** A submit button as wide as the form, as on pages that hold little else. */
  isWide?: boolean;
  /** Buttons besides the submit button. */
  buttons?: ReactNode;
  /** Draws a failure’s remedy; by default, the text that came with it. */
  remedy?: (failure: Failure) => ReactNode;
  className?: string;
}

/** Fields, what went wrong, and the buttons: the shape of every form. */
export function Form<Values extends FieldValues>({
  form,
  labels,
  children,
  onCancel,
  variant = onCancel === undefined ? 'secondary' : 'primary',
  isSubmitDisabled = false,
  isWide = false,
  buttons,
  remedy,
  className,
}: FormProps<Values>) {
  const { failure, isPending } = form;
  const submit =
    labels === null ? null : (
      <Button type="submit" variant={variant} pending={isPending} disabled={isSubmitDisabled}>
        {labels[isPending ? 1 : 0]}
      </Button>
    );
  return (
    // biome-ignore lint/correctness/noRestrictedElements: this is the form
    <form onSubmit={form.onSubmit} noValidate className={cx('flex flex-col gap-4', className)}>
      {children}
      {failure === null ? null : (
        <Notice tone="danger" title={failure.message}>
          {remedy?.(failure) ?? failure.remedy}
        </Notice>
      )}
      {onCancel !== undefined ? (
        <DialogActions>
          {buttons}
          <Button onClick={onCancel}>Cancel</Button>
          {submit}
        </DialogActions>
      ) : isWide ? (
        <>
          {submit}
          {buttons}
        </>
      ) : submit === null && buttons === undefined ? null : (
        <div className="flex flex-wrap gap-2">
          {submit}
          {buttons}
        </div>
      )}
    </form>
  );
}
