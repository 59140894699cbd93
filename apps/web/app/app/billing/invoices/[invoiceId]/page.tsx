import type { Metadata } from 'next';
import { InvoicePage } from '../../../../../features/billing';

export const metadata: Metadata = { title: 'Invoice' };

interface PageProps {
  params: Promise<{ invoiceId: string }>;
}

export default async function Page({ params }: PageProps) {
  return <InvoicePage invoiceId={(await params).invoiceId} />;
}
