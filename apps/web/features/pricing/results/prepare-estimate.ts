// What the page shows of an estimate: texts and numbers for drawing. Plain data, so that it can leave a worker. Pure.
import {
  type CalculatorState,
  decimal,
  type Estimate,
  estimateState,
  formatUsd,
  formatUsdCents,
  type LatencyMs,
  oursIn,
  type SystemEstimate,
  sumUsd,
  withInput,
} from '@penstock/pricing';
import { type BarRow, prepareBars } from './prepare-bars';
import { type LatencyPlot, prepareLatencyPlot } from './prepare-latency-plot';

type AvailableSystem = SystemEstimate & { available: true };

/** The cost of the load with Penstock, in a few figures. */
export type LoadCost =
  | {
      readonly isAvailable: true;
      readonly name: string;
      readonly fees: readonly { readonly id: string; readonly label: string; readonly text: string }[];
      readonly feeText: string;
      readonly cloudText: string;
      readonly totalText: string;
      /** The caveats that a reader must know to trust the total. */
      readonly caveats: readonly string[];
      /** Null when the compared system is not available. */
      readonly rival: { readonly name: string; readonly totalText: string } | null;
    }
  | { readonly isAvailable: false; readonly reason: string };

/** A bill without its lines, which are computed when it is opened. */
export interface BillHead {
  readonly id: string;
  readonly name: string;
  readonly configuration: string;
  /** Null when the system is not available. */
  readonly totalText: string | null;
}

export interface LatencyRow {
  readonly id: string;
  readonly name: string;
  readonly totalText: string;
  readonly latency: LatencyMs;
  readonly basis: 'published' | 'estimated';
  readonly note: string;
}

export interface PreparedEstimate {
  /** The Penstock system and the one that it is compared with. */
  readonly ours: string;
  readonly rival: string;
  readonly rivalName: string;
  readonly load: LoadCost;
  readonly bars: readonly BarRow[];
  readonly bills: readonly BillHead[];
  readonly latencyPlot: LatencyPlot;
  readonly latencyRows: readonly LatencyRow[];
  /** The catalogue items that the estimate uses, sorted. */
  readonly items: readonly string[];
}

/** Estimates all systems for a state. */
export function prepareEstimate(state: CalculatorState): PreparedEstimate {
  const estimate = estimateState(state);
  const ours = oursIn(state).id;
  const rival = rivalIn(state);
  const available = estimate.systems.filter((system) => system.available);
  return {
    ours,
    rival,
    rivalName: estimate.systems.find((system) => system.id === rival)?.name ?? rival,
    load: loadCost(state, estimate, ours, rival),
    bars: prepareBars(estimate),
    bills: estimate.systems.map((system) => ({
      id: system.id,
      name: system.name,
      configuration: system.configuration,
      totalText: system.available ? formatUsdCents(system.total) : null,
    })),
    latencyPlot: prepareLatencyPlot(estimate),
    latencyRows: available.map((system) => ({
      id: system.id,
      name: system.name,
      totalText: formatUsd(system.total),
      latency: system.latency,
      basis: system.latencyBasis,
      note: system.latencyNote,
    })),
    items: [...new Set(available.flatMap((system) => system.lines.map((line) => line.price.entry.item)))].sort(),
  };
}

/** The system that Penstock is compared with. */
export function rivalIn(state: CalculatorState): string {
  return state.inputs.rival;
}

/** One system with all its lines and formulas, for an opened bill. */
export function estimateSystem(state: CalculatorState, id: string): SystemEstimate {
  const [system] = estimateState(state, new Set([id])).systems;
  if (system === undefined) {
    throw new Error(`no system named "${id}"`);
  }
  return system;
}

function loadCost(state: CalculatorState, { systems }: Estimate, ours: string, rival: string): LoadCost {
  const mine = systems.find((system) => system.id === ours);
  const other = systems.find((system) => system.id === rival);
  if (mine === undefined || !mine.available) {
    return { isAvailable: false, reason: mine?.reason ?? '' };
  }
  const fees = feesOf(mine);
  const fee = sumUsd(fees.map((line) => line.amount));
  return {
    isAvailable: true,
    name: mine.name,
    fees: fees.map((line) => ({ id: line.id, label: line.label, text: formatUsd(line.amount) })),
    feeText: formatUsd(fee),
    cloudText: formatUsd(mine.total.minus(fee)),
    totalText: formatUsd(mine.total),
    caveats: caveatsOf(state, mine),
    rival: other?.available ? { name: other.name, totalText: formatUsd(other.total) } : null,
  };
}

/** Inputs that we measured on two shared cores, and that S3 over TLS will raise. */
const SMALL_BENCH = ['agentWriteCpu', 'agentReadCpu', 'agentMergeCpu'] as const;

/** The caveats that matter for this total, the largest first. */
function caveatsOf(state: CalculatorState, mine: AvailableSystem): readonly string[] {
  const caveats: string[] = [];
  const { caveat } = oursIn(state);
  if (caveat !== undefined) {
    caveats.push(caveat);
  }
  if (mine.cpu?.kind === 'measured') {
    const doubled = SMALL_BENCH.reduce((changed, key) => withInput(changed, key, double(changed.inputs[key])), state);
    const other = estimateSystem(doubled, mine.id);
    const total = other.available ? formatUsd(other.total) : formatUsd(mine.total);
    caveats.push(
      total === formatUsd(mine.total)
        ? 'CPU measured on two shared cores, not on EC2. With twice that CPU, the total stays the same.'
        : `CPU measured on two shared cores, not on EC2. With twice that CPU, the total is ${total}.`,
    );
  }
  const unverified = new Set(
    mine.lines.filter(({ price }) => !(price.entry.verified || price.overridden)).map(({ label }) => label),
  );
  if (unverified.size > 0) {
    caveats.push(`${unverified.size} of ${mine.lines.length} lines have a price that we could not verify.`);
  }
  return caveats;
}

const MOST_CPU = '1000';

/** Twice a number in text, within the bounds of the inputs. */
function double(text: string): string {
  const twice = decimal(text).times(2);
  return twice.gt(MOST_CPU) ? MOST_CPU : twice.toFixed();
}

function feesOf({ lines }: AvailableSystem): AvailableSystem['lines'] {
  return lines.filter((line) => line.component === 'vendor fee');
}
