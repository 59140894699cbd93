import { registeredAgents } from '@penstock/metadata-core';
import type { AdminListAgentsRequest } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import { agentMessage } from './messages/catalogue.ts';
import { checkedPage } from './pages.ts';

/** AdminListAgents: a page of agents by id, of the few thousand that a cluster can have. @throws ConnectError invalid_argument */
export async function listAgentsIn(owner: Owner, request: AdminListAgentsRequest) {
  const { after, limit } = checkedPage(request.page);
  return await owner.read((state) => {
    const agents = registeredAgents(state)
      .filter(({ agentId }) => after === undefined || agentId > after)
      .sort((one, other) => (one.agentId < other.agentId ? -1 : 1))
      .slice(0, limit);
    return { agents: agents.map((agent) => agentMessage(agent, owner.agents.presences.get(agent.agentId))) };
  });
}
