// The type of a system's model: cells (its sizing) and lines (its costs), all as formulas that are shown unchanged.
import type { CloudName, MachineRole } from '../catalogue/index.ts';
import type { ModelInput } from '../inputs/keys.ts';
import type { CellSpec } from '../worksheet/index.ts';
import type { CellSymbol, ModelFormula } from './symbols.ts';

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

/**
 * The item that a price depends on. A role is resolved by cloud and settings; `item:` names a catalogue item directly.
 */
export type PriceRole =
  | 'own machine'
  | 'own plan'
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
  | `item:${string}`;

/** How the quantity depends on the length of a month: per hour, per second, or not at all. */
export type TimeBasis = 'hour' | 'second' | 'none';

/** A cell of a model. */
export interface ModelCell extends CellSpec {
  readonly symbol: CellSymbol;
  readonly formula: ModelFormula;
}

export interface LineSpec {
  readonly id: string;
  readonly component: Component;
  readonly label: string;
  /** The formula of the quantity in words. */
  readonly words: string;
  /** The formula of the quantity in symbols, executed as written. */
  readonly quantity: ModelFormula;
  readonly price: PriceRole;
  readonly basis: TimeBasis;
  /** Why the line costs something when nothing is written; null when it does not. */
  readonly floor: string | null;
}

/** Milliseconds, as formulas; null if nothing is published. */
export interface LatencySpec {
  readonly produceP50: ModelFormula | null;
  readonly produceP99: ModelFormula | null;
  readonly endToEndP50: ModelFormula | null;
  readonly endToEndP99: ModelFormula | null;
  readonly basis: 'published' | 'estimated';
  readonly note: string;
}

/** The basis for the CPU of a system's machines. */
export interface CpuBasis {
  readonly kind: 'measured' | 'published' | 'assumed';
  readonly note: string;
  /** The alternative basis when published sizing is chosen; absent when nothing else is published. */
  readonly sizing?: string;
}

/** A load that a service does not take: it is not available when `exceeds` is above `most`. */
export interface LimitSpec {
  readonly exceeds: ModelFormula;
  readonly most: ModelFormula;
  readonly words: string;
}

/** A plan that a vendor sells: the fee for a cluster in it, and the load that it takes. */
export interface PlanSpec {
  /** The value of the plans' input that chooses it. */
  readonly id: string;
  /** The catalogue's item of the fee. */
  readonly fee: string;
  /** The load that it takes, as formulas over shared cells and inputs; absent if it takes any. */
  readonly takes?: {
    readonly limits: readonly { readonly exceeds: ModelFormula; readonly most: ModelFormula }[];
    /** The message for a larger load, given the maximum of each limit in order. */
    readonly refusal: (most: readonly string[]) => string;
  };
  /** Compared without being chosen only while this input has this value; absent for a plan that always compares. */
  readonly comparesWhile?: { readonly input: ModelInput; readonly value: string };
}

export interface PlansSpec {
  /** The input that names a plan. Where it names none, the first that takes the load counts, or the last. */
  readonly input: ModelInput;
  /** All inputs on which the plan depends. */
  readonly dependsOn: readonly ModelInput[];
  /** The plans, smallest first. */
  readonly plans: readonly [PlanSpec, ...PlanSpec[]];
}

/** A system of Penstock, with which the others are compared. */
export interface OurSystem {
  /** The value of the input `latencyMode` that chooses it for the comparison. */
  readonly latencyMode: string;
  /** Note that a reader needs to trust its total. */
  readonly caveat?: string;
}

export interface SystemSpec {
  readonly id: string;
  /** Absent for the systems of others. */
  readonly ours?: OurSystem;
  /** Its name on AWS. */
  readonly name: string;
  /** Its names on other clouds, where the storage is called something else. */
  readonly nameOn?: Readonly<Partial<Record<CloudName, string>>>;
  /** How the system is configured, and why its experts would run it this way. */
  readonly configuration: string;
  readonly clouds: readonly CloudName[];
  /** The role of its machines; the price `own machine` is theirs. Absent for a service without machines of its own. */
  readonly machine?: MachineRole;
  readonly cpu?: CpuBasis;
  /** The plans that its vendor sells; the price `own plan` is the fee of the one in force. */
  readonly plans?: PlansSpec;
  readonly limits?: readonly LimitSpec[];
  readonly cells: readonly ModelCell[];
  readonly lines: readonly LineSpec[];
  readonly latency: LatencySpec;
}
