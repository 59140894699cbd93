import type { Metadata } from 'next';
import { PricingPage, type PricingQuery } from '../../../features/pricing';

export const metadata: Metadata = {
  title: 'Pricing',
  description: 'Our price book, and what twelve streaming systems cost for your load, line by line.',
};

export default async function Page({ searchParams }: { searchParams: Promise<PricingQuery> }) {
  return <PricingPage query={await searchParams} />;
}
