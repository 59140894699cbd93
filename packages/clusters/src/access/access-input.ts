// Validation rules for users, ACLs, quotas and the settings of access control, in Kafka's words. Client-safe.
import { z } from 'zod';

export const scramMechanisms = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
export type ScramMechanismName = (typeof scramMechanisms)[number];

export const aclResourceTypes = ['TOPIC', 'GROUP', 'CLUSTER', 'TRANSACTIONAL_ID', 'DELEGATION_TOKEN', 'USER'] as const;
export const aclPatternTypes = ['LITERAL', 'PREFIXED'] as const;
export const aclOperations = [
  'ALL',
  'READ',
  'WRITE',
  'CREATE',
  'DELETE',
  'ALTER',
  'DESCRIBE',
  'CLUSTER_ACTION',
  'DESCRIBE_CONFIGS',
  'ALTER_CONFIGS',
  'IDEMPOTENT_WRITE',
  'CREATE_TOKENS',
  'DESCRIBE_TOKENS',
  'TWO_PHASE_COMMIT',
] as const;
export const aclPermissions = ['ALLOW', 'DENY'] as const;

export const aclModes = ['disabled', 'shadow', 'enforced'] as const;
export type AclModeName = (typeof aclModes)[number];
export const authenticationRequirements = ['when-credentials-exist', 'always', 'never'] as const;
export type AuthenticationRequirementName = (typeof authenticationRequirements)[number];

export const userName = z.string().min(1, 'Enter a name for the user.').max(255, 'Use at most 255 characters.');

const principal = z
  .string()
  .max(1_024, 'Use at most 1,024 characters.')
  .regex(/^[^:]+:.+$/s, 'Use a type and a name, such as User:alice or User:*.');
const host = z.string().min(1, 'Enter an IP address, or * for all.').max(255, 'Use at most 255 characters.');
const resourceName = z.string().min(1, 'Enter a name, or * for all.').max(1_024, 'Use at most 1,024 characters.');

/** A SCRAM verifier (RFC 5802, section 3), derived where the password was typed. Bytes are in base64. */
export const scramVerifier = z.object({
  mechanism: z.enum(scramMechanisms),
  salt: z.base64('Use base64.').min(1).max(344),
  storedKey: z.base64('Use base64.').max(88),
  serverKey: z.base64('Use base64.').max(88),
  iterations: z.int().min(4_096, 'Use at least 4,096 iterations.').max(1_000_000, 'Use at most 1,000,000 iterations.'),
  /** Null for a credential that does not expire. */
  expiresAt: z.date().nullable().default(null),
});
export type ScramVerifier = z.infer<typeof scramVerifier>;

/** Strict, because a misspelt permission would allow. */
export const acl = z.strictObject({
  resourceType: z.enum(aclResourceTypes),
  resourceName,
  patternType: z.enum(aclPatternTypes).default('LITERAL'),
  principal,
  host: host.default('*'),
  operation: z.enum(aclOperations),
  permission: z.enum(aclPermissions).default('ALLOW'),
});
export type Acl = z.infer<typeof acl>;

/** Omitted fields match everything. */
export const aclFilter = z.object({
  resourceType: z.enum(aclResourceTypes).optional(),
  resourceName: resourceName.optional(),
  /** MATCH finds all patterns that apply to the resource of this name. */
  patternType: z.enum([...aclPatternTypes, 'MATCH']).optional(),
  principal: principal.optional(),
  host: host.optional(),
  operation: z.enum(aclOperations).optional(),
  permission: z.enum(aclPermissions).optional(),
});
export type AclFilter = z.infer<typeof aclFilter>;

/** Omitted settings don't change. */
export const securitySettingsChange = z.object({
  superUsers: z.array(principal).max(100, 'Use at most 100 super users.').optional(),
  allowEveryoneIfNoAclFound: z.boolean().optional(),
  aclMode: z.enum(aclModes).optional(),
  authentication: z.enum(authenticationRequirements).optional(),
});
export type SecuritySettingsChange = z.infer<typeof securitySettingsChange>;

const byteRate = z.int().min(1, 'Use at least 1 byte per second.').nullable().optional();

/** An empty user or client ID is the default of all without a quota of their own. Null removes a quota; omitted ones don't change. */
export const quotaChange = z.object({
  user: z.string().max(255, 'Use at most 255 characters.').optional(),
  clientId: z.string().max(255, 'Use at most 255 characters.').optional(),
  producerByteRate: byteRate,
  consumerByteRate: byteRate,
  requestPercentage: z.number().positive('Use a number greater than 0.').nullable().optional(),
});
export type QuotaChange = z.infer<typeof quotaChange>;
