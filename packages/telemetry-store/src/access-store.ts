// Stores what agents report about access control: denied requests, for an hour, and the latest use of each credential.
import { HOUR_MS } from '@penstock/units';
import type { Pool } from 'pg';

/** How long a denied request is kept after it happened last. */
export const DENIAL_RETENTION_MS = HOUR_MS;
/** A credential that has not been used for this long is treated as never used. */
const USE_RETENTION = '400 days';
/** Twice the credentials of a cluster. Only a forged report names more users than a cluster has. */
const MAX_USES_PER_CLUSTER = 10_000;

/** An ACL by Kafka's numbers. */
export interface ReportedAcl {
  resourceType: number;
  resourceName: string;
  patternType: number;
  principal: string;
  host: string;
  operation: number;
  permissionType: number;
}

/** A request that ACLs denied, by Kafka's numbers. */
export interface ReportedDenial {
  principal: string;
  host: string;
  clientId: string;
  resourceType: number;
  resourceName: string;
  operation: number;
  isEnforced: boolean;
  count: number;
  firstMs: number;
  lastMs: number;
  denyingAcl: ReportedAcl | null;
}

export interface ReportedUse {
  user: string;
  /** 1 for SCRAM-SHA-256, 2 for SCRAM-SHA-512. */
  mechanism: number;
  host: string;
  lastMs: number;
}

export interface ReportedAccess {
  /** Grows with each denial while the agent runs. */
  revision: bigint;
  denials: readonly ReportedDenial[];
  uses: readonly ReportedUse[];
}

/** The agent that reports. */
export interface AccessReporter {
  clusterId: string;
  organizationId: string;
  agentId: string;
}

/**
 * Stores a report. Storing the same one again, or an older one, changes nothing.
 * @throws when the database fails: the report may be sent again
 */
export async function storeAccess(pool: Pool, reporter: AccessReporter, access: ReportedAccess): Promise<void> {
  await replaceDenials(pool, reporter, access);
  if (access.uses.length > 0) {
    await keepLatestUses(pool, reporter, access.uses);
  }
}

async function replaceDenials(
  pool: Pool,
  { clusterId, organizationId, agentId }: AccessReporter,
  { revision, denials }: ReportedAccess,
): Promise<void> {
  await pool.query({
    name: 'telemetry-denials',
    text: `WITH reported AS (
             SELECT sha256(convert_to(json_build_array(principal, resource_type, resource_name, operation)::text, 'UTF8')) AS key, *
             FROM jsonb_to_recordset($4::jsonb) AS denial (
               principal text, host text, client_id text, resource_type integer, resource_name text, operation integer,
               is_enforced boolean, count bigint, first_at timestamptz, last_at timestamptz, denying_acl jsonb)
           ), gone AS (
             DELETE FROM telemetry.denied_request
             WHERE cluster_id = $1 AND agent_id = $3 AND revision <= $5 AND key NOT IN (SELECT key FROM reported)
           )
           INSERT INTO telemetry.denied_request AS known
             (cluster_id, organization_id, agent_id, key, revision, principal, host, client_id, resource_type, resource_name, operation,
              is_enforced, count, first_at, last_at, denying_acl)
           SELECT $1, $2, $3, key, $5, principal, host, client_id, resource_type, resource_name, operation,
              is_enforced, count, first_at, last_at, denying_acl
           FROM reported ORDER BY key
           ON CONFLICT (cluster_id, agent_id, key) DO UPDATE SET
             revision = excluded.revision, host = excluded.host, client_id = excluded.client_id, is_enforced = excluded.is_enforced,
             count = excluded.count, first_at = excluded.first_at, last_at = excluded.last_at, denying_acl = excluded.denying_acl
           WHERE known.revision < excluded.revision`,
    values: [
      clusterId,
      organizationId,
      agentId,
      JSON.stringify(
        denials.map((denial) => ({
          principal: denial.principal,
          host: denial.host,
          client_id: denial.clientId,
          resource_type: denial.resourceType,
          resource_name: denial.resourceName,
          operation: denial.operation,
          is_enforced: denial.isEnforced,
          count: denial.count,
          first_at: new Date(denial.firstMs),
          last_at: new Date(denial.lastMs),
          denying_acl: denial.denyingAcl,
        })),
      ),
      revision.toString(),
    ],
  });
}

async function keepLatestUses(
  pool: Pool,
  { clusterId, organizationId }: AccessReporter,
  uses: readonly ReportedUse[],
): Promise<void> {
  await pool.query({
    name: 'telemetry-uses',
    text: `INSERT INTO telemetry.credential_use AS known (cluster_id, organization_id, user_name, mechanism, host, last_at)
           SELECT $1, $2, * FROM unnest($3::text[], $4::integer[], $5::text[], $6::timestamptz[])
             AS used (user_name, mechanism, host, last_at)
           ORDER BY user_name, mechanism
           ON CONFLICT (cluster_id, user_name, mechanism) DO UPDATE SET host = excluded.host, last_at = excluded.last_at
           WHERE known.last_at < excluded.last_at`,
    values: [
      clusterId,
      organizationId,
      uses.map(({ user }) => user),
      uses.map(({ mechanism }) => mechanism),
      uses.map(({ host }) => host),
      uses.map(({ lastMs }) => new Date(lastMs)),
    ],
  });
}

/** Deletes what is no longer kept. */
export async function expireAccess(pool: Pool, nowMs: number): Promise<void> {
  await pool.query('DELETE FROM telemetry.denied_request WHERE last_at < $1', [new Date(nowMs - DENIAL_RETENTION_MS)]);
  await pool.query(
    `DELETE FROM telemetry.credential_use WHERE last_at < $1::timestamptz - interval '${USE_RETENTION}'`,
    [new Date(nowMs)],
  );
  await pool.query(
    `DELETE FROM telemetry.credential_use AS used USING (
       SELECT cluster_id, user_name, mechanism, row_number() OVER (PARTITION BY cluster_id ORDER BY last_at DESC) AS place
       FROM telemetry.credential_use
     ) AS ranked
     WHERE ranked.place > $1 AND used.cluster_id = ranked.cluster_id AND used.user_name = ranked.user_name
       AND used.mechanism = ranked.mechanism`,
    [MAX_USES_PER_CLUSTER],
  );
}
