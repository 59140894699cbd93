// Organizations with their sign-up credits.
import {
  type ClustersPlane,
  type ControlPlaneOptions,
  setUpControlPlane as setUpClusters,
} from '@penstock/clusters/testing';
import { grantSignUpCredits } from '../credit/grant-sign-up-credits.ts';

export {
  type ClustersPlane as ControlPlane,
  newClusterInput,
  refusalOf,
  type TestOrganization,
} from '@penstock/clusters/testing';

/** Sets up a database for the tests of one file. Call it at the top of the file. */
export function setUpControlPlane(options: ControlPlaneOptions = {}): ClustersPlane {
  return setUpClusters({ ...options, onNewTenant: (scope) => grantSignUpCredits(scope, scope.now) });
}
