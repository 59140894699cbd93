// The requests of the last hour that ACLs denied, as the agents reported them.
import type { Scope, Slice } from '@penstock/tenancy';
import { HOUR_MS } from '@penstock/units';
import { findCluster } from '../cluster/cluster.ts';
import type { Acl } from './access-input.ts';
import { aclOf } from './access-messages.ts';

/** The most that a page of the dashboard lists. */
const MAX_SHOWN = 200;

/** When the requests were denied last, and their `id`. */
export type DeniedRequestOrder = readonly [Date, string];

/** Requests of one principal for one operation on one resource, at all agents together. */
export interface DeniedRequests {
  /** Identifies principal, operation and resource, in base64. */
  id: string;
  principal: string;
  /** Address of the client that was denied last. */
  host: string;
  /** Client ID of the client that was denied last. Empty if it has none. */
  clientId: string;
  operation: Acl['operation'];
  resourceType: Acl['resourceType'];
  resourceName: string;
  /** Whether the last request was refused. False in shadow mode. */
  isEnforced: boolean;
  count: number;
  firstAt: Date;
  lastAt: Date;
  /** The narrowest ACL for all hosts that allows the requests; null if an ACL denies them. */
  allowingAcl: Acl | null;
  /** An ACL that denies the requests. Adding an ACL doesn’t allow them: this one has to go first. */
  denyingAcl: Acl | null;
}

interface Row {
  key: Uint8Array;
  principal: string;
  host: string;
  client_id: string;
  resource_type: number;
  resource_name: string;
  operation: number;
  is_enforced: boolean;
  count: bigint;
  first_at: Date;
  last_at: Date;
  denying_acl: Parameters<typeof aclOf>[0] | null;
}

/**
 * Latest first. Agents report every ten seconds, and each reports at most 100 different requests.
 * @throws AppError `cluster_not_found`
 */
export async function listDeniedRequests(
  scope: Scope,
  clusterId: string,
  slice?: Slice<DeniedRequestOrder>,
): Promise<DeniedRequests[]> {
  const cluster = await findCluster(scope, clusterId);
  const since = new Date(scope.now.getTime() - HOUR_MS);
  const [lastAt, id] = slice?.after ?? [];
  // Later than every request, so that the first page has no condition of its own.
  const before = lastAt ?? new Date(scope.now.getTime() + HOUR_MS);
  const afterKey = Buffer.from(id ?? '', 'base64');
  const rows = await scope.tx.$queryRaw<Row[]>`
    SELECT latest.*, total.key, total.count, total.first_at, total.last_at FROM (
      SELECT key, sum(count)::bigint AS count, min(first_at) AS first_at, max(last_at) AS last_at
      FROM telemetry.denied_request
      WHERE cluster_id = ${cluster.id}::uuid AND organization_id = ${scope.organizationId} AND last_at >= ${since}
      GROUP BY key HAVING max(last_at) < ${before} OR (max(last_at) = ${before} AND key > ${afterKey})
      ORDER BY max(last_at) DESC, key LIMIT ${slice?.limit ?? MAX_SHOWN}
    ) AS total, LATERAL (
      SELECT principal, host, client_id, resource_type, resource_name, operation, is_enforced, denying_acl
      FROM telemetry.denied_request AS denied
      WHERE denied.cluster_id = ${cluster.id}::uuid AND denied.organization_id = ${scope.organizationId}
        AND denied.key = total.key
      ORDER BY denied.last_at DESC LIMIT 1
    ) AS latest
    ORDER BY total.last_at DESC, total.key`;
  return rows.map((row) => {
    // ALLOW (3) for this name (LITERAL, 3) from all hosts.
    const allowing = aclOf({
      resourceType: row.resource_type,
      resourceName: row.resource_name,
      patternType: 3,
      principal: row.principal,
      host: '*',
      operation: row.operation,
      permissionType: 3,
    });
    return {
      id: Buffer.from(row.key).toString('base64'),
      principal: row.principal,
      host: row.host,
      clientId: row.client_id,
      operation: allowing.operation,
      resourceType: allowing.resourceType,
      resourceName: row.resource_name,
      isEnforced: row.is_enforced,
      count: Number(row.count),
      firstAt: row.first_at,
      lastAt: row.last_at,
      allowingAcl: row.denying_acl === null ? allowing : null,
      denyingAcl: row.denying_acl === null ? null : aclOf(row.denying_acl),
    };
  });
}
