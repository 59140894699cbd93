import type { Metadata } from 'next';
import { TopicConsumersSection } from '../../../../../../../features/cluster';

export const metadata: Metadata = { title: 'Consumers' };

interface PageProps {
  params: Promise<{ clusterId: string; topic: string }>;
}

export default async function Page({ params }: PageProps) {
  const { clusterId, topic } = await params;
  return <TopicConsumersSection clusterId={clusterId} topicName={decodeURIComponent(topic)} />;
}
