// Schemas of organizations, members, keys and the audit log in the public API.
import { z } from 'zod';
import { clusterRoles, exampleIds, instant, roleName } from './common.ts';

export const organizationSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    createdAt: instant,
    suspension: z
      .object({
        reason: z.string(),
        readsAllowed: z.boolean().meta({ description: 'Whether consumers can still read.' }),
        suspendedAt: instant,
      })
      .nullable()
      .meta({ description: 'Null: the organization is not suspended.' }),
  })
  .meta({
    id: 'Organization',
    example: { id: 'org_4kQz', name: 'Acme', slug: 'acme', createdAt: '2026-11-02T09:30:00.000Z', suspension: null },
  });

export const memberSchema = z
  .object({ userId: z.string(), name: z.string(), email: z.string(), role: roleName, clusterRoles, joinedAt: instant })
  .meta({
    id: 'Member',
    example: {
      userId: exampleIds.user,
      name: 'Ada Park',
      email: 'ada@example.com',
      role: 'admin',
      clusterRoles: [],
      joinedAt: '2026-11-02T09:30:00.000Z',
    },
  });

export const memberRoleSchema = z.object({ userId: z.string(), email: z.string(), role: roleName, clusterRoles }).meta({
  id: 'MemberRole',
  example: { userId: exampleIds.user, email: 'ada@example.com', role: 'viewer', clusterRoles: [] },
});

export const invitationSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role: roleName,
    clusterRoles,
    inviterEmail: z.string(),
    createdAt: instant,
    expiresAt: instant,
  })
  .meta({
    id: 'Invitation',
    example: {
      id: exampleIds.key,
      email: 'lin@example.com',
      role: 'viewer',
      clusterRoles: [],
      inviterEmail: 'ada@example.com',
      createdAt: '2026-11-02T09:30:00.000Z',
      expiresAt: '2026-11-09T09:30:00.000Z',
    },
  });

const agentKeyExample = {
  id: exampleIds.key,
  name: 'production, eu-west-1',
  displayPrefix: 'psk_agent_a1B2',
  displayLast4: 'x9Y8',
  createdBy: exampleIds.user,
  createdAt: '2026-11-02T09:30:00.000Z',
  expiresAt: '2027-11-02T09:30:00.000Z',
  networks: ['203.0.113.0/24'],
  addresses: ['*.agents.internal', '10.0.0.0/8'],
  scope: 'agent',
  lastUsedAt: '2026-11-21T15:04:00.000Z',
  lastAddress: '203.0.113.7',
  revokedAt: null,
};

export const agentKeySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    displayPrefix: z.string(),
    displayLast4: z.string(),
    createdAt: instant,
    expiresAt: instant.nullable(),
    networks: z
      .array(z.string())
      .meta({ description: 'IP addresses and CIDR ranges that the key may be used from. Empty: any.' }),
    addresses: z.array(z.string()).meta({
      description:
        'Hosts that agents with this key may advertise: names, suffixes such as `*.agents.internal`, IP addresses and CIDR ranges. Empty: the configuration of the cluster decides.',
    }),
    scope: z.string().meta({
      description:
        'What the key may do. `agent`: everything that agents need. `jobs`: merging, compaction and deletions. `read_only`: serving consumers, with their groups and offsets.',
    }),
    lastUsedAt: instant.nullable(),
    lastAddress: z.string().nullable().meta({ description: 'The IP address of the last use.' }),
    revokedAt: instant.nullable(),
  })
  .meta({ id: 'AgentKey', example: agentKeyExample });

export const agentAddressSchema = z
  .object({
    host: z.string(),
    state: z.enum(['learned', 'confirmed', 'pending', 'refused']).meta({
      description:
        'Clients are sent to learned and confirmed addresses only. A pending address waits for confirmation. A refused one is not among the addresses of the agent’s key.',
    }),
    agentKeyId: z.uuid().nullable(),
    agentKeyName: z.string().nullable(),
    firstSeenAt: instant,
    lastSeenAt: instant.nullable().meta({ description: 'To the hour. Null if no agent has advertised it yet.' }),
    confirmedAt: instant.nullable(),
  })
  .meta({
    id: 'AgentAddress',
    example: {
      host: 'agent-1.agents.internal',
      state: 'pending',
      agentKeyId: exampleIds.key,
      agentKeyName: 'production, eu-west-1',
      firstSeenAt: '2026-11-21T15:04:00.000Z',
      lastSeenAt: '2026-11-21T15:04:00.000Z',
      confirmedAt: null,
    },
  });

export const createdAgentKeySchema = z
  .object({
    agentKey: agentKeySchema,
    plaintext: z.string().meta({ description: 'The secret. Returned only in this response.' }),
  })
  .meta({ id: 'CreatedAgentKey', example: { agentKey: agentKeyExample, plaintext: 'psk_agent_…' } });

const apiKeyExample = {
  id: exampleIds.key,
  name: 'deployments',
  role: 'admin',
  clusterRoles: [],
  isReadOnly: false,
  displayPrefix: 'psk_api_a1B2',
  displayLast4: 'x9Y8',
  createdAt: '2026-11-02T09:30:00.000Z',
  expiresAt: null,
  lastUsedAt: '2026-11-21T15:04:00.000Z',
  revokedAt: null,
  replacedById: null,
};

export const apiKeySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    role: roleName,
    clusterRoles,
    isReadOnly: z.boolean(),
    displayPrefix: z.string(),
    displayLast4: z.string(),
    createdBy: z
      .string()
      .nullable()
      .meta({ description: 'The ID of the person or API key that created it. It ends when that person leaves.' }),
    createdAt: instant,
    expiresAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
    revokedAt: instant.nullable(),
    replacedById: z.uuid().nullable(),
  })
  .meta({ id: 'ApiKey', example: apiKeyExample });

export const createdApiKeySchema = z
  .object({
    apiKey: apiKeySchema,
    plaintext: z.string().meta({ description: 'The secret. Returned only in this response.' }),
  })
  .meta({ id: 'CreatedApiKey', example: { apiKey: apiKeyExample, plaintext: 'psk_api_…' } });

export const auditRowSchema = z
  .object({
    id: z.uuid(),
    at: instant,
    actorLabel: z.string(),
    source: z.string(),
    action: z.string(),
    targetType: z.string(),
    targetId: z.string(),
    before: z.unknown(),
    after: z.unknown(),
  })
  .meta({
    id: 'AuditRow',
    example: {
      id: exampleIds.audit,
      at: '2026-11-21T15:04:05.000Z',
      actorLabel: 'ada@example.com',
      source: 'web',
      action: 'cluster.rename',
      targetType: 'cluster',
      targetId: exampleIds.cluster,
      before: { name: 'orders' },
      after: { name: 'orders-eu' },
    },
  });
