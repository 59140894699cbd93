// Domains of throw-away mailboxes, by an offline list (disposable-email-domains, CC0).
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

const listed = disposableEmailBlocklistSet();

/** Whether the domain, or one that it is a subdomain of, is listed. @param domain in lower case */
export function isDisposableDomain(domain: string): boolean {
  const labels = domain.replace(/\.$/, '').split('.');
  return labels.some((_label, index) => listed.has(labels.slice(index).join('.')));
}
