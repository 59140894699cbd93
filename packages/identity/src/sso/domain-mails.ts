// The text of the mails about a domain whose record is missing.
import { type MailMessage, nameInMail } from '@penstock/tenancy';
import { formatUtcDate } from '@penstock/units';

export interface DomainNews {
  organization: string;
  domain: string;
  recordName: string;
  recordText: string;
  /** When the domain loses its verification. */
  lostAt: Date;
  link: string | null;
}

export function domainMissingMail(to: string, news: DomainNews): MailMessage {
  const { domain, recordName, recordText, lostAt, link } = news;
  return {
    to,
    subject: `The DNS record of ${domain} is missing (Penstock)`,
    text: `${nameInMail(news.organization)} uses single sign-on for ${domain}. The TXT record that verifies the domain is missing.\n\nName: ${recordName}\nValue: ${recordText}\n\nAdd the record again. If it is still missing on ${formatUtcDate(lostAt.getTime())}, the domain loses its verification, and people with ${domain} addresses can’t use single sign-on until you verify it again. Owners can still use any sign-in method.\n${link === null ? '' : `\n${link}\n`}`,
    link,
  };
}

export function domainLostMail(to: string, news: DomainNews): MailMessage {
  const { domain, recordName, recordText, link } = news;
  return {
    to,
    subject: `${domain} is no longer verified (Penstock)`,
    text: `The TXT record that verifies ${domain} for ${nameInMail(news.organization)} was missing for 7 days, so the domain is no longer verified. People with ${domain} addresses can’t use single sign-on. If they don’t have a password, they can set one with “Forgot password?”.\n\nTo verify the domain again, add the record and check the domain in the settings.\n\nName: ${recordName}\nValue: ${recordText}\n${link === null ? '' : `\n${link}\n`}`,
    link,
  };
}
