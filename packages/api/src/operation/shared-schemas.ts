// Schemas that several responses of the public API share.
import { z } from 'zod';

/** Encoded as RFC 3339 text in UTC. */
export const instant = z.date();
/** Encoded as text, because JSON parsers lose digits beyond 2^53. */
export const wholeNumber = z.bigint();
/** US dollars as decimal text: money is never a float. */
export const usd = z.string().meta({ description: 'US dollars as a decimal string.', example: '12.34' });

export const roleName = z.enum(['owner', 'admin', 'operator', 'billing', 'viewer', 'none']);

/** Roles for single clusters, on top of the role for the organization. */
export const clusterRoles = z
  .array(z.object({ clusterId: z.uuid(), role: z.enum(['admin', 'operator', 'viewer']) }))
  .meta({
    description: 'Roles for single clusters, on top of `role`.',
  });

export const exampleIds = {
  cluster: '0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f',
  key: '0199e0f3-1b2c-7d3e-8f40-516273849506',
  invoice: '0199e0f4-2c3d-7e4f-8051-627384950617',
  audit: '0199e0f5-3d4e-7f50-8162-738495061728',
  user: 'Yk3vTq8sLm2nRb5w',
} as const;

export const groupType = z
  .string()
  .meta({ description: 'Kafka’s group type: `Classic`, or `Consumer` for the protocol of KIP-848.' });
