// The mail about a change that an intruder would make.
import type { MailMessage } from '@penstock/tenancy';

/** Tells the owner of an account what was changed, from where and when. */
export function securityMail(to: string, what: string, address: string, at: Date): MailMessage {
  return {
    to,
    subject: `${what} (Penstock)`,
    text: `${what}, on ${at.toISOString()}, from the network ${address}.\n\nIf this was you, you don’t need to do anything. If not, reset your password now. This ends all sessions. Then check your account’s sessions and passkeys.\n`,
    link: null,
  };
}
