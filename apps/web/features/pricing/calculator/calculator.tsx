'use client';

import { type Estimate, INPUTS, oursIn, SYSTEMS } from '@penstock/pricing';
import { Badge, Button, Card, Notice } from '@penstock/ui';
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from 'react';
import type { Analysis } from '../results/analysis';
import { Bills } from '../results/bill';
import { BreakEvenTable } from '../results/break-even-table';
import { CostBars } from '../results/cost-bars';
import { CurveChartView } from '../results/curve-chart';
import { FollowWhenSeen } from '../results/follow-when-seen';
import { LatencyPlotView } from '../results/latency-plot';
import { LatencyTable } from '../results/latency-table';
import { SensitivityChart } from '../results/sensitivity-chart';
import { type Fields, parseFields, strayErrors } from './fields';
import { InputGroups } from './input-groups';
import { PriceInputs } from './price-inputs';
import { Toolbar } from './toolbar';
import { useAnalysis } from './use-analysis';
import { useEstimate } from './use-estimate';
import { useFields } from './use-fields';
import { YourLoad } from './your-load';

const INPUT_KEYS = new Set(INPUTS.map((spec) => spec.key));
const hasPlace = (key: string) =>
  INPUT_KEYS.has(key) || key === 'asOf' || key.startsWith('pin.') || key.startsWith('price.');

/** The catalogue items that the estimate uses. */
function itemsOf({ systems }: Estimate): readonly string[] {
  const items = systems.flatMap((system) =>
    system.available ? system.lines.map((line) => line.price.entry.item) : [],
  );
  return [...new Set(items)].sort();
}

/** The reader's own prices and values, and their date. */
function onlyReplaced(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).filter(([key]) => key === 'asOf' || key.startsWith('pin.') || key.startsWith('price.')),
  );
}

/** Keeps the previous object while the content is equal, so that components depending on it do not render again. */
function useSame<Value>(value: Value): Value {
  const [kept, setKept] = useState(value);
  if (kept !== value && JSON.stringify(kept) !== JSON.stringify(value)) {
    setKept(value);
    return value;
  }
  return kept;
}

/** The catalogue holds one region per cloud. Other regions are guesses until the reader sets the factor. */
function RegionNote({ factor }: { factor: string }) {
  return (
    <p className="mt-3 text-[0.8125rem] text-ink-2 leading-5">
      <Badge tone="warn">unverified</Badge> All cloud prices are multiplied by {factor} for the other region. Set your
      region’s factor under “Cloud and billing”, or set individual prices under “Prices”.
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
  const { fields, set, reset, resetAll } = useFields(initialFields);
  const { errors } = useMemo(() => parseFields(fields), [fields]);
  // The control in use renders at once; everything derived from it renders when the browser has time.
  const settled = useDeferredValue(fields);
  const { state } = useMemo(() => parseFields(settled), [settled]);
  const load = useEstimate(state);
  const { estimate } = load;
  const { analysis, stale } = useAnalysis(state, initialAnalysis);
  // Everything next to the estimate shows the state that the estimate was made for.
  const ours = oursIn(load.state);
  const rival = load.state.inputs['rival'] ?? 'kafka-follower';
  const rivalName = SYSTEMS.find((system) => system.id === rival)?.name ?? rival;
  const pin = useCallback((name: string, value: string) => set(`pin.${name}`, value), [set]);
  const steadyItems = useSame(useMemo(() => itemsOf(estimate), [estimate]));
  const sameErrors = useSame(errors);
  const replaced = useSame(onlyReplaced(fields));
  const wrongReplaced = useSame(onlyReplaced(errors));
  const stray = strayErrors(errors, hasPlace);

  return (
    <>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        {priceBook}
        <FollowWhenSeen value={load} className="grid">
          {(shown) => <YourLoad estimate={shown.estimate} state={shown.state} ours={ours} rival={rival} />}
        </FollowWhenSeen>
      </div>
      {presets}
      <form
        ref={markScripted}
        method="get"
        action="/pricing"
        aria-label="Calculator"
        onSubmit={(event) => event.preventDefault()}
        className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)] print:block"
      >
        <div className="min-w-0 self-start overflow-hidden rounded-xl border border-line bg-surface shadow-raised lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto print:static print:max-h-none print:overflow-visible">
          <InputGroups fields={fields} errors={sameErrors} onChange={set} onReset={reset} />
          <PriceInputs
            items={steadyItems}
            asOf={state.asOf}
            fields={replaced}
            errors={wrongReplaced}
            onChange={set}
            onReset={reset}
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
              <FollowWhenSeen value={settled}>
                {(shown) => <Toolbar fields={shown} onResetAll={resetAll} />}
              </FollowWhenSeen>
              {state.inputs['region'] === 'other' ? <RegionNote factor={state.inputs['regionFactor'] ?? '1'} /> : null}
            </div>
            <FollowWhenSeen value={estimate}>
              {(shown) => <CostBars estimate={shown} ours={ours} rival={rival} />}
            </FollowWhenSeen>
          </Card>
          <Card
            className={CONTAINED}
            title="Bills"
            description="Open a system, then a line, to see the formula with your values."
            flush
          >
            <FollowWhenSeen value={estimate}>{(shown) => <Bills estimate={shown} onPin={pin} />}</FollowWhenSeen>
          </Card>
          <div className="flex flex-col gap-6" aria-busy={stale}>
            <Card
              className={CONTAINED}
              title="Cost by throughput"
              description="All other inputs stay the same. Both axes are logarithmic. The flat part on the left is the cost of an idle cluster."
            >
              <CurveChartView curve={analysis.curve} ours={ours} rival={rival} />
            </Card>
            <Card className={CONTAINED} title="Most sensitive assumptions">
              <SensitivityChart rows={analysis.sensitivity} saved={analysis.saved} rivalName={rivalName} />
            </Card>
            <Card
              className={CONTAINED}
              title="Break-even"
              description="Write throughput before compression. Fixed costs, such as three machines and a cluster fee, dominate at low throughput."
              flush
            >
              <BreakEvenTable breakEvens={analysis.breakEvens} />
            </Card>
          </div>
          <Card
            className={CONTAINED}
            title="Latency and cost"
            description="Object storage is cheaper because agents wait to fill a batch. Check whether your consumers can accept the added latency."
            flush
          >
            <FollowWhenSeen value={estimate}>
              {(shown) => (
                <>
                  <LatencyPlotView estimate={shown} rival={rival} />
                  <LatencyTable estimate={shown} />
                </>
              )}
            </FollowWhenSeen>
          </Card>
        </div>
      </form>
    </>
  );
}
