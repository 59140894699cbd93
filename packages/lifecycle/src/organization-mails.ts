// The wording of the mails about an organization's end.
import type { MailMessage } from '@penstock/tenancy';

/** Line breaks in a name must not become lines of the mail or headers of it. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function organizationDeletedMail(
  to: string,
  facts: { name: string; by: string; restorableUntil: Date; link: string },
): MailMessage {
  const name = oneLine(facts.name);
  return {
    to,
    subject: `The organization ${name} was deleted (Penstock)`,
    text: `${oneLine(facts.by)} deleted the organization ${name}. Its clusters are out of reach for clients, and all of its agent keys and API keys are revoked.\n\nUntil ${facts.restorableUntil.toISOString()} any owner can restore it, and export everything of it, on the account page:\n\n${facts.link}\n\nAfter that everything of its clusters and members is removed. What was used this month is billed at the month’s end as ever; invoices and the audit log are kept. Your data files lie in your own bucket: they are yours to remove.\n`,
    link: facts.link,
  };
}

export function organizationRestoredMail(to: string, facts: { name: string; by: string; link: string }): MailMessage {
  const name = oneLine(facts.name);
  return {
    to,
    subject: `The organization ${name} was restored (Penstock)`,
    text: `${oneLine(facts.by)} restored the organization ${name}, with its members and its clusters. Agent keys and API keys stay revoked: make new ones.\n\n${facts.link}\n`,
    link: facts.link,
  };
}

export function organizationPurgedMail(to: string, facts: { name: string }): MailMessage {
  const name = oneLine(facts.name);
  return {
    to,
    subject: `The organization ${name} is removed for good (Penstock)`,
    text: `The time to restore the organization ${name} is over. Its clusters, keys and memberships are removed. Invoices, the usage behind them and the audit log are kept as the law demands; write to us when you need a copy.\n`,
    link: null,
  };
}
