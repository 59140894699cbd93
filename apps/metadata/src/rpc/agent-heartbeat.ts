import type { MetadataService } from '@penstock/metadata-protocol';
import { messageBrowserOrigin } from '@penstock/platform';
import type { AgentCall } from './agent-call.ts';
import { internalOrigin } from './internal-origin.ts';
import { listenerAddresses } from './listener-addresses.ts';
import { settingsMessage } from './messages/catalogue.ts';

/** Records a heartbeat with the agent's counters. Not journaled. */
export const agentHeartbeat: AgentCall<typeof MetadataService.method.agentHeartbeat> = async (
  { owner, messageBrowserKeys, peerSecrets },
  request,
) => {
  const { isRegistered, settings } = await owner.read((state) => ({
    isRegistered: state.agents.get(request.agentId)?.leftAtMs === null,
    settings: settingsMessage(state.settings),
  }));
  if (isRegistered) {
    owner.agentHeartbeat(request.agentId, request.stats);
    owner.noteReadiness(request.agentId, request.notReady);
    owner.presences.advertiseMessageBrowser(request.agentId, messageBrowserOrigin(request.messageBrowserUrl) ?? '');
    owner.noteInternalUrl(request.agentId, internalOrigin(request.internalUrl) ?? '');
    owner.noteListeners(request.agentId, listenerAddresses(request.listeners));
  }
  return {
    unknownAgent: !isRegistered,
    settings,
    messageBrowserKey: messageBrowserKeys()[0],
    messageBrowserKeys: messageBrowserKeys(),
    serverTimeMs: BigInt(owner.nowMs()),
    peerSecrets: isRegistered ? peerSecrets() : [],
  };
};
