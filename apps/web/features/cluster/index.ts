export { AgentsSection } from './agents/agents-section';
export { ClusterFrame } from './cluster-frame';
export { ConnectSection } from './connect/connect-section';
export { GroupsSection } from './groups/groups-section';
export { KeysSection } from './keys/keys-section';
export { OverviewSection } from './overview/overview-section';
export { SettingsSection } from './settings/settings-section';
export { TopicsSection } from './topics/topics-section';
