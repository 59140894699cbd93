'use client';

import { useRef, useState } from 'react';
import type { Failure } from '../../lib/trpc';
import { type AuthAnswer, explainRefusal, useAuthCall } from './use-auth-call';

/** Runs the call of a button, one at a time, and keeps the error to show. */
export function useSubmit() {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const running = useRef(false);
  const ask = useAuthCall();
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
      onDone(await ask(call));
    } catch (error) {
      setFailure(explainRefusal(error));
    } finally {
      running.current = false;
      setPending(false);
    }
  };
  return { pending, failure, message: failure?.message ?? null, submit };
}
