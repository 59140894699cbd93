// The cluster that an agent key opens, for checking roles for single clusters.
import type { OrganizationScope } from '@penstock/tenancy';
import { z } from 'zod';

const input = z.object({ agentKeyId: z.uuid() });

/** Null if there is no such key in the organization. */
export async function clusterOfAgentKey(
  { tx, organizationId }: OrganizationScope,
  raw: unknown,
): Promise<string | null> {
  const parsed = input.safeParse(raw);
  const row = parsed.success
    ? await tx.agentKey.findFirst({
        where: { id: parsed.data.agentKeyId, organizationId },
        select: { clusterId: true },
      })
    : null;
  return row?.clusterId ?? null;
}
