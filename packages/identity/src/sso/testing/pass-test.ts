// Stores the result of a passed connection test, which lets owners require single sign-on.
import type { Scope } from '@penstock/tenancy';
import { ssoTestSteps } from '../sso-test.ts';

export async function passTest({ tx, organizationId }: Pick<Scope, 'tx' | 'organizationId'>): Promise<void> {
  const steps = ssoTestSteps.map((name) => ({ name, problem: null, facts: [] }));
  const testResult = { testedAt: new Date().toISOString(), steps };
  await tx.ssoConnection.update({ where: { organizationId }, data: { testResult } });
}
