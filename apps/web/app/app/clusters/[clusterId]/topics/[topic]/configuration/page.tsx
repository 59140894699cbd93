import type { Metadata } from 'next';
import { TopicConfigsSection } from '../../../../../../../features/cluster';

export const metadata: Metadata = { title: 'Configuration' };

interface PageProps {
  params: Promise<{ clusterId: string; topic: string }>;
}

export default async function Page({ params }: PageProps) {
  const { clusterId, topic } = await params;
  return <TopicConfigsSection clusterId={clusterId} topicName={decodeURIComponent(topic)} />;
}
