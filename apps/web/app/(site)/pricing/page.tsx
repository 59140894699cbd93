import type { Metadata } from 'next';
import { PricingPage, type PricingQuery } from '../../../features/pricing';

export const metadata: Metadata = {
  title: 'Pricing',
  description: 'Our prices, and what other streaming systems cost for your workload, line by line.',
};

export default async function Page({ searchParams }: { searchParams: Promise<PricingQuery> }) {
  return <PricingPage query={await searchParams} />;
}
