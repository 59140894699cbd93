// The text of account mails.
import type { MailMessage } from '@penstock/tenancy';

const CLOSING = 'If you didn’t request this, you can ignore this email.';

export function signUpMail(to: string, link: string): MailMessage {
  return {
    to,
    subject: 'Confirm your email address for Penstock',
    text: `Open this link to confirm your email address and set your password. It works once and expires after one day.\n\n${link}\n\n${CLOSING}\n`,
    link,
  };
}

export function passwordResetMail(to: string, link: string): MailMessage {
  return {
    to,
    subject: 'Reset your Penstock password',
    text: `Open this link to choose a new password. It works once and expires after one hour. Changing your password signs you out of all sessions.\n\n${link}\n\n${CLOSING}\n`,
    link,
  };
}

/** Tells the owner of an address that the account already exists, which the sign-up form must not reveal. */
export function existingAccountMail(to: string, signInLink: string): MailMessage {
  return {
    to,
    subject: 'You already have a Penstock account',
    text: `Someone, probably you, tried to create a Penstock account with this email address. You already have one. Sign in or reset your password here:\n\n${signInLink}\n\n${CLOSING}\n`,
    link: signInLink,
  };
}
