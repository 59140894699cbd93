'use client';

import { useMay } from '../../../lib/session';
import { useCluster } from '../cluster-frame';
import { DeleteClusterCard } from './delete-cluster-card';
import { ModeCard } from './mode-card';
import { RenameCard } from './rename-card';
import { SettingsInWords } from './settings-in-words';
import { TopicDefaultsCard } from './topic-defaults-card';

export function SettingsSection() {
  const cluster = useCluster();
  const may = useMay();
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      {may('cluster:write') ? (
        <>
          <RenameCard cluster={cluster} />
          <ModeCard cluster={cluster} />
          <TopicDefaultsCard cluster={cluster} />
        </>
      ) : (
        <SettingsInWords cluster={cluster} />
      )}
      {may('cluster:delete') ? <DeleteClusterCard cluster={cluster} /> : null}
    </div>
  );
}
