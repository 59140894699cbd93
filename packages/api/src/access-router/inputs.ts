// Inputs of the access procedures. Client-safe: imports only zod and pure modules.
import {
  acl,
  aclFilter,
  quotaChange,
  scramMechanisms,
  scramVerifier,
  securitySettingsChange,
  userName,
} from '@penstock/clusters/inputs';
import { z } from 'zod';

const ofCluster = z.object({ clusterId: z.uuid() });

export const listAccessInput = ofCluster;

export const putUserCredentialInput = z.object({ clusterId: z.uuid(), user: userName, ...scramVerifier.shape });

export const deleteUserInput = z.object({
  clusterId: z.uuid(),
  user: userName,
  /** All credentials of the user if omitted. */
  mechanism: z.enum(scramMechanisms).optional(),
});

export const createAclsInput = z.object({ clusterId: z.uuid(), acls: z.array(acl).min(1).max(100) });

export const deleteAclsInput = z.object({ clusterId: z.uuid(), ...aclFilter.shape });

export const updateSecuritySettingsInput = z.object({
  clusterId: z.uuid(),
  ...securitySettingsChange.shape,
  /** The version that the change was made from; the current one if omitted. */
  expectedVersion: z.int().min(0).optional(),
});

export const setQuotaInput = z.object({ clusterId: z.uuid(), ...quotaChange.shape });
