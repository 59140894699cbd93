// The estimate: each system's monthly cost, line by line. Pure; the catalogue is passed in.
import {
  type Catalogue,
  MACHINE_INPUTS,
  type Machine,
  type MachineRole,
  type Price,
  type PriceUnit,
  withPrices,
} from '../catalogue/index.ts';
import {
  amountOf,
  type Decimal,
  decimal,
  ONE,
  quantity,
  roundEstimateLine,
  sumUsd,
  type Usd,
  usdPer,
  ZERO,
} from '../decimal/index.ts';
import { DEFAULT_INPUTS, INPUTS, type InputKey, type InputValues } from '../inputs/index.ts';
import type { Component, CpuBasis, PriceRole, SystemSpec, TimeBasis } from '../models/index.ts';
import { graduate, priceBookOn, totalOf } from '../price-book/index.ts';
import { Worksheet } from '../worksheet/index.ts';
import {
  COMPILED_SHARED,
  COMPILED_SYSTEMS,
  type CompiledLine,
  type CompiledSystem,
  LATENCY_KEYS,
  type LatencyKey,
} from './compile.ts';
import { type CompiledPlan, planInForce, refusalOf } from './plans.ts';
import { cloudOf, machinesOf, PriceResolver, type ResolvedPrice } from './resolve-price.ts';

/** Everything but the load: settings by input key, and the reader's own values for prices and computed cells. */
export interface Assumptions {
  readonly inputs: Partial<InputValues>;
  /** By `system.cell`: a value that replaces the cell's formula, e.g. `warpstream.agents`. */
  readonly pins: ReadonlyMap<string, Decimal>;
  /** By catalogue item: one flat price that replaces the catalogue's. */
  readonly prices: ReadonlyMap<string, Decimal>;
}

/** The part of a line covered by one step of a graduated price. A flat price has one part. */
export interface LinePart {
  readonly quantity: Decimal;
  readonly unitPrice: Decimal;
}

export interface LineItem {
  readonly id: string;
  readonly component: Component;
  readonly label: string;
  readonly quantity: Decimal;
  readonly unit: PriceUnit;
  /** The price per unit; for a graduated price the mean over the quantity. */
  readonly unitPrice: Decimal;
  readonly parts: readonly LinePart[];
  /** Quantity times price, rounded once to a millionth of a dollar. */
  readonly amount: Usd;
  readonly formula: { readonly words: string; readonly symbols: string };
  /** Keys of the inputs that the line depends on. */
  readonly assumptions: readonly InputKey[];
  readonly basis: TimeBasis;
  readonly floor: string | null;
  readonly price: Price;
  /** The factor applied to the catalogue's price. */
  readonly priceFactor: Decimal;
}

export type LatencyMs = Readonly<Record<LatencyKey, number | null>>;

export type SystemEstimate =
  | {
      readonly available: true;
      readonly id: string;
      /** Whether it is Penstock. */
      readonly ours: boolean;
      readonly name: string;
      readonly configuration: string;
      readonly lines: readonly LineItem[];
      /** The part billed by the cloud provider: all lines except the vendor's fees. */
      readonly infrastructure: Usd;
      readonly total: Usd;
      readonly latency: LatencyMs;
      readonly latencyBasis: 'published' | 'estimated';
      readonly latencyNote: string;
      /** The basis for the CPU of its machines; null for a service without machines of its own. */
      readonly cpu: CpuBasis | null;
      readonly worksheet: Worksheet;
    }
  | {
      readonly available: false;
      readonly id: string;
      readonly ours: boolean;
      readonly name: string;
      readonly configuration: string;
      readonly reason: string;
    };

export interface Estimate {
  readonly systems: readonly SystemEstimate[];
}

const MIB = decimal(1_048_576);
const GB = decimal(1_000_000_000);
const GIB = decimal(1_073_741_824);
const UNIT_BYTES: ReadonlyMap<string, Decimal> = new Map([
  ['KiB/s', decimal(1024)],
  ['MB/s', decimal(1_000_000)],
  ['MiB/s', MIB],
  ['GB/s', GB],
  ['GiB/s', GIB],
]);
const CLOUD_NAMES = { aws: 'AWS', gcp: 'Google Cloud', azure: 'Azure' } as const;

/** Parsed once: most inputs of most estimates have their defaults. */
const DEFAULT_VALUES: ReadonlyMap<string, Decimal> = new Map(
  INPUTS.flatMap((spec) => (spec.kind === 'number' ? [[spec.key, decimal(spec.default)] as const] : [])),
);

