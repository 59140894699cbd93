// What the credits of a new organization are given for, each once: a person, a payment method, a company's domain. Pure.
import { createHash } from 'node:crypto';
import { getDomain } from 'tldts';

/** SHA-256: the table outlives the people and organizations that it is about. */
export type CreditClaim = Uint8Array<ArrayBuffer>;

function claim(kind: 'person' | 'card' | 'domain', normalForm: string): CreditClaim {
  return new Uint8Array(createHash('sha256').update(`${kind}:${normalForm}`).digest());
}

/** Mailboxes of Gmail, which ignores dots. */
const GMAIL_DOMAINS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/**
 * A mailbox in its normal form: without a tag (`+news`), and without the dots that Gmail ignores. The migration
 * `credit_claims` does the same.
 * @param email a verified address
 */
export function personClaim(email: string): CreditClaim {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const [mailbox = ''] = local.split('+');
  return GMAIL_DOMAINS.has(domain)
    ? claim('person', `${mailbox.replaceAll('.', '')}@gmail.com`)
    : claim('person', `${mailbox}@${domain}`);
}

/**
 * The claim of a payment card.
 * @param fingerprint Stripe's, which is the same for every customer who adds the card
 */
export function cardClaim(fingerprint: string): CreditClaim {
  return claim('card', fingerprint);
}

/**
 * The claim of a domain with all its subdomains, of which the owner of a domain can verify any number.
 * @param domain a verified domain
 */
export function domainClaim(domain: string): CreditClaim {
  return claim('domain', getDomain(domain, { allowPrivateDomains: true }) ?? domain);
}
