import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { TopicFrame } from '../../../../../../features/cluster';

export const metadata: Metadata = { title: 'Topic' };

interface LayoutProps {
  children: ReactNode;
  params: Promise<{ clusterId: string; topic: string }>;
}

export default async function TopicLayout({ children, params }: LayoutProps) {
  const { clusterId, topic } = await params;
  return (
    <TopicFrame clusterId={clusterId} topicName={decodeURIComponent(topic)}>
      {children}
    </TopicFrame>
  );
}
