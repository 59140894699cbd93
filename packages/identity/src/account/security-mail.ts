// The mail about a security-relevant change to an account.
import type { MailMessage } from '@penstock/tenancy';

/** Tells the account's owner what was changed, from where and when. */
export function securityMail(to: string, what: string, address: string, at: Date): MailMessage {
  return {
    to,
    subject: `${what} (Penstock)`,
    text: `${what}, on ${at.toISOString()}, from the network ${address}.\n\nIf this was you, you don’t need to do anything. If not, reset your password now. This ends all sessions. Then check your account’s sessions and passkeys.\n`,
    link: null,
  };
}
