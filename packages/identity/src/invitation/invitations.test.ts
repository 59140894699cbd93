import { newId } from '@penstock/platform';
import { inTransaction } from '@penstock/tenancy';
import { refusalOf, setUpControlPlane, type TestOrganization } from '@penstock/tenancy/testing';
import { describe, expect, test } from 'vitest';
import { listMembers } from '../organization/list-members.ts';
import { acceptInvitation, type InvitationReference } from './accept-invitation.ts';
import { INVITATION_LIFETIME_MS } from './invitation.ts';
import { inviteMember } from './invite-member.ts';
import { listInvitations, listReceivedInvitations } from './list-invitations.ts';
import { previewInvitation } from './preview-invitation.ts';
import { revokeInvitation } from './revoke-invitation.ts';

const plane = setUpControlPlane();
const WEB_URL = 'https://app.example.com';

/** Invites an address and extracts the token from the mail. */
async function invite(tenant: TestOrganization, email: string, role: 'admin' | 'viewer' = 'viewer', now = new Date()) {
  const invitation = await tenant.run((scope) => inviteMember(scope, WEB_URL, { email, role }), now);
  const mail = await plane.database.mail.findFirstOrThrow({ where: { toAddress: email }, orderBy: { id: 'desc' } });
  const link = new URL(mail.link ?? '');
  return { invitation, link, token: link.hash.slice(1) };
}

function accept(user: { id: string; email: string }, reference: InvitationReference, now = new Date()) {
  const actor = { type: 'user', id: user.id, label: user.email, source: 'web' } as const;
  return inTransaction(plane.database, (tx) => acceptInvitation({ tx, actor, now }, { userId: user.id, reference }));
}

function preview(token: string) {
  return inTransaction(plane.database, (tx) => previewInvitation(tx, { token, now: new Date() }));
}

describe('the link in the mail', () => {
  test('makes the invited address a member with the role, once', async () => {
    const tenant = await plane.newTenant();
    const user = await plane.newUser();
    const { token } = await invite(tenant, user.email, 'admin');
    expect(await preview(token)).toMatchObject({ organizationName: 'Acme', role: 'admin', email: user.email });
    expect(await accept(user, { token })).toEqual({ organizationId: tenant.organizationId });
    expect(await tenant.run(listMembers)).toMatchObject([{ role: 'owner' }, { userId: user.id, role: 'admin' }]);
    expect(await refusalOf(accept(user, { token }))).toBe('invitation_not_usable');
    expect(await refusalOf(preview(token))).toBe('invitation_not_usable');
  });

  test('gives roles for single clusters of this organization only', async () => {
    const [tenant, other] = [await plane.newTenant(), await plane.newTenant()];
    const newCluster = async ({ organizationId }: TestOrganization) => {
      const id = newId();
      await plane.database.virtualCluster.create({
        data: { id, organizationId, name: id, cloud: 'aws', region: 'eu-west-1' },
      });
      return id;
    };
    const user = await plane.newUser();
    const invite = (clusterId: string) =>
      tenant.run((scope) =>
        inviteMember(scope, WEB_URL, {
          email: user.email,
          role: 'none',
          clusterRoles: [{ clusterId, role: 'operator' }],
        }),
      );
    expect(await refusalOf(invite(await newCluster(other)))).toBe('cluster_unknown');
    const clusterRoles = [{ clusterId: await newCluster(tenant), role: 'operator' }];
    const { id: invitationId } = await invite(clusterRoles[0]?.clusterId ?? '');
    const mail = await plane.database.mail.findFirstOrThrow({ where: { toAddress: user.email } });
    expect(await tenant.run(listInvitations)).toMatchObject([{ role: 'none', clusterRoles }]);
    expect(await refusalOf(accept(user, { invitationId }))).toBe('invitation_needs_link');
    await accept(user, { token: new URL(mail.link ?? '').hash.slice(1) });
    expect(await tenant.run(listMembers)).toMatchObject([{ role: 'owner' }, { role: 'none', clusterRoles }]);
  });

  test('opened by ten concurrent requests makes one member', async () => {
    const tenant = await plane.newTenant();
    const user = await plane.newUser();
    const { token } = await invite(tenant, user.email);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => accept(user, { token })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await tenant.run(listMembers)).toHaveLength(2);
  });

  // Servers never receive what follows the #.
  test('keeps its token after the # and stores only a hash', async () => {
    const tenant = await plane.newTenant();
    const { link, token } = await invite(tenant, 'hash@example.com');
    expect(link.origin + link.pathname + link.search).toBe(`${WEB_URL}/invitation`);
    const rows = JSON.stringify(await plane.database.invitation.findMany());
    expect(token.length).toBeGreaterThan(30);
    expect(rows).not.toContain(token);
  });

  test('names its own address when used from another', async () => {
    const tenant = await plane.newTenant();
    const { token, invitation } = await invite(tenant, 'invited@example.com');
    const other = await plane.newUser();
    expect(await refusalOf(accept(other, { token }))).toBe('invitation_for_another_address');
    expect(await refusalOf(accept(other, { invitationId: invitation.id }))).toBe('invitation_not_usable');
  });

  test('stops working when expired, revoked or replaced', async () => {
    const tenant = await plane.newTenant();
    const user = await plane.newUser();
    const first = await invite(tenant, user.email);
    const tooLate = new Date(Date.now() + INVITATION_LIFETIME_MS + 1_000);
    expect(await refusalOf(accept(user, { token: first.token }, tooLate))).toBe('invitation_not_usable');

    const second = await invite(tenant, user.email);
    expect(await refusalOf(accept(user, { token: first.token }))).toBe('invitation_not_usable');
    expect(await tenant.run(listInvitations)).toHaveLength(1);

    await tenant.run((scope) => revokeInvitation(scope, { invitationId: second.invitation.id }));
    expect(await refusalOf(accept(user, { token: second.token }))).toBe('invitation_not_usable');
  });
});

