export type ClusterSectionName =
  | 'overview'
  | 'metrics'
  | 'topics'
  | 'groups'
  | 'agents'
  | 'keys'
  | 'connect'
  | 'settings';

/** The address of a section of a cluster's pages. */
export function clusterPath(clusterId: string, section: ClusterSectionName = 'overview'): string {
  const base = `/app/clusters/${encodeURIComponent(clusterId)}`;
  return section === 'overview' ? base : `${base}/${section}`;
}
