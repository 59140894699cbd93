// What a reading of users and ACLs shows the auditor.
import type { SecurityState } from '@penstock/metadata-protocol';
import type { AccessFacts } from '../auditor/access-auditor.ts';

export function accessFacts(state: SecurityState | undefined): AccessFacts {
  const credentials = (state?.credentials ?? []).map(
    ({ user, salt }) => `${user} ${Buffer.from(salt).toString('hex')}`,
  );
  const acls = (state?.acls ?? []).map(({ resourceName }) => resourceName);
  return {
    version: Number(state?.version ?? 0n),
    users: (state?.credentials ?? []).map(({ user }) => user),
    content: `${credentials.join(', ')}; ${acls.join(', ')}`,
  };
}
