// The mail about a change that an intruder would make.
import type { MailMessage } from '@penstock/tenancy';

/** Tells the owner of an account what was changed, from where and when. */
export function securityMail(to: string, what: string, address: string, at: Date): MailMessage {
  return {
    to,
    subject: `${what} (Penstock)`,
    text: `${what}, on ${at.toISOString()}, from the network address ${address}.\n\nIf this was you, there is nothing to do. If not, reset your password now, which ends all sessions, and check the sessions and passkeys of your account.\n`,
    link: null,
  };
}
