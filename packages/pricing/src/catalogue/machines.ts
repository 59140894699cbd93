// Machines that a model may run on, with the figures that sizing needs.

export type CloudName = 'aws' | 'gcp' | 'azure';

export interface Machine {
  readonly name: string;
  readonly cloud: CloudName;
  readonly vcpus: number;
  /** The network bandwidth that it sustains each way, in Mbit/s; bursts are not counted. Decimal text. */
  readonly networkMbps: string;
  /** False when the bandwidth was not found in the cloud's own figures. */
  readonly networkVerified: boolean;
  /** Local NVMe disks in GB, decimal text; null without any. */
  readonly localDiskGb: string | null;
  /** Catalogue item of the on-demand price; the suffix `.reserved` names the one-year price if known. */
  readonly item: string;
}

/** The source of the bandwidths of EC2 machines. */
export const NETWORK_SOURCE = 'karpenter-provider-aws, generated from EC2’s documentation of network bandwidth, 2026';

const ec2 = (name: string, vcpus: number, networkMbps: string, localDiskGb: string | null = null): Machine => ({
  name,
  cloud: 'aws',
  vcpus,
  networkMbps,
  networkVerified: true,
  localDiskGb,
  item: `aws.ec2.${name}`,
});
/** Bandwidths of other clouds are the maximum that the machine type names, not a sustained figure. */
const elsewhere = (name: string, cloud: CloudName, vcpus: number, networkMbps: string, item: string): Machine => ({
  name,
  cloud,
  vcpus,
  networkMbps,
  networkVerified: false,
  localDiskGb: null,
  item,
});

export const MACHINES: readonly Machine[] = [
  ec2('m7g.large', 2, '937'),
  ec2('m7g.xlarge', 4, '1876'),
  ec2('m8g.xlarge', 4, '1875'),
  ec2('m8gn.large', 2, '6250'),
  ec2('m8gn.xlarge', 4, '12500'),
  ec2('m8gn.2xlarge', 8, '25000'),
  ec2('m6in.large', 2, '3125'),
  ec2('m6in.xlarge', 4, '6250'),
  ec2('m6in.2xlarge', 8, '12500'),
  ec2('m6in.4xlarge', 16, '25000'),
  ec2('c6in.xlarge', 4, '6250'),
  ec2('r4.xlarge', 4, '1250'),
  ec2('r6i.large', 2, '781'),
  ec2('i3en.xlarge', 4, '4200', '2500'),
  ec2('i3en.6xlarge', 24, '25000', '15000'),
  ec2('im4gn.xlarge', 4, '6250', '937'),
  ec2('is4gen.2xlarge', 8, '12500', '7500'),
  ec2('is4gen.4xlarge', 16, '25000', '15000'),
  elsewhere('n2d-standard-4', 'gcp', 4, '10000', 'gcp.gce.n2d-standard-4'),
  elsewhere('n2-standard-4', 'gcp', 4, '10000', 'gcp.gce.n2-standard-4'),
  elsewhere('n2-standard-2', 'gcp', 2, '10000', 'gcp.gce.n2-standard-2'),
  elsewhere('d4s-v5', 'azure', 4, '12500', 'azure.vm.d4s-v5'),
];

/**
 * The machines among which `auto` takes the cheapest for the load, for competitors and Penstock alike: two or four virtual CPUs with 4 GiB of
 * memory each. On AWS, M7g has the cheapest CPU and M8gn the cheapest network; M6in lies between. Of equals, `auto` takes the first: on demand,
 * a machine of four costs as much as two of two, and fewer machines are less to run.
 */
export const AUTO_MACHINES: Readonly<Record<CloudName, readonly string[]>> = {
  aws: ['m7g.xlarge', 'm7g.large', 'm6in.xlarge', 'm6in.large', 'm8gn.xlarge', 'm8gn.large'],
  gcp: ['n2d-standard-4'],
  azure: ['d4s-v5'],
};

/** A small machine for a metadata store next to the agents. */
export const SMALL_MACHINE: Readonly<Record<CloudName, string>> = {
  aws: 'm6in.large',
  gcp: 'n2-standard-2',
  azure: 'd4s-v5',
};

/** Machines with local disks that Redpanda recommends; `auto` takes the cheapest of them for the load, and of equals the largest. */
export const LOCAL_DISK_MACHINES: readonly string[] = [
  'is4gen.4xlarge',
  'is4gen.2xlarge',
  'i3en.6xlarge',
  'i3en.xlarge',
];

const BY_NAME = new Map(MACHINES.map((machine) => [machine.name, machine]));

/** Brokers of Amazon MSK: M7g machines at MSK’s own price. Of equals, `auto` takes the first. */
const MSK_MACHINES: readonly Machine[] = [
  ['m7g.xlarge', 4, '1876'],
  ['m7g.large', 2, '937'],
  ['m7g.2xlarge', 8, '3750'],
  ['m7g.4xlarge', 16, '7500'],
].map(([name, vcpus, networkMbps]) => ({
  name: String(name),
  cloud: 'aws',
  vcpus: Number(vcpus),
  networkMbps: String(networkMbps),
  networkVerified: true,
  localDiskGb: null,
  item: `msk.${name}`,
}));

export type MachineRole = 'broker' | 'agent' | 'node' | 'msk';

/** The input that chooses the machine of a role, and the prefix of the role’s symbols in formulas. */
export const MACHINE_INPUTS = {
  broker: 'brokerMachine',
  agent: 'agentMachine',
  node: 'redpandaMachine',
  msk: 'mskBroker',
} as const satisfies Readonly<Record<MachineRole, string>>;

function machinesOf(names: readonly string[]): readonly Machine[] {
  return names.flatMap((name) => BY_NAME.get(name) ?? []);
}

/** All machines that a role may be given on a cloud; the estimate takes the cheapest. */
export function candidatesFor(role: MachineRole, cloud: CloudName): readonly Machine[] {
  switch (role) {
    case 'msk':
      return MSK_MACHINES;
    case 'node':
      return machinesOf(LOCAL_DISK_MACHINES);
    default:
      return machinesOf(AUTO_MACHINES[cloud]);
  }
}

export function machineNamed(name: string): Machine | undefined {
  return BY_NAME.get(name);
}
