// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { acl, scramVerifier, securitySettingsChange, userName } from '@penstock/clusters/inputs';
import { z } from 'zod';

export const putUserCredentialInput = z.object({
  clusterId: z.uuid(),
  user: userName.refine((name) => !name.includes('\0'), 'Remove the NUL character.'),
  ...scramVerifier.shape,
});

export const createAclsInput = z.object({ clusterId: z.uuid(), acls: z.array(acl).min(1).max(100) });

export const updateSecuritySettingsInput = z.object({
  clusterId: z.uuid(),
  ...securitySettingsChange.shape,
  /** The version that the change was made from; the current one if omitted. */
  expectedVersion: z.int().min(0).optional(),
});