function valuesOf(inputs: InputValues, day: string): Map<string, Decimal> {
  const values = new Map<string, Decimal>();
  for (const spec of INPUTS) {
    const text = inputs[spec.key];
    if (spec.kind === 'number') {
      values.set(spec.symbol, (text === spec.default ? DEFAULT_VALUES.get(spec.key) : undefined) ?? decimal(text));
    } else if (spec.kind === 'flag') {
      values.set(spec.symbol, text === 'true' ? ONE : ZERO);
    }
  }
  const bytes = inputs.byteUnit === 'GiB' ? GIB : GB;
  values.set('unit_bytes', UNIT_BYTES.get(inputs.throughputUnit) ?? MIB);
  values.set('compressed', inputs.throughputBasis === 'compressed' ? ONE : ZERO);
  const basis = inputs.cpuBasis;
  values.set('basis_core_s', basis === 'alike' || basis === 'published' ? ZERO : ONE);
  values.set('basis_alike', basis === 'alike' ? ONE : ZERO);
  values.set('basis_sizing', basis === 'published' ? ONE : ZERO);
  values.set('month_h', decimal(inputs.monthHours));
  values.set('gb', bytes);
  values.set('zone_bytes', cloudOf(inputs) === 'gcp' ? GIB : bytes);
  const { dev } = priceBookOn(day);
  values.set('dev_mib_s', decimal(dev.maxWrittenMibPerSecond));
  values.set('dev_partitions', decimal(dev.maxPartitions));
  return values;
}

type MachineValues = readonly (readonly [string, Decimal])[];
/** By role and name: few machines exist, and every estimate needs them. */
const machineValuesKnown = new Map<string, MachineValues>();

/** A machine as its role’s symbols. */
function machineValues(role: MachineRole, machine: Machine): MachineValues {
  const key = `${role} ${machine.name}`;
  const known = machineValuesKnown.get(key);
  if (known !== undefined) {
    return known;
  }
  const values: MachineValues = [
    [`${role}_vcpus`, decimal(machine.vcpus)],
    [`${role}_mb_s`, decimal(machine.networkMbps).div(8)],
    [`${role}_disk_gb`, decimal(machine.localDiskGb ?? '0')],
  ];
  machineValuesKnown.set(key, values);
  return values;
}

/** The unit comes from the price: the line and its price have the same one. */
type OwnUnit = 'own unit';

function priceLine(
  count: Decimal,
  { price, factor }: ResolvedPrice,
): { amount: Usd; unitPrice: Decimal; parts: readonly LinePart[] } {
  const amount = quantity<OwnUnit>(count);
  const tiers = price.tiers.map(({ upTo, usd }) => ({ upTo, usd: usdPer<OwnUnit>(usd.times(factor)) }));
  const only = tiers.length === 1 ? tiers[0]?.usd : undefined;
  if (only !== undefined) {
    return {
      amount: roundEstimateLine(amountOf(amount, only)),
      unitPrice: only,
      parts: [{ quantity: count, unitPrice: only }],
    };
  }
  const priced = graduate(amount, tiers);
  const exact = totalOf(priced);
  return {
    amount: roundEstimateLine(exact),
    unitPrice: count.isZero() ? (tiers[0]?.usd ?? ZERO) : exact.per(count),
    parts: priced.map((part) => ({ quantity: part.quantity, unitPrice: part.usdPerUnit })),
  };
}

/** The prices of a system's own lines: the current plan and its machine. */
interface OwnPrices {
  readonly plan: CompiledPlan | null;
  readonly machine?: Machine;
}

function priceOf(role: PriceRole, system: SystemSpec, own: OwnPrices, resolver: PriceResolver): ResolvedPrice {
  switch (role) {
    case 'own machine':
      return resolver.ofMachine(own.machine, system.machine === undefined ? [] : [MACHINE_INPUTS[system.machine]]);
    case 'own plan':
      if (own.plan === null || system.plans === undefined) {
        throw new Error(`a line of "${system.id}" is priced by a plan, and the system has none`);
      }
      return resolver.ofPlan(own.plan.spec.fee, system.plans);
    default:
      return resolver.resolve(role);
  }
}

function lineItem(
  { spec, quantity: formula, inputs }: CompiledLine,
  worksheet: Worksheet,
  resolver: PriceResolver,
  system: SystemSpec,
  own: OwnPrices,
): LineItem {
  const quantity = worksheet.run(formula);
  const resolved = priceOf(spec.price, system, own, resolver);
  const { amount, unitPrice, parts } = priceLine(quantity, resolved);
  return {
    id: spec.id,
    component: spec.component,
    label: spec.label,
    quantity,
    unit: resolved.price.entry.unit,
    unitPrice,
    parts,
    amount,
    formula: { words: spec.words, symbols: spec.quantity },
    assumptions:
      resolved.inputs.length === 0 ? inputs : [...inputs, ...resolved.inputs.filter((key) => !inputs.includes(key))],
    basis: spec.basis,
    floor: spec.floor,
    price: resolved.price,
    priceFactor: resolved.factor,
  };
}

/** Why a system cannot be estimated with these inputs; null when it can. */
function obstacle(
  { spec, limits }: CompiledSystem,
  inputs: InputValues,
  shared: Worksheet,
  plan: CompiledPlan | null,
): string | null {
  const cloud = cloudOf(inputs);
  if (!spec.clouds.includes(cloud)) {
    return `Not available on ${CLOUD_NAMES[cloud]}, or not in our catalog.`;
  }
  const refusal = plan === null ? null : refusalOf(plan, shared);
  if (refusal !== null) {
    return refusal;
  }
  const exceeded = limits.find(({ exceeds, most }) => shared.run(exceeds).gt(shared.run(most)));
  if (exceeded !== undefined) {
    return `Supports up to ${shared.run(exceeded.most).toFixed()} ${exceeded.words} at the peak.`;
  }
  return null;
}

