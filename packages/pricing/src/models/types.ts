// The type of a system's model: cells (its sizing) and lines (its costs), all as formulas that are shown unchanged.
import type { CloudName, MachineRole } from '../catalogue/index.ts';
import type { CellSpec } from '../worksheet/index.ts';

export type Component =
  | 'compute'
  | 'block storage'
  | 'object storage'
  | 'requests'
  | 'upload and retrieval'
  | 'inter-zone network'
  | 'internet and NAT'
  | 'vendor fee';

export const COMPONENTS: readonly Component[] = [
  'vendor fee',
  'compute',
  'inter-zone network',
  'internet and NAT',
  'block storage',
  'object storage',
  'requests',
  'upload and retrieval',
];

/** What a price depends on. A role is resolved by cloud and settings; `item:` names a catalogue item directly. */
export type PriceRole =
  | 'own machine'
  | 'small machine'
  | 'disk'
  | 'disk throughput'
  | 'object storage'
  | 'put'
  | 'get'
  | 'zone transfer'
  | 'nat hour'
  | 'nat data'
  | 'egress'
  | 'warpstream cluster'
  | 'penstock cluster'
  | `item:${string}`;

/** How the quantity depends on the length of a month: per hour, per second, or not at all. */
export type TimeBasis = 'hour' | 'second' | 'none';

export interface LineSpec {
  readonly id: string;
  readonly component: Component;
  readonly label: string;
  /** The formula of the quantity in words. */
  readonly words: string;
  /** The formula of the quantity in symbols, executed as written. */
  readonly quantity: string;
  readonly price: PriceRole;
  readonly basis: TimeBasis;
  /** Why the line costs something when nothing is written; null when it does not. */
  readonly floor: string | null;
}

/** Milliseconds, as formulas; null if nothing is published. */
export interface LatencySpec {
  readonly produceP50: string | null;
  readonly produceP99: string | null;
  readonly endToEndP50: string | null;
  readonly endToEndP99: string | null;
  readonly basis: 'published' | 'estimated';
  readonly note: string;
}

/** What the CPU of a system's machines rests on. */
export interface CpuBasis {
  readonly kind: 'measured' | 'published' | 'assumed';
  readonly note: string;
  /** What it rests on instead when published sizing is chosen; absent when nothing else is published. */
  readonly sizing?: string;
}

/** A load that a service does not take: it is not available when `exceeds` is above `most`. */
export interface LimitSpec {
  readonly exceeds: string;
  readonly most: string;
  readonly words: string;
}

export interface SystemSpec {
  readonly id: string;
  /** Its name on AWS. */
  readonly name: string;
  /** Its names on other clouds, where the storage is called something else. */
  readonly nameOn?: Readonly<Partial<Record<CloudName, string>>>;
  /** How the system is configured, and why its experts would run it this way. */
  readonly configuration: string;
  readonly clouds: readonly CloudName[];
  /** What its machines are; the price `own machine` is theirs. Absent for a service without machines of its own. */
  readonly machine?: MachineRole;
  readonly cpu?: CpuBasis;
  readonly limits?: readonly LimitSpec[];
  readonly cells: readonly CellSpec[];
  readonly lines: readonly LineSpec[];
  readonly latency: LatencySpec;
}
