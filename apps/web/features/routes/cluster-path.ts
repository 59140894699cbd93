export type ClusterSectionName =
  | 'overview'
  | 'metrics'
  | 'topics'
  | 'groups'
  | 'agents'
  | 'events'
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