describe('without the link', () => {
  test('a user who signs up finds and accepts the invitation', async () => {
    const tenant = await plane.newTenant();
    const user = await plane.newUser();
    const { invitation } = await invite(tenant, user.email);
    const waiting = await inTransaction(plane.database, (tx) =>
      listReceivedInvitations(tx, { userId: user.id, now: new Date() }),
    );
    expect(waiting).toMatchObject([{ id: invitation.id, organizationName: 'Acme', role: 'viewer' }]);
    await accept(user, { invitationId: invitation.id });
    expect(await tenant.run(listMembers)).toHaveLength(2);
  });

  test('a role above viewer is not given', async () => {
    const tenant = await plane.newTenant();
    const user = await plane.newUser();
    const { invitation, token } = await invite(tenant, user.email, 'admin');
    expect(await refusalOf(accept(user, { invitationId: invitation.id }))).toBe('invitation_needs_link');
    const waiting = await inTransaction(plane.database, (tx) =>
      listReceivedInvitations(tx, { userId: user.id, now: new Date() }),
    );
    expect(waiting).toMatchObject([{ id: invitation.id, role: 'admin', needsLink: true }]);
    await accept(user, { token });
    expect(await tenant.run(listMembers)).toMatchObject([{ role: 'owner' }, { role: 'admin' }]);
  });
});

describe('inviting', () => {
  test('is refused for members and for roles above one’s own', async () => {
    const tenant = await plane.newTenant();
    const admin = await plane.newMember(tenant, 'admin');
    const viewer = await plane.newMember(tenant, 'viewer');
    const email = 'new@example.com';
    const asAdmin = (role: 'owner' | 'viewer', to: string) =>
      admin.run((scope) => inviteMember(scope, WEB_URL, { email: to, role }));
    expect(await refusalOf(asAdmin('viewer', viewer.email))).toBe('already_member');
    expect(await refusalOf(asAdmin('owner', email))).toBe('role_out_of_reach');
    const asViewer = viewer.run((scope) => inviteMember(scope, WEB_URL, { email, role: 'viewer' }));
    expect(await refusalOf(asViewer)).toBe('role_out_of_reach');
  });

  test('a name with line breaks adds no line to the mail', async () => {
    const tenant = await plane.newTenant();
    await plane.database.organization.update({
      where: { id: tenant.organizationId },
      data: { name: 'Acme\r\nBcc: everybody@example.com' },
    });
    await invite(tenant, 'lines@example.com');
    const mail = await plane.database.mail.findFirstOrThrow({ where: { toAddress: 'lines@example.com' } });
    expect(mail.subject).toBe('You’re invited to Acme Bcc: everybody[at]example[.]com on Penstock');
    expect(mail.text).not.toMatch(/^Bcc/m);
  });

  test('an organization can send a hundred invitations a day', async () => {
    const tenant = await plane.newTenant();
    const { organizationId, userId } = tenant;
    await plane.database.invitation.createMany({
      data: Array.from({ length: 100 }, (_, index) => ({
        id: `${organizationId}-${index}`,
        organizationId,
        email: `crowd-${index}@example.com`,
        role: 'viewer',
        status: 'revoked',
        expiresAt: new Date(),
        inviterId: userId,
      })),
    });
    const one = tenant.run((scope) => inviteMember(scope, WEB_URL, { email: 'more@example.com', role: 'viewer' }));
    expect(await refusalOf(one)).toBe('invitation_limit');
  });

  test('each step writes its audit row', async () => {
    const tenant = await plane.newTenant();
    const user = await plane.newUser();
    const { token } = await invite(tenant, user.email);
    await accept(user, { token });
    const actions = (await plane.auditOf(tenant)).map(({ action }) => action);
    expect(actions).toEqual(['organization.create', 'invitation.create', 'invitation.accept']);
  });
});
