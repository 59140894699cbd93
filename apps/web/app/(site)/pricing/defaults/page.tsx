import type { Metadata } from 'next';
import { DefaultsPage } from '../../../../features/pricing';

export const metadata: Metadata = {
  title: 'Whom our defaults favor',
  description: 'Every default of the calculator that favors us or another system, with the reason it stands.',
};

export default function Page() {
  return <DefaultsPage />;
}
