// The mail about a security-relevant change to an account.
import type { MailMessage } from '@penstock/tenancy';
import { formatDateTime } from '@penstock/units';

/** Tells the account's owner what was changed, from where and when. */
export function securityMail(to: string, what: string, address: string, at: Date): MailMessage {
  return {
    to,
    subject: `${what} (Penstock)`,
    text: `${what} on ${formatDateTime(at.getTime(), 'UTC')} from the network ${address}.\n\nIf this was you, you don’t need to do anything. If not, reset your password now, which signs you out everywhere. Then check your account’s sessions and passkeys.\n`,
    link: null,
  };
}
