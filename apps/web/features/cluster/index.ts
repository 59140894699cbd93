export { ClusterFrame, useCluster } from './cluster-frame';
export { ConnectSection } from './connect/connect-section';
export { GroupsSection } from './groups/groups-section';
export { KeysSection } from './keys/keys-section';
export { useLiveCluster } from './live/live-cluster';
export type { LiveAgent } from './live/live-view';
export { OverviewSection } from './overview/overview-section';
export { SettingsSection } from './settings/settings-section';
export { TopicsSection } from './topics/topics-section';
