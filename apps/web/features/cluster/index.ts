export { ClusterFrame, useCluster } from './cluster-frame';
export { ConnectSection } from './connect/connect-section';
export { GroupsSection } from './groups/groups-section';
export { KeysSection } from './keys/keys-section';
export { OverviewSection } from './overview/overview-section';
export { SettingsSection } from './settings/settings-section';
export { TopicFrame } from './topics/topic-frame';
export { TopicPartitionsSection } from './topics/topic-partitions-section';
export { TopicsSection } from './topics/topics-section';
