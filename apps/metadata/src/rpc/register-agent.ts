import { Code, ConnectError } from '@connectrpc/connect';
import type { MetadataService } from '@penstock/metadata-protocol';
import { HEARTBEAT_INTERVAL_MS } from '../owners/agent-presence.ts';
import { clientHosts, requireAllowed } from './advertised-hosts.ts';
import type { AgentCall } from './agent-call.ts';
import { addressesOf, agentReport } from './agent-report.ts';
import { settingsMessage } from './messages/catalogue.ts';
import { roleProblem } from './role-problem.ts';

const REFUSAL_CODES = {
  'invalid-agent': Code.InvalidArgument,
  'other-key': Code.PermissionDenied,
  'bucket-mismatch': Code.FailedPrecondition,
  'too-many-agents': Code.FailedPrecondition,
} as const;

/**
 * Registers an agent that started, or that a heartbeat found unknown. The same id again is the same registration. An agent with a host that
 * is not allowed is not registered, so nobody is sent to it.
 */
export const registerAgent: AgentCall<typeof MetadataService.method.registerAgent> = async (context, request) => {
  const { owner, keyId, scope, messageBrowserKeys, peerSecrets, addressVerdict } = context;
  const { agentId, zone, version, advertisedHost, advertisedPort, bucket } = request;
  const addresses = addressesOf(request);
  const problem = roleProblem(scope, request);
  if (problem !== null) {
    throw new ConnectError(problem, Code.FailedPrecondition);
  }
  requireAllowed(await addressVerdict(clientHosts(request, addresses.listeners)));
  const answer = await owner.agents.register({
    kind: 'register-agent',
    agentId,
    zone,
    version,
    advertisedHost,
    advertisedPort,
    bucket,
    keyId,
  });
  if (answer.refused !== null) {
    throw new ConnectError(answer.message, REFUSAL_CODES[answer.refused]);
  }
  owner.agents.report(agentId, await agentReport(context, request, addresses));
  return {
    nodeId: answer.nodeId,
    heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS,
    settings: settingsMessage(answer.settings, owner.rules),
    clusterId: owner.cluster.clusterId,
    messageBrowserKeys: messageBrowserKeys(),
    serverTimeMs: BigInt(owner.nowMs()),
    // Agents that run jobs alone have no peers.
    peerSecrets: scope === 'jobs' ? [] : peerSecrets(),
    keyScope: scope ?? '',
  };
};
