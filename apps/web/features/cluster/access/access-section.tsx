'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../../lib/trpc';
import { AclsCard } from './acls-card';
import { AgentAdministrationCard } from './agent-administration-card';
import { DeniedRequestsCard } from './denied-requests-card';
import { AccessSettingsCard } from './settings-card';
import { UsersCard } from './users-card';

/** Who may sign in to a cluster, and what they may do. */
export function AccessSection({ clusterId }: { clusterId: string }) {
  const trpc = useTRPC();
  const settings = useQuery(trpc.access.getSettings.queryOptions({ clusterId }));
  return (
    <div className="flex flex-col gap-4">
      <AccessSettingsCard clusterId={clusterId} settings={settings} />
      <UsersCard clusterId={clusterId} locksOutOthers={settings.data?.authentication === 'when-credentials-exist'} />
      <AclsCard clusterId={clusterId} />
      <AgentAdministrationCard />
      <DeniedRequestsCard clusterId={clusterId} />
    </div>
  );
}
