// The wording of the mails about accounts.
import type { MailMessage } from '@penstock/tenancy';

const closing = 'If this was not you, ignore this mail; nothing happens.';

export function verificationMail(to: string, link: string): MailMessage {
  return {
    to,
    subject: 'Confirm your e-mail address for Penstock',
    text: `Open this link to confirm your address. It works for one hour.\n\n${link}\n\n${closing}\n`,
    link,
  };
}

export function passwordResetMail(to: string, link: string): MailMessage {
  return {
    to,
    subject: 'Choose a new password for Penstock',
    text: `Open this link to choose a new password. It works once, for one hour, and signs you out everywhere.\n\n${link}\n\n${closing}\n`,
    link,
  };
}

/** Tells the owner of an address what the sign-up form must not: that the account exists. */
export function existingAccountMail(to: string, signInLink: string): MailMessage {
  return {
    to,
    subject: 'You already have a Penstock account',
    text: `Somebody, probably you, tried to sign up with this address, which already has an account. Sign in, or reset the password there:\n\n${signInLink}\n\n${closing}\n`,
    link: signInLink,
  };
}
