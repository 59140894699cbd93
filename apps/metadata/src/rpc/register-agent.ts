import { Code, ConnectError } from '@connectrpc/connect';
import type { MetadataService } from '@penstock/metadata-protocol';
import { messageBrowserOrigin } from '@penstock/platform';
import { HEARTBEAT_INTERVAL_MS } from '../owners/agent-presence.ts';
import type { AgentCall } from './agent-call.ts';
import { internalOrigin } from './internal-origin.ts';
import { listenerAddresses } from './listener-addresses.ts';
import { settingsMessage } from './messages/catalogue.ts';

/** Registers an agent that started, or was told that it is unknown. The same id again is the same registration. */
export const registerAgent: AgentCall<typeof MetadataService.method.registerAgent> = async (
  { owner, messageBrowserKeys, peerSecrets },
  request,
) => {
  const { agentId, zone, version, advertisedHost, advertisedPort, bucket } = request;
  const answer = await owner.submit({
    kind: 'register-agent',
    agentId,
    zone,
    version,
    advertisedHost,
    advertisedPort,
    bucket,
  });
  if (answer.refused !== null) {
    const code = answer.refused === 'invalid-agent' ? Code.InvalidArgument : Code.FailedPrecondition;
    throw new ConnectError(answer.message, code);
  }
  owner.presences.welcome(agentId);
  owner.presences.advertiseMessageBrowser(agentId, messageBrowserOrigin(request.messageBrowserUrl) ?? '');
  owner.noteInternalUrl(agentId, internalOrigin(request.internalUrl) ?? '');
  owner.noteListeners(agentId, listenerAddresses(request.listeners));
  return {
    nodeId: answer.nodeId,
    heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS,
    settings: settingsMessage(answer.settings),
    clusterId: owner.cluster.clusterId,
    messageBrowserKey: messageBrowserKeys()[0],
    messageBrowserKeys: messageBrowserKeys(),
    serverTimeMs: BigInt(owner.nowMs()),
    peerSecrets: peerSecrets(),
  };
};
