// The audited actions on a user's account.

/** `account.<verb>`. Stable, because programs and filters use it. */
export type AccountAction =
  | 'account.sign-in'
  | 'account.sign-in-failed'
  | 'account.second-factor-failed'
  | 'account.sign-out'
  | 'account.change-password'
  | 'account.reset-password'
  | 'account.enable-two-factor'
  | 'account.disable-two-factor'
  | 'account.renew-recovery-codes'
  | 'account.add-passkey'
  | 'account.remove-passkey'
  | 'account.revoke-session';
