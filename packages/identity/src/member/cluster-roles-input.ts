// Validation rules for roles for single clusters. Client-safe.
import { clusterRoleNames } from '@penstock/tenancy/cluster-roles';
import { z } from 'zod';

/** As many as an organization may have clusters. */
const MAX_ENTRIES = 200;

export const clusterRoleEntries = z
  .array(z.object({ clusterId: z.uuid(), role: z.enum(clusterRoleNames, { error: 'Choose a role.' }) }))
  .max(MAX_ENTRIES, `Use at most ${MAX_ENTRIES} clusters.`)
  .refine((entries) => new Set(entries.map(({ clusterId }) => clusterId.toLowerCase())).size === entries.length, {
    error: 'Each cluster can have only one role.',
  });
