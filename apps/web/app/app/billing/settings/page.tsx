import type { Metadata } from 'next';
import { BillingSettingsPage } from '../../../../features/billing';

export const metadata: Metadata = { title: 'Billing settings' };

export default function Page() {
  return <BillingSettingsPage />;
}
