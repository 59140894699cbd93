'use client';

import { CONFIRMATION_REQUIRED, type Failure, useConfirmations } from '../../lib/trpc';
import { type AuthFailure, authErrorMessage } from './auth-error-message';

/** The response of an account endpoint: data or an error. */
export interface AuthAnswer<T> {
  data: T | null;
  error: AuthFailure | null;
}

/** The refusal of an endpoint. */
export class AuthRefusal extends Error {
  readonly failure: AuthFailure;

  constructor(failure: AuthFailure) {
    super(failure.code ?? 'refused');
    this.failure = failure;
  }
}

/** A refusal in words. Any other error means that the request itself failed: no response, no status. */
export function explainRefusal(error: unknown): Failure {
  if (!(error instanceof AuthRefusal)) {
    console.error(error);
  }
  const failure = error instanceof AuthRefusal ? error.failure : {};
  return { message: authErrorMessage(failure), remedy: undefined, field: undefined, code: failure.code };
}

/**
 * Calls an account endpoint. If the server asks the user to confirm their identity, repeats the call once they have.
 * The call throws `AuthRefusal`.
 */
export function useAuthCall() {
  const confirmations = useConfirmations();
  return async <T extends object>(call: () => Promise<AuthAnswer<T>>): Promise<T> => {
    let answer = await call();
    if (answer.error?.code === CONFIRMATION_REQUIRED.toUpperCase() && (await confirmations?.ask()) === true) {
      answer = await call();
    }
    const { data, error } = answer;
    if (error !== null || data === null) {
      throw new AuthRefusal(error ?? {});
    }
    return data;
  };
}
