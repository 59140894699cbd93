'use client';

import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { authClient } from './auth-client';
import type { AuthAnswer } from './use-auth-call';

/** Does the work that a sign-up costs, in the browser's own cryptography, then asks for the link. */
export async function requestSignUp(email: string): Promise<AuthAnswer<{ sent: true }>> {
  const { data: challenge, error } = await authClient.$fetch<Challenge>('/sign-up/challenge', {
    method: 'POST',
    body: {},
  });
  if (error !== null || challenge === null) {
    return { data: null, error };
  }
  const solution = await solveChallenge({ challenge, deriveKey });
  return authClient.$fetch<{ sent: true }>('/sign-up/request', {
    method: 'POST',
    body: { email, work: { challenge, solution } },
  });
}
