// The wording of the mail that invites.
import type { MailMessage, Role } from '@penstock/tenancy';

/** Line breaks in a name must not become lines of the mail or headers of it. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function invitationMail(facts: {
  to: string;
  organizationName: string;
  inviter: string;
  role: Role;
  link: string;
}): MailMessage {
  const organization = oneLine(facts.organizationName);
  return {
    to: facts.to,
    subject: `You are invited to ${organization} on Penstock`,
    text: `${oneLine(facts.inviter)} invites you to the organization ${organization} on Penstock, with the role ${facts.role}. Open this link to accept. It works once, for seven days, and for this address alone.\n\n${facts.link}\n\nIf you do not know what this is about, ignore this mail; nothing happens.\n`,
    link: facts.link,
  };
}
