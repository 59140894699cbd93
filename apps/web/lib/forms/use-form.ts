'use client';

import { type FormEvent, useRef, useState } from 'react';
import {
  type Control,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  set,
  type UseFormGetValues,
  type UseFormSetValue,
  useForm as useFormState,
} from 'react-hook-form';
import type { z } from 'zod';
import { type Failure, failureText, toFailure } from '../trpc';
import { inputFaults } from './input-faults';

export interface FormOptions<Values extends FieldValues, Input> {
  /** The fields’ first values. Later ones don’t change the fields. */
  initial: Values;
  /** The schema of the input to send, usually that of a procedure. */
  schema: z.ZodType<Input>;
  /** Turns the fields’ values into input for the schema. By default, they are that input. */
  toInput?: (values: Values) => unknown;
  /** The field of an input whose path doesn’t begin with the field’s name. */
  fieldOf?: (path: string) => FieldPath<Values> | undefined;
  /** Sends the input. A rejection leaves the fields as they are. */
  send: (input: Input) => Promise<unknown>;
  /** Puts a rejection into words. */
  explain?: (error: unknown) => Failure;
}

export interface Form<Values extends FieldValues> {
  control: Control<Values>;
  getValues: UseFormGetValues<Values>;
  setValue: UseFormSetValue<Values>;
  /** Empties the fields, or fills them with what they held at first. */
  reset: () => void;
  /** Whether the input is being sent. */
  isPending: boolean;
  /** The reason why nothing was changed, unless a field shows it. */
  failure: Failure | null;
  onSubmit: (event: FormEvent) => void;
}

/**
 * The state of a form. On submit, the input is checked; then it is sent, once at a time. Faults stand at their fields,
 * the first of which gets the focus, whether the schema or the server found them.
 */
export function useForm<Values extends FieldValues, Input>({
  initial,
  schema,
  toInput,
  fieldOf,
  send,
  explain = toFailure,
}: FormOptions<Values, Input>): Form<Values> {
  const [failure, setFailure] = useState<Failure | null>(null);
  const isRunning = useRef(false);
  const check = (values: Values) => schema.safeParse(toInput === undefined ? values : toInput(values));
  const isField = (name: string): name is FieldPath<Values> => Object.hasOwn(initial, name);
  const fieldAt = (path: string): FieldPath<Values> | null => {
    const [name = ''] = path.split('.');
    return fieldOf?.(path) ?? (isField(name) ? name : null);
  };
  const state = useFormState<Values>({
    // The library's type allows for forms that begin with parts of their values.
    defaultValues: initial as DefaultValues<Values>,
    resolver: (values) => {
      const parsed = check(values);
      const errors: FieldErrors = {};
      if (!parsed.success) {
        for (const [name, message] of inputFaults(parsed.error, fieldAt)) {
          set(errors, name, { type: 'input', message });
        }
      }
      return Object.keys(errors).length === 0
        ? { values, errors: {} }
        : { values: {}, errors: errors as FieldErrors<Values> };
    },
  });
  const run = async (values: Values): Promise<void> => {
    const parsed = check(values);
    if (!parsed.success) {
      // The fault of an input that has no field.
      const message = parsed.error.issues[0]?.message ?? 'Check what you entered and try again.';
      setFailure({ message, remedy: undefined, field: undefined, code: undefined });
      return;
    }
    try {
      await send(parsed.data);
    } catch (error) {
      const refusal = explain(error);
      const field = refusal.field === undefined ? null : fieldAt(refusal.field);
      if (field === null) {
        setFailure(refusal);
      } else {
        state.setError(field, { type: 'server', message: failureText(refusal) }, { shouldFocus: true });
      }
    }
  };
  return {
    control: state.control,
    getValues: state.getValues,
    setValue: state.setValue,
    reset: () => state.reset(),
    isPending: state.formState.isSubmitting,
    failure,
    onSubmit: (event) => {
      event.preventDefault();
      // A second Enter may come before the button shows that the first one is being handled.
      if (isRunning.current) {
        return;
      }
      isRunning.current = true;
      setFailure(null);
      void state
        .handleSubmit(run)(event)
        .finally(() => {
          isRunning.current = false;
        });
    },
  };
}
