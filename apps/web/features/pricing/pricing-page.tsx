import { Calculator } from './calculator/calculator';
import { fieldsOfQuery, parseFields } from './calculator/fields';
import { PresetLinks } from './calculator/toolbar';
import { ChangelogSection } from './changelog-section';
import { HonestNotes } from './honest-notes';
import { PriceBookSection } from './price-book-section';
import { ReferenceBill } from './reference-bill';
import { firstAnalysis } from './results/first-analysis';
import { UnpricedSection } from './unpriced-section';

export type PricingQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The pricing page: complete in the server's HTML, interactive once its script has loaded. */
export function PricingPage({ query }: { query: PricingQuery }) {
  const fields = fieldsOfQuery(query);
  const { state } = parseFields(fields);
  return (
    <div className="mx-auto max-w-6xl px-4 py-10 sm:px-8 sm:py-14">
      <header className="max-w-3xl">
        <h1 className="font-semibold text-3xl text-ink tracking-tight sm:text-4xl">Pricing you can audit</h1>
        <p className="mt-3 text-ink-2 leading-7">
          See our prices, then compare what other systems cost for your workload, line by line. You can open the formula
          behind every number and change every assumption. The page’s URL holds all your inputs, so you can share it.
        </p>
      </header>
      <div className="mt-8">
        <Calculator
          initialFields={fields}
          initialAnalysis={firstAnalysis(state)}
          priceBook={<PriceBookSection day={state.asOf} />}
          presets={
            <section id="calculator" aria-labelledby="calculator-title" className="mt-12 mb-6">
              <h2 id="calculator-title" className="font-semibold text-2xl text-ink tracking-tight">
                Calculator
              </h2>
              <details className="mt-3 print:hidden">
                <summary className="rounded font-medium text-accent-ink text-sm">
                  Start from a published workload
                </summary>
                <div className="mt-3">
                  <PresetLinks />
                </div>
              </details>
            </section>
          }
        />
      </div>
      <ReferenceBill />
      <UnpricedSection />
      <HonestNotes />
      <ChangelogSection />
    </div>
  );
}
