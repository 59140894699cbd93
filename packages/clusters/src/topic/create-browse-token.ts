// Lets one user read the records of one topic for half a minute. Records go from an agent to the user's browser and
// never pass through the control plane.
import { AppError, notFound } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { MINUTE_MS } from '@penstock/units';
import { findCluster } from '../cluster/cluster.ts';
import { toLiveClusterView } from '../cluster/cluster-view.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { BROWSE_TOKEN_S, type BrowseTokenSigner } from './browse-tokens.ts';

export interface BrowseToken {
  /** The token of the first agent, for programs that know only one. */
  token: string;
  expiresAtMs: number;
  /**
   * Agents that serve the topic's records, each at its own origin or behind a shared one. `token` is for the
   * Authorization header of requests to that origin. Never send it anywhere else.
   */
  agents: { agentId: string; nodeId: number; zone: string; url: string; token: string }[];
}

/** Agents that a token can name: a header of 16 KiB, the most that load balancers take, holds this many. */
const MAX_SHARING = 300;
/** Within this time, the tokens of one user for one topic share one audit row. */
const BROWSE_MS = 5 * MINUTE_MS;

/** @throws AppError `cluster_not_found`, `topic_not_found`, `message_browser_off`, `metadata_unavailable` */
export async function createBrowseToken(
  scope: Scope,
  { metadata, browseTokens }: { metadata: MetadataAdmin; browseTokens: BrowseTokenSigner },
  input: { clusterId: string; name: string },
): Promise<BrowseToken> {
  const cluster = await findCluster(scope, input.clusterId);
  const view = toLiveClusterView(await metadata.getClusterView(cluster.id));
  if (!view.topics.some(({ name }) => name === input.name)) {
    throw notFound('topic', 'It may have been deleted. Reload the list.');
  }
  const agents = view.agents.flatMap(({ agentId, nodeId, zone, alive, messageBrowserUrl }) =>
    alive && messageBrowserUrl !== null ? [{ agentId, nodeId, zone, url: messageBrowserUrl }] : [],
  );
  const [first] = agents;
  if (first === undefined) {
    throw new AppError({
      kind: 'refused',
      code: 'message_browser_off',
      message: 'Message browsing is turned off on all agents of this cluster.',
      remedy: 'The operator of the agents can turn it on by starting one with --message-browser.',
    });
  }
  await recordBrowse(scope, cluster.id, input.name);
  // An agent that receives a token cannot use it at another: each is for the agents of one address.
  const tokens = new Map<string, string>();
  const tokenFor = (url: string): string => {
    const known = tokens.get(url);
    if (known !== undefined) {
      return known;
    }
    const sharing = agents.filter((agent) => agent.url === url).slice(-MAX_SHARING);
    const token = browseTokens.sign({
      clusterId: cluster.id,
      topic: input.name,
      agentIds: sharing.map(({ agentId }) => agentId),
      organizationId: scope.organizationId,
      actorId: scope.actor.id,
      issuedAt: scope.now,
    });
    tokens.set(url, token);
    return token;
  };
  return {
    token: tokenFor(first.url),
    expiresAtMs: scope.now.getTime() + BROWSE_TOKEN_S * 1_000,
    agents: agents.map((agent) => ({ ...agent, token: tokenFor(agent.url) })),
  };
}

async function recordBrowse(scope: Scope, clusterId: string, name: string): Promise<void> {
  const { tx, organizationId, actor, now } = scope;
  const browse = { action: 'topic.browse', targetType: 'topic', targetId: `${clusterId}/${name}` } as const;
  const known = await tx.auditLog.findFirst({
    where: { organizationId, ...browse, actorId: actor.id, at: { gt: new Date(now.getTime() - BROWSE_MS) } },
    select: { id: true },
  });
  if (known === null) {
    await recordAudit(scope, { ...browse, after: { clusterId, name } });
  }
}
