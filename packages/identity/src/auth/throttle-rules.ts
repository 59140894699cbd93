// Limits on attempts, per account and per network address. A network that is familiar to an account has a count of its
// own, so that attempts from elsewhere lock nobody out there. Pure.
import { HOUR_S, MINUTE_S } from '@penstock/units';
import type { ThrottleLimit, ThrottleSubject } from '../account/throttle.ts';

export interface ThrottleRule {
  kind: string;
  /** Per account, whether it exists or not, so that responses do not reveal which. Null if the request names none. */
  account: ThrottleLimit | null;
  /** Per network address. Many people share one, so the limit is higher. */
  address: ThrottleLimit;
  /** Whether successful attempts do not count. */
  isGuess: boolean;
}

/** Attempts to guess a password or a code. */
const guess = (kind: string): ThrottleRule => ({
  kind,
  account: { attempts: 10, window_s: 15 * MINUTE_S },
  address: { attempts: 50, window_s: 15 * MINUTE_S },
  isGuess: true,
});

/** Requests that make us send mail. */
const mail = (kind: string): ThrottleRule => ({
  kind,
  account: { attempts: 5, window_s: HOUR_S },
  address: { attempts: 60, window_s: HOUR_S },
  isGuess: false,
});

/** For endpoints without a rule of their own. */
export const generalLimit: ThrottleRule = {
  kind: 'any',
  account: null,
  address: { attempts: 600, window_s: MINUTE_S },
  isGuess: false,
};

/** Keyed by endpoint path: guesses, and requests that make us send mail. */
export const throttleRules: Readonly<Record<string, ThrottleRule>> = {
  '/sign-in/email': guess('sign-in'),
  // Costs us a key as it costs the browser a hundred.
  '/sign-up/challenge': {
    kind: 'sign-up-challenge-issue',
    account: null,
    address: { attempts: 120, window_s: HOUR_S },
    isGuess: false,
  },
  '/sign-up/request': mail('sign-up'),
  '/sign-up/open': { ...guess('sign-up-token'), account: null },
  '/sign-up/finish': { ...guess('sign-up-token'), account: null },
  '/request-password-reset': mail('reset'),
  '/reset-password': { ...guess('reset-token'), account: null },
  '/change-password': guess('password'),
  '/two-factor/enable': guess('password'),
  '/two-factor/disable': guess('password'),
  '/two-factor/generate-backup-codes': guess('password'),
  // Counted by account when signed in, so that they don't bypass the limit of `/confirm/code`.
  '/two-factor/verify-totp': guess('code'),
  '/two-factor/verify-backup-code': guess('code'),
  '/confirm/password': guess('password'),
  '/confirm/code': guess('code'),
  '/confirm/passkey': guess('passkey'),
  // Makes us call a provider.
  '/sso/start': { kind: 'sso', account: null, address: { attempts: 60, window_s: 15 * MINUTE_S }, isGuess: false },
  // Verifies signatures.
  '/sso/saml/acs': { kind: 'saml', account: null, address: { attempts: 120, window_s: 15 * MINUTE_S }, isGuess: false },
  '/sso/test': { kind: 'sso', account: null, address: { attempts: 60, window_s: 15 * MINUTE_S }, isGuess: false },
  '/sso/confirm': { kind: 'sso', account: null, address: { attempts: 60, window_s: 15 * MINUTE_S }, isGuess: false },
  '/passkey/verify-authentication': { ...guess('passkey'), account: null },
};

/**
 * @param who.account an e-mail address or user id; null if the request names none
 * @param who.isFamiliar whether the account was signed in to from this address before
 */
export function throttleSubjects(
  rule: ThrottleRule,
  who: { account: string | null; address: string; isFamiliar?: boolean },
): { account: ThrottleSubject | null; address: ThrottleSubject } {
  return {
    account: accountSubject(rule, who),
    address: { kind: `${rule.kind}:address`, value: who.address, limit: rule.address },
  };
}

function accountSubject(
  rule: ThrottleRule,
  { account, address, isFamiliar = false }: Parameters<typeof throttleSubjects>[1],
): ThrottleSubject | null {
  if (rule.account === null || account === null) {
    return null;
  }
  const name = account.trim().toLowerCase();
  return isFamiliar
    ? { kind: `${rule.kind}:account-at`, value: `${name}\n${address}`, limit: rule.account }
    : { kind: `${rule.kind}:account`, value: name, limit: rule.account };
}
