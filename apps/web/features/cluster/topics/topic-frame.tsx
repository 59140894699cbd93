'use client';

import { ArrowLeft } from 'lucide-react';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { clusterPath, topicConfigsPath, topicConsumersPath, topicMessagesPath, topicPath } from '../../../lib/routes';
import { IntentLink, SectionNav } from '../../shell';

/** Header and sections of one topic's pages. */
export function TopicFrame({
  clusterId,
  topicName,
  children,
}: {
  clusterId: string;
  topicName: string;
  children: ReactNode;
}) {
  const pathname = usePathname();
  const partitions = topicPath(clusterId, topicName);
  const consumers = topicConsumersPath(clusterId, topicName);
  const configs = topicConfigsPath(clusterId, topicName);
  const messages = topicMessagesPath(clusterId, topicName);
  return (
    <div className="flex flex-col gap-5">
      <div>
        <IntentLink
          href={clusterPath(clusterId, 'topics')}
          className="inline-flex items-center gap-1 rounded text-[0.8125rem] text-ink-3 hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-3.5" />
          All topics
        </IntentLink>
        <h2 className="mt-1 break-all font-mono font-semibold text-ink text-lg">{topicName}</h2>
        <div className="mt-1 border-line border-b">
          <SectionNav
            label="Topic sections"
            items={[
              { href: partitions, label: 'Partitions', isCurrent: pathname === partitions },
              { href: consumers, label: 'Consumers', isCurrent: pathname === consumers },
              { href: configs, label: 'Configuration', isCurrent: pathname === configs },
              { href: messages, label: 'Messages', isCurrent: pathname === messages, isOwnDocument: true },
            ]}
          />
        </div>
      </div>
      {children}
    </div>
  );
}
