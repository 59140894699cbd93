// The text of the mails about deleting and restoring an organization.
import { type MailMessage, nameInMail, oneLine } from '@penstock/tenancy';
import { formatDateTime } from '@penstock/units';

export function organizationDeletedMail(
  to: string,
  facts: { name: string; by: string; restorableUntil: Date; link: string },
): MailMessage {
  const name = nameInMail(facts.name);
  return {
    to,
    subject: `The organization ${name} was deleted (Penstock)`,
    text: `${oneLine(facts.by)} deleted the organization ${name}. Clients can’t reach its clusters, and all of its agent keys and API keys are revoked.\n\nUntil ${formatDateTime(facts.restorableUntil.getTime(), 'UTC')}, any owner can restore or export the organization on the account page:\n\n${facts.link}\n\nAfter that, its clusters and members are permanently deleted. This month’s usage is billed at the end of the month. We keep invoices and the audit log. Data files stay in your bucket. Delete them if you no longer need them.\n`,
    link: facts.link,
  };
}

export function organizationRestoredMail(to: string, facts: { name: string; by: string; link: string }): MailMessage {
  const name = nameInMail(facts.name);
  return {
    to,
    subject: `The organization ${name} was restored (Penstock)`,
    text: `${oneLine(facts.by)} restored the organization ${name} with its members and clusters. Agent keys and API keys remain revoked. Create new keys.\n\n${facts.link}\n`,
    link: facts.link,
  };
}

export function organizationPurgedMail(to: string, facts: { name: string }): MailMessage {
  const name = nameInMail(facts.name);
  return {
    to,
    subject: `The organization ${name} was permanently deleted (Penstock)`,
    text: `The organization ${name} was permanently deleted and can no longer be restored. Its clusters, keys and memberships are gone. We keep invoices, the usage behind them and the audit log as required by law. Contact us if you need a copy.\n`,
    link: null,
  };
}

export function suspensionMail(
  to: string,
  facts: { name: string; reason: string; readsAllowed: boolean },
): MailMessage {
  const name = oneLine(facts.name);
  const reads = facts.readsAllowed ? 'Consumers can still read' : 'Consumers can’t read either';
  return {
    to,
    subject: `The organization ${name} is suspended (Penstock)`,
    text: `We suspended the organization ${name}:\n\n${facts.reason}\n\nProducers can’t write to its clusters. ${reads}. Members can sign in, but nobody can create clusters or keys. Nothing is deleted.\n\nReply to this mail to reach us.\n`,
    link: null,
  };
}

export function suspensionLiftedMail(to: string, facts: { name: string }): MailMessage {
  const name = oneLine(facts.name);
  return {
    to,
    subject: `The suspension of ${name} is lifted (Penstock)`,
    text: `The organization ${name} is no longer suspended. Producers and consumers can work again within seconds.\n`,
    link: null,
  };
}
