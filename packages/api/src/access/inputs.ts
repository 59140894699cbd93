// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { acl, scramVerifier, userName } from '@penstock/clusters/inputs';
import { z } from 'zod';

export const putUserCredentialInput = z.object({ clusterId: z.uuid(), user: userName, ...scramVerifier.shape });

export const createAclsInput = z.object({ clusterId: z.uuid(), acls: z.array(acl).min(1).max(100) });
