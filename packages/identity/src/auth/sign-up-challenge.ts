// Work that a browser does before we send a mail, so that a script can't sign up at no cost. By altcha-lib: the server
// picks a number and signs a prefix of its PBKDF2 key; the browser counts up until its key has the prefix. Nothing is
// asked of the person.
import { createHmac, randomInt } from 'node:crypto';
import type { RootSecrets } from '@penstock/platform';
import { MINUTE_S } from '@penstock/units';
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import type { Throttle } from '../account/throttle.ts';

/** The browser tries 100 keys on average, and never more than 150. */
const COUNTERS = { from: 50, to: 150 };

const LIFETIME_S = 15 * MINUTE_S;

const solved = z.object({
  challenge: z.object({
    parameters: z.object({
      algorithm: z.string().max(32),
      nonce: z.string().max(64),
      salt: z.string().max(64),
      cost: z.number().int(),
      keyLength: z.number().int(),
      keyPrefix: z.string().max(64),
      keySignature: z.string().max(64),
      expiresAt: z.number(),
    }),
    signature: z.string().max(64),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string().max(64) }),
});

export interface SignUpChallenges {
  issue(now: Date): Promise<Challenge>;
  /** Whether the answer solves a challenge of ours that has not expired. Each one counts once. */
  accept(answer: unknown, now: Date): Promise<boolean>;
}

/** @param iterations per key that the browser tries */
export function createSignUpChallenges(throttle: Throttle, secrets: RootSecrets, iterations: number): SignUpChallenges {
  const secretFor = (purpose: string): string =>
    createHmac('sha256', secrets[0].secret).update(`sign-up-challenge:${purpose}`).digest('hex');
  const hmac = { hmacSignatureSecret: secretFor('challenge'), hmacKeySignatureSecret: secretFor('key') };
  return {
    issue: (now) =>
      createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        deriveKey,
        cost: iterations,
        counter: randomInt(COUNTERS.from, COUNTERS.to + 1),
        expiresAt: Math.floor(now.getTime() / 1_000) + LIFETIME_S,
        ...hmac,
      }),
    async accept(answer, now) {
      const parsed = solved.safeParse(answer);
      if (!parsed.success || parsed.data.challenge.parameters.expiresAt * 1_000 < now.getTime()) {
        return false;
      }
      const { challenge, solution } = parsed.data;
      const { verified } = await verifySolution({ challenge, solution, deriveKey, ...hmac });
      if (!verified) {
        return false;
      }
      // Counting its uses admits one of two concurrent requests with the same solution.
      const use = {
        kind: 'sign-up-challenge',
        value: challenge.signature,
        limit: { attempts: 1, window_s: LIFETIME_S },
      };
      return (await throttle.attempt([use], now)).isAllowed;
    },
  };
}
