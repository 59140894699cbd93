// Who may change users, ACLs and quotas through an agent. The agent has checked the client's rights, but an agent's key can be stolen: so the
// owner takes no agent's word for it.
import { Code, ConnectError } from '@connectrpc/connect';
import { type ClusterChange, mayChangeCluster } from '@penstock/metadata-core';
import type { KafkaClient } from '@penstock/metadata-protocol';
import { verifyScramProof } from '../auth/scram-proof.ts';
import type { AgentCallContext } from './agent-call.ts';

/**
 * Passes when the client proved who it is and the ACLs let that principal make the change, or when the cluster takes its agents' word.
 * @throws ConnectError permission_denied with what to do
 */
export async function requireAdministrator(
  { owner, mayAdminister, peerSecret }: AgentCallContext,
  client: KafkaClient | undefined,
  change: ClusterChange,
): Promise<void> {
  if (mayAdminister) {
    return;
  }
  if (client?.proof === undefined) {
    throw refusal(
      'this cluster lets Kafka clients change users, ACLs and quotas only after they signed in with SCRAM: do that, or use the ' +
        'dashboard, the API or `penstock`, or let agents administer the cluster on its Access page',
    );
  }
  const { proof, principal, address, agentId } = client;
  const problem = await owner.read((state) => {
    const { credentials } = state.security;
    const verdict = verifyScramProof(proof, { credentials, agentId, nowMs: owner.nowMs(), peerSecret });
    if (!verdict.isGood) {
      return verdict.problem;
    }
    if (principal !== `User:${verdict.user}`) {
      return 'the client signed in as another user';
    }
    return mayChangeCluster(state.security, principal, address, change)
      ? null
      : `no ACL allows ${principal} to ${change} the cluster`;
  });
  if (problem !== null) {
    throw refusal(problem);
  }
}

function refusal(message: string): ConnectError {
  return new ConnectError(message, Code.PermissionDenied);
}
