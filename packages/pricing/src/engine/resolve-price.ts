// Resolves a line's role to the catalogue's price, by cloud and settings.
import {
  type Catalogue,
  type CloudName,
  candidatesFor,
  MACHINE_INPUTS,
  type Machine,
  type MachineRole,
  machineNamed,
  type Price,
  SMALL_MACHINE,
} from '../catalogue/index.ts';
import { type Decimal, decimal, ONE } from '../decimal/index.ts';
import type { InputKey, InputValues } from '../inputs/index.ts';
import type { PlansSpec, PriceRole } from '../models/index.ts';

export interface ResolvedPrice {
  readonly price: Price;
  /** The factor on the catalogue's price: for another region, for a one-year commitment. */
  readonly factor: Decimal;
  /** The inputs that selected or changed the price. */
  readonly inputs: readonly InputKey[];
}

const BY_CLOUD: Readonly<Record<CloudName, Readonly<Record<string, string>>>> = {
  aws: {
    disk: 'aws.gp3.storage',
    'disk throughput': 'aws.gp3.throughput',
    'object storage': 'aws.s3.storage',
    put: 'aws.s3.put',
    get: 'aws.s3.get',
    'zone transfer': 'aws.zone-transfer',
    'nat hour': 'aws.nat.hour',
    'nat data': 'aws.nat.data',
    egress: 'aws.egress',
  },
  gcp: {
    disk: 'gcp.disk.storage',
    'disk throughput': 'gcp.disk.throughput',
    'object storage': 'gcp.gcs.storage',
    put: 'gcp.gcs.put',
    get: 'gcp.gcs.get',
    'zone transfer': 'gcp.zone-transfer',
    'nat hour': 'gcp.nat.hour',
    'nat data': 'gcp.nat.data',
    egress: 'gcp.egress',
  },
  azure: {
    disk: 'azure.disk.storage',
    'disk throughput': 'azure.disk.throughput',
    'object storage': 'azure.blob.storage',
    put: 'azure.blob.put',
    get: 'azure.blob.get',
    'zone transfer': 'azure.zone-transfer',
    'nat hour': 'azure.nat.hour',
    'nat data': 'azure.nat.data',
    egress: 'azure.egress',
  },
};
export function cloudOf(inputs: InputValues): CloudName {
  const { cloud } = inputs;
  return cloud === 'gcp' || cloud === 'azure' ? cloud : 'aws';
}

/** The machines that a system may have: the one that its input names, or those among which `auto` takes the cheapest. */
export function machinesOf(inputs: InputValues, role: MachineRole): readonly Machine[] {
  const candidates = candidatesFor(role, cloudOf(inputs));
  const wanted = inputs[MACHINE_INPUTS[role]];
  const own = candidates.filter((machine) => machine.name === wanted);
  if (own.length > 0) {
    return own;
  }
  const named = machineNamed(wanted);
  return named !== undefined && named.cloud === cloudOf(inputs) ? [named] : candidates;
}

export class PriceResolver {
  readonly #catalogue: Catalogue;
  readonly #inputs: InputValues;
  readonly #cloud: CloudName;
  readonly #region: Decimal;
  readonly #regionInputs: readonly InputKey[];
  readonly #known = new Map<PriceRole, ResolvedPrice>();

  constructor(catalogue: Catalogue, inputs: InputValues) {
    this.#catalogue = catalogue;
    this.#inputs = inputs;
    this.#cloud = cloudOf(inputs);
    const other = inputs.region === 'other';
    this.#region = other ? decimal(inputs.regionFactor) : ONE;
    this.#regionInputs = other ? ['cloud', 'region', 'regionFactor'] : ['cloud', 'region'];
  }

  resolve(role: PriceRole): ResolvedPrice {
    const known = this.#known.get(role);
    if (known !== undefined) {
      return known;
    }
    const resolved = this.#find(role);
    this.#known.set(role, resolved);
    return resolved;
  }

  #item(item: string): Price {
    const price = this.#catalogue.prices.get(item);
    if (price === undefined) {
      throw new Error(`the catalogue has no item "${item}"`);
    }
    return price;
  }

  #find(role: PriceRole): ResolvedPrice {
    if (role.startsWith('item:')) {
      const price = this.#item(role.slice('item:'.length));
      return price.entry.provider === 'AWS' || price.entry.provider === 'Amazon MSK'
        ? { price, factor: this.#region, inputs: this.#regionInputs }
        : { price, factor: ONE, inputs: [] };
    }
    switch (role) {
      case 'small machine':
        return this.ofMachine(machineNamed(SMALL_MACHINE[this.#cloud]), []);
      default:
        return {
          price: this.#item(BY_CLOUD[this.#cloud][role] ?? role),
          factor: this.#region,
          inputs: this.#regionInputs,
        };
    }
  }

  /** The fee of the plan in force, which depends on the named inputs. The catalogue's factors do not apply to it. */
  ofPlan(fee: string, { dependsOn }: PlansSpec): ResolvedPrice {
    return { price: this.#item(fee), factor: ONE, inputs: dependsOn };
  }

  /** The hourly price of a machine that the named inputs have chosen. */
  ofMachine(machine: Machine | undefined, inputs: readonly InputKey[]): ResolvedPrice {
    if (machine === undefined) {
      throw new Error('a line is priced by a machine that its system does not have');
    }
    const item = this.#item(machine.item);
    if (item.entry.provider === 'Amazon MSK') {
      return { price: item, factor: this.#region, inputs: [...inputs, ...this.#regionInputs] };
    }
    const used: readonly InputKey[] = [...inputs, ...this.#regionInputs, 'commitment'];
    if (this.#inputs.commitment !== 'reserved') {
      return { price: this.#item(machine.item), factor: this.#region, inputs: used };
    }
    const reserved = this.#catalogue.prices.get(`${machine.item}.reserved`);
    if (reserved !== undefined) {
      return { price: reserved, factor: this.#region, inputs: used };
    }
    return {
      price: this.#item(machine.item),
      factor: this.#region.times(decimal(this.#inputs.reservedFactor)),
      inputs: [...used, 'reservedFactor'],
    };
  }
}
