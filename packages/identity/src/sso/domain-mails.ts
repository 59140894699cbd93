// The wording of the mails about a domain whose record is gone.
import type { MailMessage } from '@penstock/tenancy';

export interface DomainNews {
  organization: string;
  domain: string;
  recordName: string;
  recordText: string;
  /** When it is not verified any more. */
  lostAt: Date;
  link: string | null;
}

/** Line breaks in a name must not become lines of the mail or headers of it. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function domainMissingMail(to: string, news: DomainNews): MailMessage {
  const { domain, recordName, recordText, lostAt, link } = news;
  return {
    to,
    subject: `The DNS record of ${domain} is gone (Penstock)`,
    text: `${oneLine(news.organization)} signs in people of ${domain} through its own provider. The TXT record that proves the domain is not there any more.\n\nName: ${recordName}\nText: ${recordText}\n\nWrite it again. If it is still gone on ${lostAt.toISOString().slice(0, 10)}, the domain counts as not verified, and people of ${domain} cannot sign in through the provider until you verify it again. Owners keep every way in.\n${link === null ? '' : `\n${link}\n`}`,
    link,
  };
}

export function domainLostMail(to: string, news: DomainNews): MailMessage {
  const { domain, recordName, recordText, link } = news;
  return {
    to,
    subject: `${domain} is not verified any more (Penstock)`,
    text: `The TXT record that proves ${domain} was gone for a week, so the domain of ${oneLine(news.organization)} counts as not verified any more. Its people cannot sign in through your provider; whoever has no password sets one by “Forgot password?”.\n\nTo bring it back, write the record and check the domain in the settings.\n\nName: ${recordName}\nText: ${recordText}\n${link === null ? '' : `\n${link}\n`}`,
    link,
  };
}
