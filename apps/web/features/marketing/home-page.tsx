import { CostSection } from './cost-section';
import { Hero } from './hero';
import { HowItWorksSection } from './how-it-works-section';
import { StartSection } from './start-section';
import { TradeOffSection } from './trade-off-section';

export function HomePage() {
  return (
    <>
      <Hero />
      <HowItWorksSection />
      <CostSection />
      <TradeOffSection />
      <StartSection />
    </>
  );
}
