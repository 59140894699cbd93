// The cluster that a silence belongs to, for checking roles for single clusters.
import type { OrganizationScope } from '@penstock/tenancy';
import { z } from 'zod';

const input = z.object({ silenceId: z.uuid() });

/** Null if there is no such silence in the organization. */
export async function clusterOfSilence(
  { tx, organizationId }: OrganizationScope,
  raw: unknown,
): Promise<string | null> {
  const parsed = input.safeParse(raw);
  const row = parsed.success
    ? await tx.healthSilence.findFirst({
        where: { id: parsed.data.silenceId, organizationId },
        select: { clusterId: true },
      })
    : null;
  return row?.clusterId ?? null;
}
