export type ClusterSectionName =
  | 'overview'
  | 'metrics'
  | 'topics'
  | 'groups'
  | 'transactions'
  | 'clients'
  | 'agents'
  | 'events'
  | 'access'
  | 'keys'
  | 'connect'
  | 'settings';

/** The address of a section of a cluster's pages. */
export function clusterPath(clusterId: string, section: ClusterSectionName = 'overview'): string {
  const base = `/app/clusters/${encodeURIComponent(clusterId)}`;
  return section === 'overview' ? base : `${base}/${section}`;
}

/** The address of the page of one agent. */
export function agentPath(clusterId: string, agentId: string): string {
  return `${clusterPath(clusterId, 'agents')}/${encodeURIComponent(agentId)}`;
}

/** The address of the page of one topic. */
export function topicPath(clusterId: string, topicName: string): string {
  return `${clusterPath(clusterId, 'topics')}/${encodeURIComponent(topicName)}`;
}

/** The address of a topic's configuration. */
export function topicConfigsPath(clusterId: string, topicName: string): string {
  return `${topicPath(clusterId, topicName)}/configuration`;
}

/** The address of a topic's consumers. */
export function topicConsumersPath(clusterId: string, topicName: string): string {
  return `${topicPath(clusterId, topicName)}/consumers`;
}

/** The address of a topic's messages. It must be loaded as a document: use a plain link. */
export function topicMessagesPath(clusterId: string, topicName: string): string {
  return `${topicPath(clusterId, topicName)}/messages`;
}
