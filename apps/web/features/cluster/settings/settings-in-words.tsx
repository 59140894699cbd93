'use client';

import { Card } from '@penstock/ui';
import { MODE_NAMES } from '../../../lib/cluster-modes';
import type { Cluster } from '../cluster-frame';

/** Read-only settings for roles that may not change them. */
export function SettingsInWords({ cluster }: { cluster: Cluster }) {
  const rows = [
    ['Name', cluster.name],
    ['Mode', MODE_NAMES[cluster.mode]],
    ['Automatic topic creation', cluster.autoCreateTopics ? 'Yes' : 'No'],
    ['Default partitions', String(cluster.defaultPartitions)],
    ['Offset retention', `${cluster.offsetsRetentionMinutes.toLocaleString('en-US')} minutes`],
    ['Largest batch, uncompressed', `${cluster.maxUncompressedBatchBytes.toLocaleString('en-US')} bytes`],
    ['Agents may administer access', cluster.allowAgentAdministration ? 'Yes' : 'No'],
    ['Confirm new agent addresses', cluster.confirmAgentAddresses ? 'Yes' : 'No'],
    ['Deletion protection', cluster.deletionProtection ? 'On' : 'Off'],
  ] as const;
  return (
    <Card title="Settings" description="Owners and admins can change these settings.">
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[max-content_1fr]">
        {rows.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-ink-3">{term}</dt>
            <dd className="break-words text-ink">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
