// What a system's model is: cells (how it is sized) and lines (what is paid for), all as formulas that are shown as they are.
import type { CloudName } from '../catalogue/index.ts';
import type { CellSpec } from '../worksheet/index.ts';

export type Component =
  | 'compute'
  | 'block storage'
  | 'object storage'
  | 'requests'
  | 'upload and retrieval'
  | 'inter-zone network'
  | 'vendor fee';

export const COMPONENTS: readonly Component[] = [
  'vendor fee',
  'compute',
  'inter-zone network',
  'block storage',
  'object storage',
  'requests',
  'upload and retrieval',
];

/** What a price depends on. A role is resolved by cloud and settings; `item:` names a catalogue item outright. */
export type PriceRole =
  | 'broker machine'
  | 'agent machine'
  | 'small machine'
  | 'disk'
  | 'disk throughput'
  | 'object storage'
  | 'put'
  | 'get'
  | 'zone transfer'
  | 'warpstream cluster'
  | 'penstock cluster'
  | `machine:${string}`
  | `item:${string}`;

/** How the quantity depends on the length of a month: per hour, per second, or not at all. */
export type TimeBasis = 'hour' | 'second' | 'none';

export interface LineSpec {
  readonly id: string;
  readonly component: Component;
  readonly label: string;
  /** The formula of the quantity in words. */
  readonly words: string;
  /** The formula of the quantity in symbols; executed as it stands. */
  readonly quantity: string;
  readonly price: PriceRole;
  readonly basis: TimeBasis;
  /** Why the line costs something when nothing is written; null: it does not. */
  readonly floor: string | null;
}

/** Milliseconds, as formulas; null where nothing is published. */
export interface LatencySpec {
  readonly produceP50: string | null;
  readonly produceP99: string | null;
  readonly endToEndP50: string | null;
  readonly endToEndP99: string | null;
  readonly basis: 'published' | 'estimated';
  readonly note: string;
}

export interface SystemSpec {
  readonly id: string;
  readonly name: string;
  /** How it is drawn, and why its own experts would run it so. */
  readonly configuration: string;
  readonly clouds: readonly CloudName[];
  readonly cells: readonly CellSpec[];
  readonly lines: readonly LineSpec[];
  readonly latency: LatencySpec;
}
