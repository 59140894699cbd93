'use client';

import type { FieldValues } from 'react-hook-form';
import { type FormOf, type FormOptions, useForm } from '../../lib/forms';
import { type AuthAnswer, explainRefusal, useAuthCall } from './use-auth-call';

interface AuthFormOptions<Values extends FieldValues, Input, Data extends object>
  extends Omit<FormOptions<Values, Input>, 'send' | 'explain'> {
  call: (input: Input) => Promise<AuthAnswer<Data>>;
  /** The form stays pending until this has ended. */
  onDone: (data: Data, input: Input) => unknown;
}

/** A form whose input goes to an account endpoint. */
export function useAuthForm<Values extends FieldValues, Input, Data extends object>({
  call,
  onDone,
  ...options
}: AuthFormOptions<Values, Input, Data>): FormOf<Values> {
  const ask = useAuthCall();
  return useForm({
    ...options,
    send: async (input) => {
      const data = await ask(() => call(input));
      await onDone(data, input);
    },
    explain: explainRefusal,
  });
}
