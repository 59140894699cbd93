import { newId } from '@penstock/platform';
import { describe, expect, test } from 'vitest';
import { setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { recordAudit } from './record-audit.ts';
import { verifyAudit } from './verify-audit.ts';

const plane = setUpControlPlane();

/** Contains the first row (the organization's creation) and four more. */
async function newChain(): Promise<{ tenant: TestOrganization; ids: string[] }> {
  const tenant = await plane.newTenant();
  for (const name of ['a', 'b', 'c', 'd']) {
    await record(tenant, name);
  }
  const rows = await plane.database.auditLog.findMany({
    where: { organizationId: tenant.organizationId },
    orderBy: { seq: 'asc' },
    select: { id: true },
  });
  return { tenant, ids: rows.map(({ id }) => id) };
}

const record = (tenant: TestOrganization, name: string) =>
  tenant.run((scope) =>
    recordAudit(scope, {
      action: 'cluster.rename',
      targetType: 'cluster',
      targetId: newId(),
      before: { name },
      after: { name: `${name}!`, nested: { b: 1.5, a: [true, null, 'ü'] } },
    }),
  );

/** Changes rows as an attacker with all rights in the database could. */
async function tamper(...statements: string[]): Promise<void> {
  await plane.database.$transaction([
    plane.database.$executeRawUnsafe(`SET LOCAL session_replication_role = 'replica'`),
    ...statements.map((statement) => plane.database.$executeRawUnsafe(statement)),
  ]);
}

const faultsOf = async ({ organizationId }: TestOrganization) =>
  (await verifyAudit(plane.database, organizationId)).faults.map(({ seq, fault }) => `${seq} ${fault}`);

describe('the chain', () => {
  test('is valid for the rows that use-cases wrote', async () => {
    const { tenant } = await newChain();
    expect(await verifyAudit(plane.database, tenant.organizationId)).toEqual({
      organizations: 1,
      rows: 5,
      faults: [],
    });
  });

  test('has no gap after fifty concurrent changes', async () => {
    const tenant = await plane.newTenant();
    await Promise.all(Array.from({ length: 50 }, (_, index) => record(tenant, String(index))));
    expect(await verifyAudit(plane.database, tenant.organizationId)).toMatchObject({ rows: 51, faults: [] });
  });

  test('has no gap after a rolled-back change', async () => {
    const { tenant } = await newChain();
    await tenant
      .run(async (scope) => {
        await recordAudit(scope, { action: 'cluster.delete', targetType: 'cluster', targetId: newId() });
        throw new Error('taken back');
      })
      .catch(() => undefined);
    await record(tenant, 'after');
    expect(await faultsOf(tenant)).toEqual([]);
  });
});

describe('verification reports', () => {
  test.each([
    ['an edited fact', `after = '{"name": "x"}'`],
    ['an edited name', `actor_label = 'somebody else'`],
    ['an edited time', `at = at + interval '1 millisecond'`],
    ['a removed fact', 'before = NULL'],
  ])('%s', async (_what, change) => {
    const { tenant, ids } = await newChain();
    await tamper(`UPDATE audit_log SET ${change} WHERE id = '${ids[2]}'`);
    expect(await faultsOf(tenant)).toEqual(['3 changed']);
  });

  test('an edited row whose own hash was recomputed', async () => {
    const { tenant, ids } = await newChain();
    await tamper(
      `UPDATE audit_log SET actor_label = 'x' WHERE id = '${ids[2]}'`,
      `UPDATE audit_log SET hash = audit_row_hash(audit_log) WHERE id = '${ids[2]}'`,
    );
    expect(await faultsOf(tenant)).toEqual(['4 out-of-place']);
  });

  test.each([
    [0, ['1 missing']],
    [2, ['3 missing']],
    [4, ['5 cut-off']],
  ])('the deletion of row %d', async (index, faults) => {
    const { tenant, ids } = await newChain();
    await tamper(`DELETE FROM audit_log WHERE id = '${ids[index]}'`);
    expect(await faultsOf(tenant)).toEqual(faults);
  });

  test('the deletion of all rows', async () => {
    const { tenant } = await newChain();
    await tamper(`DELETE FROM audit_log WHERE organization_id = '${tenant.organizationId}'`);
    expect(await faultsOf(tenant)).toEqual(['5 cut-off']);
  });

  test('two swapped rows', async () => {
    const { tenant, ids } = await newChain();
    await tamper(
      `UPDATE audit_log SET seq = -1 WHERE id = '${ids[1]}'`,
      `UPDATE audit_log SET seq = 2 WHERE id = '${ids[2]}'`,
      `UPDATE audit_log SET seq = 3 WHERE id = '${ids[1]}'`,
    );
    expect(await faultsOf(tenant)).toEqual(expect.arrayContaining(['2 changed', '3 changed']));
  });

  test('a row inserted around the trigger', async () => {
    const { tenant, ids } = await newChain();
    await tamper(
      `INSERT INTO audit_log (id, organization_id, actor_type, actor_label, source, action, target_type, target_id, seq, previous_hash)
       SELECT gen_random_uuid(), organization_id, 'system', 'x', 'web', 'x', 'x', 'x', 6, hash FROM audit_log WHERE id = '${ids[4]}'`,
    );
    expect(await faultsOf(tenant)).toEqual(['6 changed', '6 out-of-place']);
  });
});

test.each([`UPDATE audit_log SET actor_label = 'x'`, 'DELETE FROM audit_log', 'TRUNCATE audit_log'])(
  'the database refuses %s, even to the owner of the table',
  async (statement) => {
    await newChain();
    await expect(plane.database.$executeRawUnsafe(statement)).rejects.toThrow('only added to');
  },
);

test('the tenant role cannot change a chain head', async () => {
  const { tenant } = await newChain();
  const move = tenant.run(({ tx }) => tx.$executeRaw`UPDATE audit_head SET seq = seq + 1`);
  await expect(move).rejects.toThrow('permission denied');
});
