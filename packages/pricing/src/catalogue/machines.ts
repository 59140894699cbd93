// Machines that a model may run on, with the figures that sizing needs.

export type CloudName = 'aws' | 'gcp' | 'azure';

export interface Machine {
  readonly name: string;
  readonly cloud: CloudName;
  readonly vcpus: number;
  /** Catalogue item of the on-demand price; the suffix `.reserved` names the one-year price if known. */
  readonly item: string;
}

const ec2 = (name: string, vcpus: number): Machine => ({ name, cloud: 'aws', vcpus, item: `aws.ec2.${name}` });

export const MACHINES: readonly Machine[] = [
  ec2('m7g.large', 2),
  ec2('m7g.xlarge', 4),
  ec2('m8g.xlarge', 4),
  ec2('m6in.large', 2),
  ec2('m6in.xlarge', 4),
  ec2('m6in.2xlarge', 8),
  ec2('m6in.4xlarge', 16),
  ec2('c6in.xlarge', 4),
  ec2('r4.xlarge', 4),
  ec2('r6i.large', 2),
  ec2('i3en.xlarge', 4),
  ec2('i3en.6xlarge', 24),
  ec2('im4gn.xlarge', 4),
  ec2('is4gen.2xlarge', 8),
  ec2('is4gen.4xlarge', 16),
  { name: 'n2d-standard-4', cloud: 'gcp', vcpus: 4, item: 'gcp.gce.n2d-standard-4' },
  { name: 'n2-standard-4', cloud: 'gcp', vcpus: 4, item: 'gcp.gce.n2-standard-4' },
  { name: 'n2-standard-2', cloud: 'gcp', vcpus: 2, item: 'gcp.gce.n2-standard-2' },
  { name: 'd4s-v5', cloud: 'azure', vcpus: 4, item: 'azure.vm.d4s-v5' },
];

/** The machine for `auto` on each cloud: a current general-purpose machine with four virtual CPUs, for competitors and Penstock alike. */
export const DEFAULT_MACHINE: Readonly<Record<CloudName, string>> = {
  aws: 'm7g.xlarge',
  gcp: 'n2d-standard-4',
  azure: 'd4s-v5',
};

/** A small machine for a metadata store next to the agents. */
export const SMALL_MACHINE: Readonly<Record<CloudName, string>> = {
  aws: 'm6in.large',
  gcp: 'n2-standard-2',
  azure: 'd4s-v5',
};

const BY_NAME = new Map(MACHINES.map((machine) => [machine.name, machine]));

export function machineNamed(name: string): Machine | undefined {
  return BY_NAME.get(name);
}
