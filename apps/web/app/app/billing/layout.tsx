import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { BillingFrame } from '../../../features/billing';

export const metadata: Metadata = { title: 'Billing' };

export default function BillingLayout({ children }: { children: ReactNode }) {
  return <BillingFrame>{children}</BillingFrame>;
}
