'use client';

import { Badge } from '@penstock/ui';
import { type Live, type ShownVerdict, shownVerdict } from './shown-verdict';
import { judged, useClusterHealth } from './use-cluster-health';

/** The verdict in one word, for the header of a cluster's pages. */
export function HealthBadge({ clusterId, live }: { clusterId: string; live: Live }) {
  const health = useClusterHealth(clusterId);
  return <VerdictBadge verdict={shownVerdict(judged(health.data), live)} />;
}

/** A verdict in one word, and whether its alerts are silenced. */
export function VerdictBadge({ verdict: { tone, label, isSilenced } }: { verdict: ShownVerdict }) {
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={tone} dot>
        {label}
      </Badge>
      {isSilenced ? <Badge>Silenced</Badge> : null}
    </span>
  );
}
