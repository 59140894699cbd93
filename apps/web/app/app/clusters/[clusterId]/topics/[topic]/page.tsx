import { TopicPartitionsSection } from '../../../../../../features/cluster';

interface PageProps {
  params: Promise<{ topic: string }>;
}

export default async function Page({ params }: PageProps) {
  const { topic } = await params;
  return <TopicPartitionsSection topicName={decodeURIComponent(topic)} />;
}
