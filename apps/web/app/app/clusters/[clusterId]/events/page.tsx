import type { Metadata } from 'next';
import { EventsSection } from '../../../../../features/health';

export const metadata: Metadata = { title: 'Events and alerts' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return <EventsSection clusterId={clusterId} />;
}
