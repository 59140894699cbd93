import { refusalOf, setUpControlPlane } from '@penstock/billing/testing/control-plane';
import { listMembers, listMemberships, setActiveOrganization } from '@penstock/identity';
import { newId } from '@penstock/platform';
import { inTransaction, listAudit } from '@penstock/tenancy';
import { describe, expect, test } from 'vitest';
import { createOrganization } from './create-organization.ts';

const plane = setUpControlPlane();

describe('organizations', () => {
  test('the creator is the owner, as the audit log shows', async () => {
    const tenant = await plane.newTenant();
    expect(await tenant.run(listMembers)).toMatchObject([{ userId: tenant.userId, role: 'owner' }]);
    expect(await plane.auditOf(tenant)).toMatchObject([
      { action: 'organization.create', targetId: tenant.organizationId, after: { name: 'Acme' } },
    ]);
  });

  test('a name in any script makes a usable, unique slug', async () => {
    const user = await plane.newUser();
    const actor = { type: 'user', id: user.id, label: user.email, source: 'web' } as const;
    const create = (name: string) =>
      inTransaction(plane.database, (tx) =>
        createOrganization({ tx, actor, now: new Date() }, { name, ownerId: user.id }),
      );
    const made = [await create('水門'), await create('Ångström & Söhne'), await create('Acme'), await create('Acme')];
    for (const { slug } of made) {
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(4);
  });

  test('only members can work in an organization', async () => {
    const tenant = await plane.newTenant();
    const stranger = await plane.newUser();
    const session = { id: newId(), token: newId(), userId: stranger.id, expiresAt: new Date(Date.now() + 60_000) };
    await plane.database.session.create({ data: session });
    const choose = inTransaction(plane.database, (tx) =>
      setActiveOrganization(tx, { sessionId: session.id, userId: stranger.id, organizationId: tenant.organizationId }),
    );
    expect(await refusalOf(choose)).toBe('organization_not_found');
    expect(await inTransaction(plane.database, (tx) => listMemberships(tx, stranger.id))).toEqual([]);
  });

  test('the database rejects any role other than the four', async () => {
    const tenant = await plane.newTenant();
    const user = await plane.newUser();
    const data = { id: newId(), organizationId: tenant.organizationId, userId: user.id, role: 'root' };
    await expect(plane.database.member.create({ data })).rejects.toThrow(/member_role_check/);
  });
});

describe('the audit log', () => {
  test('is listed from newest to oldest for its tenant only', async () => {
    const tenant = await plane.newTenant();
    await plane.newTenant();
    for (let index = 0; index < 5; index += 1) {
      await plane.newCluster(tenant, `cluster ${index}`);
    }
    const targets: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await tenant.run((scope) => listAudit(scope, { cursor, limit: 2 }));
      targets.push(...page.rows.map((row) => row.targetId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(targets).toEqual((await plane.auditOf(tenant)).map((row) => row.targetId).reverse());
    expect(targets).toHaveLength(6);
  });
});
