// A role for one cluster must not open what concerns the whole organization.
import { isClusterPermission, permissions } from '@penstock/tenancy';
import { expect, test } from 'vitest';
import { appRouter } from '../app-router.ts';

interface Definition {
  meta: { access: string; hasOtherScope?: boolean };
  inputs: { shape?: Record<string, unknown> }[];
}

const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: Definition }>).filter(
  ([, { _def }]) => permissions.some((known) => known === _def.meta.access && isClusterPermission(known)),
);

test.each(procedures)('%s takes a clusterId, or says otherwise which cluster it concerns', (_name, { _def }) => {
  const takesClusterId = _def.inputs.some(({ shape = {} }) => Object.hasOwn(shape, 'clusterId'));
  expect(takesClusterId).toBe(_def.meta.hasOtherScope !== true);
});
