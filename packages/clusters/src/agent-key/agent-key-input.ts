// Validation rules for agent keys and the addresses of agents. Client-safe.
import { agentKeyScopes } from '@penstock/platform/agent-key-scope';
import { z } from 'zod';

const MAX_LIFETIME_DAYS = 3_650;
const MAX_PATTERNS = 50;

export const agentKeyName = z.string().trim().min(1, 'Enter a name for the key.').max(64, 'Use at most 64 characters.');

export const agentKeyLifetimeDays = z
  .number()
  .int('Use whole days.')
  .min(1, 'Use at least 1 day.')
  .max(MAX_LIFETIME_DAYS, 'Use at most 3,650 days.');

/** The permissions of a key. */
export const agentKeyScope = z.enum(agentKeyScopes);

const ipOrRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'Use IP addresses or CIDR ranges, such as 203.0.113.0/24.',
});

/** Networks that a key may be used from. Empty: any. */
export const agentKeyNetworks = z.array(ipOrRange).max(MAX_PATTERNS, `Use at most ${MAX_PATTERNS} networks.`);

/** A host name, in lower case. */
const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'Use at most 253 characters.')
  .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/, 'Use a host name or an IP address, without a port.');

const hostSuffix = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'Use at most 253 characters.')
  .regex(/^\*(\.[a-z0-9_-]+)+$/);

/** Hosts that a key's agents may advertise. Empty: the cluster's settings decide. */
export const agentKeyAddresses = z
  .array(
    z.union([ipOrRange, hostSuffix, hostName], {
      error: 'Use host names, suffixes such as *.agents.internal, IP addresses or CIDR ranges.',
    }),
  )
  .max(MAX_PATTERNS, `Use at most ${MAX_PATTERNS} addresses.`);

/** A host that agents of a cluster may advertise. */
export const agentHost = z.union([z.ipv4(), z.ipv6(), hostName], {
  error: 'Use a host name or an IP address, without a port.',
});
