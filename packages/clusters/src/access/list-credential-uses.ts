import type { Scope } from '@penstock/tenancy';
import type { CredentialUse } from './access-messages.ts';

/** The latest use of each SCRAM credential of these users of a cluster of this organization, as agents reported it. */
export async function listCredentialUses(
  scope: Scope,
  clusterId: string,
  users: readonly string[],
): Promise<CredentialUse[]> {
  const rows = await scope.tx.$queryRaw<{ user_name: string; mechanism: number; host: string; last_at: Date }[]>`
    SELECT user_name, mechanism, host, last_at FROM telemetry.credential_use
    WHERE cluster_id = ${clusterId}::uuid AND organization_id = ${scope.organizationId}
      AND user_name = ANY (${users}::text[])`;
  return rows.map(({ user_name, mechanism, host, last_at }) => ({ user: user_name, mechanism, host, lastAt: last_at }));
}
