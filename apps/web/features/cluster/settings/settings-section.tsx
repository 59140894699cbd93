'use client';

import { useCluster } from '../cluster-frame';
import { DeleteClusterCard } from './delete-cluster-card';
import { RenameCard } from './rename-card';
import { TopicDefaultsCard } from './topic-defaults-card';

export function SettingsSection() {
  const cluster = useCluster();
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <RenameCard cluster={cluster} />
      <TopicDefaultsCard cluster={cluster} />
      <DeleteClusterCard cluster={cluster} />
    </div>
  );
}
