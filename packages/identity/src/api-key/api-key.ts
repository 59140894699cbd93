// The public view of an API key: never the secret, never its hash.
import { AppError } from '@penstock/platform';
import {
  type ClusterRoleEntry,
  type ClusterRoles,
  listClusterRoles,
  parseClusterRoles,
  parseRole,
  type Role,
  rolesWithinReach,
  type Scope,
} from '@penstock/tenancy';

export interface ApiKey {
  id: string;
  name: string;
  role: Role;
  /** Roles for single clusters, by cluster id. */
  clusterRoles: ClusterRoleEntry[];
  isReadOnly: boolean;
  /** The first characters, e.g. `psk_api_a1B2`. */
  displayPrefix: string;
  displayLast4: string;
  /** The id of the person, or of the API key, that created it. Null for keys from before this was recorded. */
  createdBy: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  /** Precise to the minute. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** The key that replaced it in a rotation. */
  replacedById: string | null;
}

export interface CreatedApiKey {
  apiKey: ApiKey;
  /** The secret. It is shown once, and only its hash is stored. */
  plaintext: string;
}

export const apiKeyColumns = {
  id: true,
  name: true,
  role: true,
  clusterRoles: true,
  isReadOnly: true,
  displayPrefix: true,
  displayLast4: true,
  createdBy: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  revokedAt: true,
  replacedById: true,
} as const;

export function toApiKey(row: Omit<ApiKey, 'role' | 'clusterRoles'> & { role: string; clusterRoles: unknown }): ApiKey {
  const clusterRoles = listClusterRoles(parseClusterRoles(row.clusterRoles));
  return { ...row, role: parseRole(row.role), clusterRoles };
}

/** Parses the stored form of cluster roles. */
export function clusterRolesOf({ clusterRoles }: ApiKey): ClusterRoles {
  return Object.fromEntries(clusterRoles.map(({ clusterId, role }) => [clusterId, role]));
}

/** The facts about a key that the audit log records. */
export function apiKeyFacts(apiKey: ApiKey) {
  return {
    name: apiKey.name,
    role: apiKey.role,
    ...(apiKey.clusterRoles.length === 0 ? {} : { clusterRoles: clusterRolesOf(apiKey) }),
    isReadOnly: apiKey.isReadOnly,
    expiresAt: apiKey.expiresAt?.toISOString() ?? null,
    displayPrefix: apiKey.displayPrefix,
    displayLast4: apiKey.displayLast4,
  };
}

/**
 * Checks the actor's role within the transaction: nobody may create or take over a key with more rights than their own.
 * @throws AppError `role_out_of_reach`
 */
export async function requireReachOfKey(scope: Scope, role: Role): Promise<void> {
  const acting = await actingRole(scope);
  if (acting !== null && rolesWithinReach(acting).includes(role)) {
    return;
  }
  throw new AppError({
    kind: 'forbidden',
    code: 'role_out_of_reach',
    field: 'role',
    message: `You can’t manage keys with the role ${role}.`,
    remedy: 'Choose a role with no more permissions than yours, or contact an owner.',
  });
}

async function actingRole({ tx, organizationId, actor }: Scope): Promise<Role | null> {
  if (actor.id === null) {
    return null;
  }
  const row =
    actor.type === 'api-key'
      ? await tx.apiKey.findFirst({ where: { id: actor.id, organizationId }, select: { role: true } })
      : await tx.member.findUnique({
          where: { organizationId_userId: { organizationId, userId: actor.id } },
          select: { role: true },
        });
  return row === null ? null : parseRole(row.role);
}
