// Cost against latency: one mark per system, and labels that do not overlap. Coordinates are percentages of the chart, 0 to 100. Pure.
import { moneyTick, numberTick, placeLabels, preparePlane, type Tick } from '@penstock/charts/plane';
import { type Estimate, formatUsd } from '@penstock/pricing';

/** Names short enough to fit next to a mark. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  penstock: 'Penstock',
  'penstock-express': 'Penstock Express',
  kafka: 'Kafka, three zones',
  'kafka-follower': 'Kafka, follower fetch',
  'kafka-one-zone': 'Kafka, one zone',
  'kafka-tiered': 'Kafka, tiered',
  msk: 'MSK',
  'msk-express': 'MSK Express',
  redpanda: 'Redpanda',
  automq: 'AutoMQ',
  bufstream: 'Bufstream',
  warpstream: 'WarpStream',
  'warpstream-express': 'WarpStream Express',
};

export interface LatencyMark {
  readonly id: string;
  readonly name: string;
  readonly shortName: string;
  readonly ours: boolean;
  /** True when the latency was not measured on the priced setup. */
  readonly estimated: boolean;
  readonly costText: string;
  readonly latencyText: string;
  readonly x: number;
  readonly y: number;
  /** The label's vertical position; a thin line connects it to the mark. */
  readonly labelY: number;
  /** The side of the mark that the label is on: away from the nearer edge. */
  readonly side: 'left' | 'right';
}

export interface LatencyPlot {
  /** The marks, cheapest first. */
  readonly marks: readonly LatencyMark[];
  /** Available systems for which no end-to-end p99 is published. */
  readonly without: readonly string[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
}

/** The marks of all systems with a positive cost and an end-to-end p99. */
export function prepareLatencyPlot(estimate: Estimate): LatencyPlot {
  const known = estimate.systems.flatMap((system) => {
    if (!system.available) {
      return [];
    }
    const cost = system.total.toNumber();
    const latency = system.latency.endToEndP99;
    return [{ system, cost, latency: latency !== null && latency > 0 && cost > 0 ? latency : null }];
  });
  const drawn = known
    .flatMap(({ system, cost, latency }) => (latency === null ? [] : [{ system, cost, latency }]))
    .sort((a, b) => a.cost - b.cost);
  const plane = preparePlane(
    { values: drawn.map((mark) => mark.latency), whenEmpty: [1, 3], tickText: (power) => `${numberTick(power)} ms` },
    { values: drawn.map((mark) => mark.cost), whenEmpty: [2, 5], tickText: moneyTick },
  );
  const marks = drawn.map(({ system, cost, latency }) => {
    const x = plane.xOf(latency);
    return {
      id: system.id,
      name: system.name,
      shortName: SHORT_NAMES[system.id] ?? system.name,
      ours: system.ours,
      estimated: system.latencyBasis === 'estimated',
      costText: formatUsd(system.total),
      latencyText: `${Number(latency.toPrecision(3)).toLocaleString('en-US')} ms`,
      x,
      y: plane.yOf(cost),
      side: x > 50 ? ('left' as const) : ('right' as const),
    };
  });
  const heights = placeLabels(marks.map((mark) => ({ ...mark, text: mark.shortName })));
  return {
    marks: marks.map((mark, index) => ({ ...mark, labelY: heights[index] ?? mark.y })),
    without: known.filter(({ latency }) => latency === null).map(({ system }) => system.name),
    xTicks: plane.xTicks,
    yTicks: plane.yTicks,
  };
}
