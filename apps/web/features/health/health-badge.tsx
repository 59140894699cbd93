'use client';

import { Badge } from '@penstock/ui';
import { type Live, shownVerdict } from './shown-verdict';
import { useClusterHealth } from './use-cluster-health';

/** The verdict in one word, for the header of a cluster's pages. */
export function HealthBadge({ clusterId, live }: { clusterId: string; live: Live }) {
  const health = useClusterHealth(clusterId);
  const { tone, label } = shownVerdict(health.data, live);
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
}
