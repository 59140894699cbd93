// Organizations that demand two-factor sign-in of their members.
import { type AuthSession, requireAccess } from '@penstock/identity';
import { TRPCError } from '@trpc/server';
import { expect, test } from 'vitest';
import { setUpInstallation } from '../testing/installation.ts';

const installation = setUpInstallation();

async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) => {
      const cause = error instanceof TRPCError ? error.cause : error;
      return cause instanceof Error && 'code' in cause ? String(cause.code) : 'something else';
    },
  );
}

async function setTwoFactor({ user }: AuthSession, twoFactorEnabled: boolean): Promise<void> {
  await installation.database.user.update({ where: { id: user.id }, data: { twoFactorEnabled } });
}

/** An owner with a second factor, another without, and a viewer without; the organization demands one. */
async function demandingOrganization() {
  const organizationId = await installation.newOrganization();
  const [owner, other, viewer] = await Promise.all(
    (['owner', 'owner', 'viewer'] as const).map((role) => installation.newPerson({ organizationId, role })),
  );
  if (owner === undefined || other === undefined || viewer === undefined) {
    throw new Error('There are three.');
  }
  await setTwoFactor(owner, true);
  await installation.caller(owner).organization.setTwoFactorDemand({ isRequired: true });
  return { organizationId, owner, other, viewer };
}

test('admits members and owners once they have set it up', async () => {
  const { organizationId, owner, other, viewer } = await demandingOrganization();
  expect(await refusalOf(installation.caller(owner).cluster.list())).toBe('ok');
  for (const person of [other, viewer]) {
    const api = installation.caller(person);
    expect(await refusalOf(api.cluster.list())).toBe('two_factor_required');
    expect(await api.session.get()).toMatchObject({
      organization: null,
      closed: { behindSso: [], behindTwoFactor: [{ organizationId }] },
    });
    // Their own account stays open: that is where they set it up.
    expect(await refusalOf(api.account.security())).toBe('ok');
    await setTwoFactor(person, true);
    expect(await refusalOf(installation.caller(person).cluster.list())).toBe('ok');
    await setTwoFactor(person, false);
    expect(await refusalOf(installation.caller(person).cluster.list())).toBe('two_factor_required');
  }
});

// The provider asks for its own second factor.
test('exempts sessions of an identity provider', async () => {
  const { organizationId, viewer } = await demandingOrganization();
  expect(await refusalOf(installation.caller({ ...viewer, ssoOrganizationId: organizationId }).cluster.list())).toBe(
    'ok',
  );
});

test('open streams also lose access', async () => {
  const { organizationId, viewer } = await demandingOrganization();
  const stream = { sessionId: viewer.sessionId, userId: viewer.user.id, organizationId };
  const check = () => requireAccess(installation.database, { ...stream, permission: 'cluster:read' }, new Date());
  expect(await refusalOf(check())).toBe('membership_ended');
  await setTwoFactor(viewer, true);
  expect(await refusalOf(check())).toBe('ok');
});

// For two-factor sign-in and for single sign-on.
test('only those who meet a requirement can impose it', async () => {
  const organizationId = await installation.newOrganization();
  const owner = await installation.newPerson({ organizationId, role: 'owner' });
  const api = installation.caller(owner);
  const connection = { issuer: 'https://login.example.com', clientId: 'penstock', clientSecret: 'secret' };
  const demandSso = () => api.sso.update({ ...connection, isRequired: true });
  expect(await refusalOf(api.organization.setTwoFactorDemand({ isRequired: true }))).toBe('two_factor_missing');
  expect(await refusalOf(demandSso())).toBe('two_factor_missing');
  expect(await api.organization.twoFactorDemand()).toEqual({
    isRequired: false,
    membersWithout: [owner.user.email],
  });
  await setTwoFactor(owner, true);
  // It still has to be tested, but that is another refusal.
  expect(await refusalOf(demandSso())).not.toBe('two_factor_missing');
  expect(await api.organization.setTwoFactorDemand({ isRequired: true })).toEqual({
    isRequired: true,
    membersWithout: [],
  });
});

test('an invitation is accepted without it, and says what is due', async () => {
  const { organizationId, owner } = await demandingOrganization();
  const guest = await installation.newPerson();
  await installation.database.user.update({ where: { id: guest.user.id }, data: { emailVerified: true } });
  const { id: invitationId } = await installation
    .caller(owner)
    .invitation.create({ email: guest.user.email, role: 'viewer' });
  const api = installation.caller(guest);
  expect(await api.invitation.accept({ invitationId })).toEqual({ organizationId, isTwoFactorDue: true });
  expect(await refusalOf(installation.caller(guest, undefined, organizationId).cluster.list())).toBe(
    'two_factor_required',
  );
});
