import type { MetadataService } from '@penstock/metadata-protocol';
import { clientHosts } from './advertised-hosts.ts';
import type { AgentCall } from './agent-call.ts';
import { addressesOf, agentReport } from './agent-report.ts';
import { settingsMessage } from './messages/catalogue.ts';
import { roleProblem } from './role-problem.ts';

/** Records a heartbeat with the agent's counters. Not journaled. */
export const agentHeartbeat: AgentCall<typeof MetadataService.method.agentHeartbeat> = async (context, request) => {
  const { owner, scope, messageBrowserKeys, peerSecrets, addressVerdict } = context;
  const addresses = addressesOf(request);
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
  const isRegistered =
    agent !== undefined &&
    roleProblem(scope, { ...request, advertisedPort: agent.advertisedPort }) === null &&
    (await addressVerdict(clientHosts(agent, addresses.listeners))).outcome === 'allowed';
  if (agent !== undefined && !isRegistered) {
    // Its key no longer allows its roles or the host, or somebody removed the host: no client is sent there from now on. The agent hears
    // why when it registers again.
    await owner.submit({ kind: 'agent-left', agentId: request.agentId });
    owner.agents.presences.forget(request.agentId);
  }
  if (isRegistered) {
    const report = await agentReport(context, request, addresses);
    owner.agents.heartbeat(request.agentId, request.stats);
    owner.agents.report(request.agentId, { ...report, notReady: request.notReady === '' ? null : request.notReady });
  }
  return {
    unknownAgent: !isRegistered,
    settings,
    messageBrowserKeys: messageBrowserKeys(),
    serverTimeMs: BigInt(owner.nowMs()),
    peerSecrets: isRegistered && scope !== 'jobs' ? peerSecrets() : [],
  };
};
