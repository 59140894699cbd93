// Cost against latency: one mark per system, and labels that do not cover each other. Shares of the drawing, 0 to 100. Pure.
import { type Estimate, formatUsd } from '@penstock/pricing';
import { decades, decadesAround, moneyTick, numberTick, shareOf, type Tick } from './log-scale';

/** Names short enough to stand beside a mark. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  penstock: 'Penstock',
  'penstock-express': 'Penstock Express',
  kafka: 'Kafka, three zones',
  'kafka-follower': 'Kafka, follower fetch',
  'kafka-one-zone': 'Kafka, one zone',
  'kafka-tiered': 'Kafka, tiered',
  msk: 'MSK',
  redpanda: 'Redpanda',
  automq: 'AutoMQ',
  bufstream: 'Bufstream',
  warpstream: 'WarpStream',
  'warpstream-express': 'WarpStream Express',
};

export type LatencyMark = {
  readonly id: string;
  readonly name: string;
  readonly shortName: string;
  readonly ours: boolean;
  /** True when the latency was not measured on what is priced. */
  readonly estimated: boolean;
  readonly costText: string;
  readonly latencyText: string;
  readonly x: number;
  readonly y: number;
  /** The label's height; a thin line leads from it to the mark. */
  readonly labelY: number;
  /** Which side of the mark the label stands on: away from the nearer edge. */
  readonly side: 'left' | 'right';
};

export type LatencyPlot = {
  readonly marks: readonly LatencyMark[];
  /** Available systems for which no end-to-end p99 is published. */
  readonly without: readonly string[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
};

/** Between two labels, in shares of the drawing's height: a line of small text at the smallest drawing. */
const LABEL_GAP = 6;

/** Moves labels apart, each as little as it takes, in order, within 0 to 100. */
export function spreadLabels(wanted: readonly number[], gap: number): readonly number[] {
  const order = wanted.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at);
  const placed: number[] = [];
  for (const { at } of order) {
    placed.push(Math.max(at, (placed.at(-1) ?? -gap) + gap));
  }
  // What was pushed out at the bottom pushes back upwards.
  let ceiling = 100;
  for (let index = placed.length - 1; index >= 0; index -= 1) {
    placed[index] = Math.min(placed[index] ?? 0, ceiling);
    ceiling = (placed[index] ?? 0) - gap;
  }
  const result = wanted.map(() => 0);
  for (const [rank, { index }] of order.entries()) {
    result[index] = placed[rank] ?? 0;
  }
  return result;
}

/** The marks of all systems that have a cost above nothing and an end-to-end p99. */
export function prepareLatencyPlot(estimate: Estimate): LatencyPlot {
  const known = estimate.systems.flatMap((system) => {
    if (!system.available) {
      return [];
    }
    const cost = system.total.toNumber();
    const latency = system.latency.endToEndP99;
    return [{ system, cost, latency: latency !== null && latency > 0 && cost > 0 ? latency : null }];
  });
  const drawn = known.flatMap(({ system, cost, latency }) => (latency === null ? [] : [{ system, cost, latency }]));
  const xRange = decadesAround(
    drawn.map((mark) => mark.latency),
    [1, 3],
  );
  const yRange = decadesAround(
    drawn.map((mark) => mark.cost),
    [2, 5],
  );
  const marks = drawn.map(({ system, cost, latency }) => {
    const x = shareOf(latency, xRange);
    return {
      id: system.id,
      name: system.name,
      shortName: SHORT_NAMES[system.id] ?? system.name,
      ours: system.id.startsWith('penstock'),
      estimated: system.latencyBasis === 'estimated',
      costText: formatUsd(system.total),
      latencyText: `${Number(latency.toPrecision(3)).toLocaleString('en-US')} ms`,
      x,
      y: 100 - shareOf(cost, yRange),
      side: x > 50 ? ('left' as const) : ('right' as const),
    };
  });
  const heights = new Map<string, number>();
  for (const side of ['left', 'right']) {
    const column = marks.filter((mark) => mark.side === side);
    const spread = spreadLabels(
      column.map((mark) => mark.y),
      LABEL_GAP,
    );
    for (const [index, mark] of column.entries()) {
      heights.set(mark.id, spread[index] ?? mark.y);
    }
  }
  return {
    marks: marks.map((mark) => ({ ...mark, labelY: heights.get(mark.id) ?? mark.y })),
    without: known.filter(({ latency }) => latency === null).map(({ system }) => system.name),
    xTicks: decades(xRange).map((exponent) => ({
      at: shareOf(10 ** exponent, xRange),
      text: `${numberTick(exponent)} ms`,
    })),
    yTicks: decades(yRange).map((exponent) => ({
      at: 100 - shareOf(10 ** exponent, yRange),
      text: moneyTick(exponent),
    })),
  };
}
