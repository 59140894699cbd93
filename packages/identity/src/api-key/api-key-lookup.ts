// Looks up an API key: its row, its role, and whether it is active.
import { column, type Lookup } from '@penstock/database/client';
import { type Grant, parseClusterRoles, parseRole } from '@penstock/tenancy';

export interface ApiKeyRow extends Grant {
  /** SHA-256 of the key, in hex. */
  hash: string;
  id: string;
  name: string;
  organizationId: string;
  organizationName: string;
  isReadOnly: boolean;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** Keyed by the hash. Finds no key of a deleted organization. */
export const apiKeyByHash: Lookup<ApiKeyRow> = {
  name: 'api_key_by_hash',
  text: `
    SELECT encode(k.hash, 'hex'), k.id, k.name, k.organization_id, o.name, k.role, k.cluster_roles::text,
      k.is_read_only,
      extract(epoch FROM k.expires_at), extract(epoch FROM k.last_used_at), extract(epoch FROM k.revoked_at)
    FROM api_key k JOIN organization o ON o.id = k.organization_id
    WHERE k.hash = ANY (ARRAY(SELECT decode(wanted, 'hex') FROM unnest($1::text[]) wanted)) AND o.deleted_at IS NULL`,
  toRow: ([
    hash,
    id,
    name,
    organizationId,
    organizationName,
    role,
    clusterRoles,
    isReadOnly,
    expiresAt,
    lastUsedAt,
    revokedAt,
  ]) => ({
    hash: column.text(hash),
    id: column.text(id),
    name: column.text(name),
    organizationId: column.text(organizationId),
    organizationName: column.text(organizationName),
    role: parseRole(column.text(role)),
    clusterRoles: parseClusterRoles(JSON.parse(column.text(clusterRoles))),
    isReadOnly: column.flag(isReadOnly),
    expiresAt: column.instantOrNull(expiresAt),
    lastUsedAt: column.instantOrNull(lastUsedAt),
    revokedAt: column.instantOrNull(revokedAt),
  }),
  keyOf: ({ hash }) => hash,
};
