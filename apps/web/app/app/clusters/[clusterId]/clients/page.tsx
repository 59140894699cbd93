import type { Metadata } from 'next';
import { ClientsSection } from '../../../../../features/clients';

export const metadata: Metadata = { title: 'Clients' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return <ClientsSection clusterId={clusterId} />;
}
