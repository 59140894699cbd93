import { DAY_MS } from '@penstock/units';

/** RFC 9116 recommends less than a year. */
const VALID_MS = 180 * DAY_MS;

/**
 * The text of security.txt.
 * @param contact a URI such as `mailto:security@example.com`; undefined if the operator names none
 * @returns undefined without a contact, which the file must have
 */
export function securityText({
  webUrl,
  contact,
  now,
}: {
  webUrl: string;
  contact: string | undefined;
  now: Date;
}): string | undefined {
  if (contact === undefined) {
    return undefined;
  }
  // The same for a whole day, so that caches agree.
  const expires = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + VALID_MS);
  const fields = [
    ['Contact', contact],
    ['Expires', expires.toISOString()],
    ['Preferred-Languages', 'en'],
    ['Canonical', `${webUrl}/.well-known/security.txt`],
    ['Policy', `${webUrl}/docs/security`],
  ];
  return fields.map(([name, value]) => `${name}: ${value}\n`).join('');
}
