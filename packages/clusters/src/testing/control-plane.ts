// Organizations with clusters.
import { newId } from '@penstock/platform';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  setUpControlPlane as setUpTenants,
  type TestOrganization,
} from '@penstock/tenancy/testing';
import type { Cluster } from '../cluster/cluster.ts';
import { createCluster } from '../cluster/create-cluster.ts';

export { type ControlPlaneOptions, refusalOf, type TestOrganization } from '@penstock/tenancy/testing';

export interface ClustersPlane extends ControlPlane {
  newCluster(tenant: TestOrganization, name?: string): Promise<Cluster>;
}

/** Sets up a database for the tests of one file. Call it at the top of the file. */
export function setUpControlPlane(options: ControlPlaneOptions = {}): ClustersPlane {
  return Object.assign(setUpTenants(options), {
    newCluster: (tenant: TestOrganization, name = `cluster ${newId()}`) =>
      tenant.run((scope) => createCluster(scope, newClusterInput(name), async () => {})),
  });
}

export function newClusterInput(name: string) {
  return {
    name,
    cloud: 'aws',
    region: 'eu-central-1',
    mode: 'standard' as const,
    autoCreateTopics: true,
    defaultPartitions: 12,
    deletionProtection: false,
  };
}
