// An agent's latest self-diagnosis, for its page.
import { type AgentDiagnosis, readDiagnosis } from '@penstock/telemetry';
import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';

/**
 * Null if the agent has not reported one (yet): it is new or cannot reach the metadata service.
 * @throws AppError `cluster_not_found`
 */
export async function getAgentDiagnosis(
  scope: Scope,
  input: { clusterId: string; agentId: string },
): Promise<AgentDiagnosis | null> {
  const cluster = await findCluster(scope, input.clusterId);
  // A restarted agent has several rows; the newest one with a report counts.
  const rows = await scope.tx.$queryRaw<{ diagnosis: unknown }[]>`
    SELECT diagnosis FROM telemetry.agent
    WHERE cluster_id = ${cluster.id}::uuid AND organization_id = ${scope.organizationId}
      AND agent_id = ${input.agentId} AND diagnosis IS NOT NULL
    ORDER BY agent_no DESC LIMIT 1`;
  return readDiagnosis(rows[0]?.diagnosis);
}
