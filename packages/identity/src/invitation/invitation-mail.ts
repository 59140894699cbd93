// The text of the invitation mail.
import { type MailMessage, nameInMail, oneLine, type Role } from '@penstock/tenancy';

export function invitationMail(facts: {
  to: string;
  organizationName: string;
  inviter: string;
  role: Role;
  link: string;
}): MailMessage {
  const organization = nameInMail(facts.organizationName);
  return {
    to: facts.to,
    subject: `You’re invited to ${organization} on Penstock`,
    text: `${oneLine(facts.inviter)} invited you to join ${organization} on Penstock with the role ${facts.role}. Open this link to accept. It works once, only for this email address, and expires after 7 days.\n\n${facts.link}\n\nIf you weren’t expecting this invitation, you can ignore this email.\n`,
    link: facts.link,
  };
}
