import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ClusterFrame } from '../../../../features/cluster';

export const metadata: Metadata = { title: 'Cluster' };

type LayoutProps = { children: ReactNode; params: Promise<{ clusterId: string }> };

export default async function ClusterLayout({ children, params }: LayoutProps) {
  const { clusterId } = await params;
  return <ClusterFrame clusterId={clusterId}>{children}</ClusterFrame>;
}
