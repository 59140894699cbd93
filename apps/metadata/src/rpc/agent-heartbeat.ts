import type { MetadataService } from '@penstock/metadata-protocol';
import { messageBrowserOrigin } from '@penstock/platform';
import { allowedOrigin, clientHosts } from './advertised-hosts.ts';
import type { AgentCall } from './agent-call.ts';
import { internalKey, internalOrigin } from './internal-address.ts';
import { landingZones } from './landing-zones.ts';
import { listenerAddresses } from './listener-addresses.ts';
import { settingsMessage } from './messages/catalogue.ts';
import { roleProblem } from './role-problem.ts';

/** Records a heartbeat with the agent's counters. Not journaled. */
export const agentHeartbeat: AgentCall<typeof MetadataService.method.agentHeartbeat> = async (
  { owner, keyId, scope, messageBrowserKeys, peerSecrets, addressVerdict },
  request,
) => {
  const keySha256 = internalKey(request.internalKeySha256);
  const { agent, settings } = await owner.read((state) => {
    const known = state.agents.get(request.agentId);
    return {
      agent:
        known?.leftAtMs === null
          ? { advertisedHost: known.advertisedHost, advertisedPort: known.advertisedPort }
          : undefined,
      settings: settingsMessage(state.settings, state.rules),
    };
  });
  const listeners = listenerAddresses(request.listeners);
  const isRegistered =
    agent !== undefined &&
    roleProblem(scope, { ...request, advertisedPort: agent.advertisedPort }) === null &&
    (await addressVerdict(clientHosts(agent, listeners))).outcome === 'allowed';
  if (agent !== undefined && !isRegistered) {
    // Its key no longer allows its roles or the host, or somebody removed the host: no client is sent there from now on. The agent hears
    // why when it registers again.
    await owner.submit({ kind: 'agent-left', agentId: request.agentId });
    owner.presences.forget(request.agentId);
  }
  if (isRegistered) {
    owner.noteKey(request.agentId, keyId, scope);
    const messageBrowserUrl = await allowedOrigin(addressVerdict, messageBrowserOrigin(request.messageBrowserUrl));
    const internalUrl = await allowedOrigin(addressVerdict, internalOrigin(request.internalUrl));
    owner.agentHeartbeat(request.agentId, request.stats);
    owner.noteReadiness(request.agentId, request.notReady);
    owner.presences.advertiseMessageBrowser(request.agentId, messageBrowserUrl);
    owner.noteInternalAddress(request.agentId, { url: internalUrl, keySha256 });
    owner.noteListeners(request.agentId, listeners);
    owner.presences.noteLandingZones(request.agentId, landingZones(request.landing));
  }
  return {
    unknownAgent: !isRegistered,
    settings,
    messageBrowserKey: messageBrowserKeys()[0],
    messageBrowserKeys: messageBrowserKeys(),
    serverTimeMs: BigInt(owner.nowMs()),
    peerSecrets: isRegistered && scope !== 'jobs' ? peerSecrets() : [],
  };
};
