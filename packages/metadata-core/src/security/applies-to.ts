import type { AclBinding } from '../model/security.ts';

const EVERYONE = 'User:*';
const ANY_HOST = '*';

/** Which ACLs are about a principal at a host. @param host an address, with or without Kafka's leading slash */
export function appliesTo(principal: string, host: string): (acl: AclBinding) => boolean {
  const address = host.startsWith('/') ? host.slice(1) : host;
  return (acl) =>
    (acl.principal === principal || acl.principal === EVERYONE) && (acl.host === ANY_HOST || acl.host === address);
}
