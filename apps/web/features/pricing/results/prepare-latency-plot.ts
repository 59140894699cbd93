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
  /** The cheapest first. */
  readonly marks: readonly LatencyMark[];
  /** Available systems for which no end-to-end p99 is published. */
  readonly without: readonly string[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
};

/** Sizes in shares of the drawing as it is on a desk; on a phone numbers stand in place of names. */
/** At least the 24 px that WCAG 2.2 asks of what can be pressed (2.5.8). */
const LABEL_HEIGHT = 7.5;
const CHARACTER_WIDTH = 1.15;
const MARK_SIZE = 2.5;
/** How far a label stands from its mark. */
export const LEAD = 2.5;
const STEP = 1;

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
type Wanted = { readonly x: number; readonly y: number; readonly text: string; readonly side: 'left' | 'right' };

const apart = (a: Box, b: Box) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

/** The room that a label takes at a height. */
export function labelBox({ x, text, side }: Wanted, labelY: number): Box {
  const far = LEAD + text.length * CHARACTER_WIDTH;
  const [left, right] = side === 'left' ? [x - far, x - LEAD] : [x + LEAD, x + far];
  return { left, right, top: labelY - LABEL_HEIGHT / 2, bottom: labelY + LABEL_HEIGHT / 2 };
}

/** Heights at which no label covers another or a mark, each as near to its mark as it gets; its mark's own where there is none. */
export function placeLabels(wanted: readonly Wanted[]): readonly number[] {
  const taken: Box[] = wanted.map(({ x, y }) => ({
    left: x - MARK_SIZE / 2,
    right: x + MARK_SIZE / 2,
    top: y - MARK_SIZE / 2,
    bottom: y + MARK_SIZE / 2,
  }));
  const heights = wanted.map(({ y }) => y);
  const order = wanted.map((_, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  for (const index of order) {
    const label = wanted[index];
    if (label === undefined) {
      continue;
    }
    const found = nearestHeights(label.y).find((height) => {
      const box = labelBox(label, height);
      return taken.every((other) => apart(box, other));
    });
    heights[index] = found ?? label.y;
    taken.push(labelBox(label, heights[index] ?? label.y));
  }
  return heights;
}

/** All heights of the drawing, the nearest first. */
function nearestHeights(from: number): readonly number[] {
  const heights = [from];
  for (let offset = STEP; offset <= 100; offset += STEP) {
    heights.push(from + offset, from - offset);
  }
  return heights.filter((height) => height >= 0 && height <= 100);
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
  const drawn = known
    .flatMap(({ system, cost, latency }) => (latency === null ? [] : [{ system, cost, latency }]))
    .sort((a, b) => a.cost - b.cost);
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
  const heights = placeLabels(marks.map((mark) => ({ ...mark, text: mark.shortName })));
  return {
    marks: marks.map((mark, index) => ({ ...mark, labelY: heights[index] ?? mark.y })),
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
