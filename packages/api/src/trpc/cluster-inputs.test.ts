// A role for one cluster must not open what concerns the whole organization.
import { isClusterPermission, permissions } from '@penstock/tenancy';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Operation, operationsByPath } from '../operations-by-path.ts';

const ofClusters = [...operationsByPath].filter(([, { access }]) =>
  permissions.some((known) => known === access && isClusterPermission(known)),
);

const saysOtherwise = ({ isFiltered, isOrganizationWide, clusterOf }: Operation): boolean =>
  isFiltered || isOrganizationWide || clusterOf !== undefined;

test.each(ofClusters)('%s takes a clusterId or says how it finds its cluster', (_path, operation) => {
  const { input } = operation;
  const takesClusterId = input instanceof z.ZodObject && Object.hasOwn(input.shape, 'clusterId');
  expect(takesClusterId).toBe(!saysOtherwise(operation));
});
