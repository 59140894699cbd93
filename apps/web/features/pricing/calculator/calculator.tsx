'use client';

import { inputNamed } from '@penstock/pricing';
import { Badge, Button, Card, Notice } from '@penstock/ui';
import { type ReactNode, useCallback, useDeferredValue, useMemo } from 'react';
import type { Analysis } from '../results/analysis';
import { Bills } from '../results/bill';
import { BreakEvenTable } from '../results/break-even-table';
import { CostBars } from '../results/cost-bars';
import { CurveChartView } from '../results/curve-chart';
import { LatencyPlotView } from '../results/latency-plot';
import { LatencyTable } from '../results/latency-table';
import { SensitivityChart } from '../results/sensitivity-chart';
import { type Fields, parseFields, strayErrors } from './fields';
import { AllAssumptions, BasicInputs, ViewInputs } from './input-groups';
import { PriceInputs } from './price-inputs';
import { Toolbar } from './toolbar';
import { useFields } from './use-fields';
import { useResults } from './use-results';
import { YourLoad } from './your-load';

const hasPlace = (key: string) =>
  inputNamed(key) !== undefined || key === 'asOf' || key.startsWith('pin.') || key.startsWith('price.');

/** The catalogue holds one region per cloud. Other regions are guesses until the reader sets the factor. */
function RegionNote({ factor }: { factor: string }) {
  return (
    <p className="mt-3 text-[0.8125rem] text-ink-2 leading-5">
      <Badge tone="warn">unverified</Badge> All cloud prices are multiplied by {factor} for the other region. Set your
      region’s factor under “Cloud and billing”, or set individual prices under “Prices”, both in “All assumptions”.
    </p>
  );
}

/** Cards outside the viewport are neither laid out nor painted; visible ones repaint only when they change. */
const CONTAINED = '[contain-intrinsic-size:auto_40rem] [content-visibility:auto] print:[content-visibility:visible]';

/** Signals that the page's script handles the form: from here on every input has an effect. */
function markScripted(form: HTMLFormElement | null): void {
  form?.setAttribute('data-scripted', '');
}

export interface CalculatorProps {
  initialFields: Fields;
  initialAnalysis: Analysis;
  /** The price book in words, and the presets: static parts between those that follow the inputs. */
  priceBook: ReactNode;
  presets: ReactNode;
}

export function Calculator({ initialFields, initialAnalysis, priceBook, presets }: CalculatorProps) {
  const { fields, settled, set, reset, resetAll } = useFields(initialFields);
  const { state, errors } = useMemo(() => parseFields(fields), [fields]);
  const results = useResults(state, initialAnalysis);
  const { estimate } = results;
  // The totals are drawn first. What is mostly out of sight follows in a render of its own.
  const later = useDeferredValue(results);
  const pin = useCallback((name: string, value: string) => set(`pin.${name}`, value), [set]);
  const stray = strayErrors(errors, hasPlace);

  return (
    <>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        {priceBook}
        <YourLoad cost={estimate.load} state={results.state} />
      </div>
      {presets}
      {/* biome-ignore lint/correctness/noRestrictedElements: its fields are in the URL, and it works without a script */}
      <form
        ref={markScripted}
        method="get"
        action="/pricing"
        aria-label="Calculator"
        onSubmit={(event) => event.preventDefault()}
        className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)] print:block"
      >
        <div className="min-w-0 self-start overflow-hidden rounded-xl border border-line bg-surface shadow-raised lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto print:static print:max-h-none print:overflow-visible">
          <BasicInputs fields={fields} errors={errors} onChange={set} onReset={reset} />
          <AllAssumptions
            fields={fields}
            errors={errors}
            onChange={set}
            onReset={reset}
            prices={(words) => (
              <PriceInputs
                items={later.estimate.items}
                words={words}
                asOf={state.asOf}
                fields={fields}
                errors={errors}
                onChange={set}
                onReset={reset}
              />
            )}
          />
          <noscript>
            <div className="p-4">
              <Button type="submit" variant="primary" className="w-full">
                Estimate
              </Button>
            </div>
          </noscript>
        </div>

        <div className="flex min-w-0 flex-col gap-6">
          {Object.keys(errors).length > 0 ? (
            <Notice tone="danger" title="Some inputs are invalid">
              {stray.length > 0
                ? stray.map(([key, message]) => `${key}: ${message}`).join(' ')
                : 'The results use the defaults for these inputs.'}
            </Notice>
          ) : null}
          <Card
            className={CONTAINED}
            title="Monthly cost"
            description="Monthly cloud and vendor charges. Labor, support and negotiated discounts are not included."
          >
            <div className="mb-5">
              <Toolbar fields={settled} onResetAll={resetAll} />
              {state.inputs.region === 'other' ? <RegionNote factor={state.inputs.regionFactor} /> : null}
            </div>
            <ViewInputs fields={fields} errors={errors} onChange={set} onReset={reset} />
            <CostBars rows={estimate.bars} ours={estimate.ours} rival={estimate.rival} />
          </Card>
          <Card
            className={CONTAINED}
            title="Bills"
            description="Open a system, then a line, to see the formula with your values."
            flush
          >
            <Bills bills={later.estimate.bills} state={later.state} onPin={pin} />
          </Card>
          <div className="flex flex-col gap-6" aria-busy={later.analyzedState !== state}>
            <Card
              className={CONTAINED}
              title="Cost by throughput"
              description="All other inputs stay the same. Both axes are logarithmic. The flat part on the left is the cost of an idle cluster."
            >
              <CurveChartView curve={later.analysis.curve} ours={later.estimate.ours} rival={later.estimate.rival} />
            </Card>
            <Card className={CONTAINED} title="Most sensitive assumptions">
              <SensitivityChart
                rows={later.analysis.sensitivity}
                saved={later.analysis.saved}
                rivalName={later.estimate.rivalName}
              />
            </Card>
            <Card
              className={CONTAINED}
              title="Break-even"
              description="Write throughput before compression. Fixed costs, such as three machines and a cluster fee, dominate at low throughput."
              flush
            >
              <BreakEvenTable breakEvens={later.analysis.breakEvens} />
            </Card>
          </div>
          <Card
            className={CONTAINED}
            title="Latency and cost"
            description="Object storage is cheaper because agents wait to fill a batch. Check whether your consumers can accept the added latency."
            flush
          >
            <LatencyPlotView plot={later.estimate.latencyPlot} rival={later.estimate.rival} />
            <LatencyTable rows={later.estimate.latencyRows} />
          </Card>
        </div>
      </form>
    </>
  );
}
