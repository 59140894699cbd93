import type { Metadata } from 'next';
import { MessagesSection } from '../../../../../../../features/messages';

export const metadata: Metadata = { title: 'Messages' };

interface PageProps {
  params: Promise<{ clusterId: string; topic: string }>;
}

export default async function Page({ params }: PageProps) {
  const { clusterId, topic } = await params;
  return <MessagesSection clusterId={clusterId} topicName={decodeURIComponent(topic)} />;
}
