// Derives audit events from the account library's responses. Pure.

import type { AccountAction, AccountEvent } from '../account/record-account-event.ts';

export interface AnsweredRequest {
  path: string;
  status: number;
  /** The user who was signed in when the request arrived. */
  before: { userId: string; isTwoFactorOn: boolean } | null;
  /** The user named in the response. */
  answeredUserId: string | null;
  /** Whether the password was right and the second factor is still due. */
  isCodeDue: boolean;
  /** The account that a sign-in attempt named, if it exists; for a second factor, the account that it is for. */
  namedUserId: string | null;
}

type Told = Pick<AccountEvent, 'action' | 'method' | 'userId'>;

/** Actions of signed-in users, by path. */
const ownActions: Readonly<Record<string, AccountAction>> = {
  '/sign-out': 'account.sign-out',
  '/change-password': 'account.change-password',
  '/two-factor/disable': 'account.disable-two-factor',
  '/two-factor/generate-backup-codes': 'account.renew-recovery-codes',
  '/passkey/verify-registration': 'account.add-passkey',
  '/passkey/delete-passkey': 'account.remove-passkey',
};

/** Checks of a second factor, at sign-in or to confirm an identity. */
const secondFactors: Readonly<Record<string, 'code' | 'recovery-code'>> = {
  '/two-factor/verify-totp': 'code',
  '/two-factor/verify-backup-code': 'recovery-code',
  '/confirm/code': 'code',
};

const signInMethods: Readonly<Record<string, NonNullable<AccountEvent['method']>>> = {
  '/sign-in/email': 'password',
  '/sign-up/finish': 'password',
  '/two-factor/verify-totp': 'code',
  '/two-factor/verify-backup-code': 'recovery-code',
  '/passkey/verify-authentication': 'passkey',
};

/** Only wrong passwords and codes: other refusals say nothing about a guess. */
function failureOf({ path, status, before, namedUserId }: AnsweredRequest): Told | null {
  const userId = before?.userId ?? namedUserId;
  if (status !== 401 || userId === null) {
    return null;
  }
  const secondFactor = secondFactors[path];
  if (secondFactor !== undefined) {
    return { action: 'account.second-factor-failed', userId, method: secondFactor };
  }
  return path === '/sign-in/email' && namedUserId !== null
    ? { action: 'account.sign-in-failed', userId: namedUserId, method: 'password' }
    : null;
}

/** Null if there is nothing to audit. (The library itself reports password resets.) */
export function accountEventOf(answered: AnsweredRequest): Told | null {
  const { path, status, before } = answered;
  const isOk = status >= 200 && status < 300;
  if (!isOk) {
    return failureOf(answered);
  }
  const ownAction = ownActions[path];
  if (ownAction !== undefined) {
    return before === null ? null : { action: ownAction, userId: before.userId };
  }
  // The first code turns two-factor on. Later codes from a signed-in user change nothing.
  if (path.startsWith('/two-factor/verify-') && before !== null) {
    return before.isTwoFactorOn ? null : { action: 'account.enable-two-factor', userId: before.userId };
  }
  const method = signInMethods[path];
  if (method === undefined || answered.isCodeDue || answered.answeredUserId === null) {
    return null;
  }
  return { action: 'account.sign-in', userId: answered.answeredUserId, method };
}