/** The CPU basis of a system for the chosen setting. */
function cpuIn(inputs: InputValues, own: CpuBasis): CpuBasis {
  return inputs.cpuBasis === 'alike'
    ? { kind: 'assumed', note: 'The CPU of every system is assumed alike.' }
    : inputs.cpuBasis === 'published' && own.sizing !== undefined
      ? { kind: 'published', note: own.sizing }
      : own;
}

function pinsOf(system: string, pins: ReadonlyMap<string, Decimal>): ReadonlyMap<string, Decimal> {
  const own = new Map<string, Decimal>();
  for (const [name, value] of pins) {
    if (name.startsWith(`${system}.`)) {
      own.set(name.slice(system.length + 1), value);
    }
  }
  return own;
}

interface Bill {
  readonly worksheet: Worksheet;
  readonly lines: readonly LineItem[];
  readonly total: Usd;
}

/** The system’s bill on the machine that makes it cheapest; the first of equals. */
function cheapest(
  system: CompiledSystem,
  inputs: InputValues,
  shared: Worksheet,
  resolver: PriceResolver,
  pins: ReadonlyMap<string, Decimal>,
  plan: CompiledPlan | null,
): Bill {
  const role = system.spec.machine;
  const base = new Worksheet(system.otherCells, pins, shared);
  const fixed = new Map(
    system.lines
      .filter((line) => !line.byMachine)
      .map((line) => [line, lineItem(line, base, resolver, system.spec, { plan })] as const),
  );
  const bill = (machine: Machine | undefined): Bill => {
    const given = role === undefined || machine === undefined ? [] : machineValues(role, machine);
    const worksheet = new Worksheet(system.machineCells, new Map([...given, ...pins]), base);
    const own = machine === undefined ? { plan } : { plan, machine };
    const lines = system.lines.map((line) => fixed.get(line) ?? lineItem(line, worksheet, resolver, system.spec, own));
    return { worksheet, lines, total: sumUsd(lines.map((line) => line.amount)) };
  };
  const [first, ...others] = role === undefined ? [] : machinesOf(inputs, role);
  return others.map(bill).reduce((best, other) => (other.total.lt(best.total) ? other : best), bill(first));
}

function estimateOne(
  system: CompiledSystem,
  inputs: InputValues,
  shared: Worksheet,
  resolver: PriceResolver,
  assumptions: Assumptions,
): SystemEstimate {
  const { id, configuration } = system.spec;
  const ours = system.spec.ours !== undefined;
  const name = system.spec.nameOn?.[cloudOf(inputs)] ?? system.spec.name;
  const plan = system.plans === null ? null : planInForce(system.plans, inputs, shared);
  const reason = obstacle(system, inputs, shared, plan);
  if (reason !== null) {
    return { available: false, id, ours, name, configuration, reason };
  }
  const { worksheet, lines, total } = cheapest(system, inputs, shared, resolver, pinsOf(id, assumptions.pins), plan);
  const latency = { produceP50: null, produceP99: null, endToEndP50: null, endToEndP99: null } as Record<
    LatencyKey,
    number | null
  >;
  for (const key of LATENCY_KEYS) {
    const formula = system.latency[key];
    latency[key] = formula === null ? null : worksheet.run(formula).toNumber();
  }
  return {
    available: true,
    id,
    ours,
    name,
    configuration,
    lines,
    infrastructure: sumUsd(lines.filter((line) => line.component !== 'vendor fee').map((line) => line.amount)),
    total,
    latency,
    latencyBasis: system.spec.latency.basis,
    latencyNote: system.spec.latency.note,
    cpu: system.spec.cpu === undefined ? null : cpuIn(inputs, system.spec.cpu),
    worksheet,
  };
}

/**
 * Estimates every system, or only the named ones. The texts of the inputs must be valid (see parseState); missing ones have their defaults.
 * US dollars per month.
 */
export function estimate(
  workload: Partial<InputValues>,
  assumptions: Assumptions,
  catalogue: Catalogue,
  only?: ReadonlySet<string>,
): Estimate {
  const inputs: InputValues = { ...DEFAULT_INPUTS, ...assumptions.inputs, ...workload };
  const shared = new Worksheet(COMPILED_SHARED, valuesOf(inputs, catalogue.day));
  const resolver = new PriceResolver(withPrices(catalogue, assumptions.prices), inputs);
  const wanted = only === undefined ? COMPILED_SYSTEMS : COMPILED_SYSTEMS.filter((system) => only.has(system.spec.id));
  return { systems: wanted.map((system) => estimateOne(system, inputs, shared, resolver, assumptions)) };
}
