'use client';

import { useRef, useState } from 'react';
import { CONFIRMATION_REQUIRED, useConfirmations } from '../../lib/trpc';
import { type AuthFailure, authErrorMessage } from './auth-error-message';

/** What the account endpoints return: data or an error. */
export interface AuthAnswer<T> {
  data: T | null;
  error: AuthFailure | null;
}

/**
 * Runs one submission at a time and keeps the error that the form shows. If the server asks the user to confirm their
 * identity, repeats the call once they have.
 */
export function useSubmit() {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<AuthFailure | null>(null);
  const running = useRef(false);
  const confirmations = useConfirmations();
  const submit = async <T extends object>(
    call: () => Promise<AuthAnswer<T>>,
    onDone: (data: T) => void,
  ): Promise<void> => {
    if (running.current) {
      return;
    }
    running.current = true;
    setPending(true);
    setFailure(null);
    try {
      let answer = await call();
      if (answer.error?.code === CONFIRMATION_REQUIRED.toUpperCase() && (await confirmations?.ask()) === true) {
        answer = await call();
      }
      const { data, error } = answer;
      if (error === null && data !== null) {
        onDone(data);
      } else {
        setFailure(error ?? {});
      }
    } catch (cause) {
      // The request itself failed: no response, no status.
      console.error(cause);
      setFailure({});
    } finally {
      running.current = false;
      setPending(false);
    }
  };
  return { pending, failure, message: failure === null ? null : authErrorMessage(failure), submit };
}
