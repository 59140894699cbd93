// Single sign-on from the first click to the session, over HTTP with a provider that has real keys, on a real
// PostgreSQL.
import { createSecretBox, newId } from '@penstock/platform';
import { inTransaction } from '@penstock/tenancy';
import { refusalOf, setUpControlPlane, type TestOrganization } from '@penstock/tenancy/testing';
import { DAY_MS, HOUR_MS } from '@penstock/units';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireAccess } from '../access/require-access.ts';
import { inviteMember } from '../invitation/invite-member.ts';
import { revokeInvitation } from '../invitation/revoke-invitation.ts';
import { leaveOrganization } from '../member/leave-organization.ts';
import { removeMember } from '../member/remove-member.ts';
import { listClosedMemberships, listMemberships } from '../organization/list-memberships.ts';
import { createScimUser, updateScimUser } from '../scim/provision-users.ts';
import { type Browser, ROOT_SECRETS, setUpAccounts } from '../testing/accounts.ts';
import { checkSsoDomains } from './check-domains.ts';
import { type LookUpTxt, lookUpWith, type RecordState } from './domain-record.ts';
import { addSsoDomain, removeSsoDomain, verifySsoDomain } from './sso-domains.ts';
import { getSso, removeSso, type SsoChange, updateSso } from './sso-settings.ts';
import {
  type Bend,
  CLIENT_ID,
  CLIENT_SECRET,
  type OpenIdStandIn,
  startOpenIdStandIn,
} from './testing/openid-stand-in.ts';
import { passTest } from './testing/pass-test.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);
const tools = { secretBox: createSecretBox(ROOT_SECRETS), policy: { isLoopbackAllowed: true, allowedPorts: [443] } };
let provider: OpenIdStandIn;

beforeAll(async () => {
  provider = await startOpenIdStandIn();
});
afterAll(() => provider.close());

const settings = (changes: Partial<SsoChange> = {}): SsoChange => ({
  issuer: provider.issuer,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  defaultRole: 'viewer',
  isRequired: false,
  ...changes,
});

async function verified(tenant: TestOrganization, domain: string) {
  const { id, recordText } = await tenant.run((scope) => addSsoDomain(scope, { domain }));
  return verifySsoDomain(
    { read: tenant.run, change: tenant.run, onVerified: async () => {} },
    { domainId: id },
    answering([[recordText]]),
  );
}

/** A DNS that returns these TXT records for every name. */
const answering =
  (records: string[][]): LookUpTxt =>
  (record) =>
    lookUpWith(async () => records, record);

/** An organization whose members sign in with addresses of its own domain. */
async function newOrganization({ isRequired = false, ...changes }: Partial<SsoChange> = {}) {
  const tenant = await plane.newTenant();
  await tenant.run((scope) => updateSso(scope, settings(changes), tools));
  if (isRequired) {
    await tenant.run(passTest);
    await tenant.run((scope) => updateSso(scope, { isRequired }, tools));
  }
  const domain = `${newId()}.example`;
  await verified(tenant, domain);
  return { tenant, domain, email: `ada@${domain}` };
}

async function setOut(browser: Browser, email: string): Promise<string> {
  const answer = await browser.post('/sso/start', { email, next: '/app/audit?actor=ada+lovelace' });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { url: string }).url;
}

/** From the sign-in page to the browser's final page. */
async function signIn(email: string, claims: Record<string, unknown> = {}, bend: Bend = {}) {
  const browser = accounts.newBrowser();
  const url = await setOut(browser, email);
  const said = { sub: `subject of ${email}`, email, email_verified: true, name: 'Ada Park', ...claims };
  const answer = await browser.open(provider.approve(url, said, bend));
  return { browser, ended: new URL(answer.headers.get('location') ?? '').pathname, at: answer.headers.get('location') };
}

const refusedAt = (code: string) => `http://localhost:3000/sign-in/sso?refused=${code}`;
const sessionOf = async (browser: Browser) => accounts.auth.getSession(browser.headers);
const membershipsOf = (userId: string, ssoOrganizationId: string | null = null) =>
  inTransaction(plane.database, (tx) => listMemberships(tx, userId, ssoOrganizationId));

describe('a sign-in', () => {
  test('creates the user and membership once', async () => {
    const { tenant, email } = await newOrganization();
    const first = await signIn(email);
    expect(first.ended).toBe('/app/audit');
    const session = await sessionOf(first.browser);
    expect(session).toMatchObject({ user: { email, name: 'Ada Park' }, ssoOrganizationId: tenant.organizationId });
    expect(await membershipsOf(session?.user.id ?? '')).toMatchObject([{ role: 'viewer' }]);
    const second = await signIn(email.toUpperCase(), { email });
    expect((await sessionOf(second.browser))?.user.id).toBe(session?.user.id);
    const audited = (await plane.auditOf(tenant)).map(({ action }) => action);
    expect(audited.filter((action) => action === 'member.provision')).toHaveLength(1);
    expect(audited.filter((action) => action === 'account.sign-in')).toHaveLength(2);
  });

  test('opens the existing account with the same verified address', async () => {
    const { tenant, domain } = await newOrganization();
    const email = `lin@${domain}`;
    await accounts.signedUp(email);
    const { browser } = await signIn(email);
    expect((await sessionOf(browser))?.user.email).toBe(email);
    expect(await plane.database.user.count({ where: { email } })).toBe(1);
    expect(await plane.database.member.count({ where: { organizationId: tenant.organizationId } })).toBe(2);
  });

  test.each<[string, string, Record<string, unknown>, Bend]>([
    ['an unverified address', 'sso_email_unverified', { email_verified: false }, {}],
    ['an address that is unverified in text', 'sso_email_unverified', { email_verified: 'false' }, {}],
    [
      'an address of another domain of which nothing is said',
      'sso_domain_foreign',
      { email: 'eve@elsewhere.example', email_verified: undefined },
      {},
    ],
    ['no address', 'sso_email_missing', { email: undefined }, {}],
    ['an address of another domain', 'sso_domain_foreign', { email: 'eve@elsewhere.example' }, {}],
    ['another nonce', 'sso_answer_refused', {}, { nonce: 'another' }],
    ['another audience', 'sso_answer_refused', {}, { audience: 'another-client' }],
    ['another issuer', 'sso_answer_refused', {}, { issuer: 'https://elsewhere.example' }],
    ['a token whose time is over', 'sso_answer_refused', {}, { expiresInS: -120 }],
    ['a signature by a key that is not the provider’s', 'sso_answer_refused', {}, { isForged: true }],
  ])('with %s opens nothing and creates no user', async (_what, code, claims, bend) => {
    const { tenant, email } = await newOrganization();
    const { browser, at } = await signIn(email, claims, bend);
    expect(at).toBe(refusedAt(code));
    expect(await sessionOf(browser)).toBeNull();
    expect(await plane.database.member.count({ where: { organizationId: tenant.organizationId } })).toBe(1);
    expect(await plane.database.user.count({ where: { email } })).toBe(0);
  });

  test('can be completed once, in the browser that began it', async () => {
    const { email } = await newOrganization();
    const [browser, thief] = [accounts.newBrowser(), accounts.newBrowser()];
    const claims = { sub: 'ada', email, email_verified: true };
    const stolen = provider.approve(await setOut(browser, email), claims);
    expect((await thief.open(stolen)).headers.get('location')).toBe(refusedAt('sso_state_unknown'));
    expect((await browser.open(stolen)).headers.get('location')).toBe(refusedAt('sso_state_unknown'));

    const back = provider.approve(await setOut(browser, email), claims);
    expect((await browser.open(back)).headers.get('location')).toBe(
      'http://localhost:3000/app/audit?actor=ada+lovelace',
    );
    expect((await browser.open(back)).headers.get('location')).toBe(refusedAt('sso_state_unknown'));
    expect((await browser.open(`${back}x`)).headers.get('location')).toBe(refusedAt('sso_state_unknown'));
  });

  test('with an unverified domain does not begin or redirect', async () => {
    const { tenant, email } = await newOrganization();
    await tenant.run((scope) => addSsoDomain(scope, { domain: 'claimed.example' }));
    for (const other of ['ada@claimed.example', 'ada@nobody.example', 'nonsense', '@']) {
      const answer = await accounts.newBrowser().post('/sso/start', { email: other });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'SSO_NOT_CONFIGURED']);
    }
    const browser = accounts.newBrowser();
    const started = await browser.post('/sso/start', { email, next: '//evil.example/app' });
    const { url } = (await started.json()) as { url: string };
    const back = provider.approve(url, { sub: 'ada', email, email_verified: true });
    expect((await browser.open(back)).headers.get('location')).toBe('http://localhost:3000/app');
  });
});

describe('a member whom the provider deactivated by SCIM', () => {
  const provisioned = (tenant: TestOrganization, address: string, isActive: boolean) =>
    inTransaction(plane.database, async (tx) => {
      const actor = { type: 'system', id: null, label: 'SCIM token', source: 'api' } as const;
      const scope = { tx, organizationId: tenant.organizationId, actor, now: new Date() };
      const names = { displayName: null, formattedName: null, givenName: null, familyName: null };
      const facts = { userName: address, addresses: [address], externalId: null, ...names, isActive };
      const known = await tx.scimUser.findFirst({ where: { organizationId: tenant.organizationId } });
      return known === null ? createScimUser(scope, facts) : updateScimUser(scope, known.userId, () => facts);
    });

  test('stays out until the provider activates them again', async () => {
    const { tenant, email } = await newOrganization();
    const { id } = await provisioned(tenant, email, true);
    const first = await signIn(email);
    expect((await sessionOf(first.browser))?.user.id).toBe(id);
    await provisioned(tenant, email, false);
    expect(await sessionOf(first.browser)).toBeNull();
    expect((await signIn(email)).at).toBe(refusedAt('sso_member_deprovisioned'));
    expect(await membershipsOf(id)).toEqual([]);
    await provisioned(tenant, email, true);
    expect((await signIn(email)).ended).toBe('/app/audit');
  });

  test('is let in again by a person, through an invitation', async () => {
    const { tenant, email } = await newOrganization();
    const { id } = await provisioned(tenant, email, true);
    await provisioned(tenant, email, false);
    await tenant.run((scope) => inviteMember(scope, 'http://localhost:3000', { email, role: 'viewer' }));
    expect((await signIn(email)).ended).toBe('/app/audit');
    expect(await membershipsOf(id)).toHaveLength(1);
    const row = await plane.database.scimUser.findFirstOrThrow({ where: { userId: id } });
    expect(row.isActive).toBe(true);
  });

  // So that ending one ends both.
  test('remains one person when the provider renames them', async () => {
    const { tenant, domain, email } = await newOrganization();
    const { id } = await provisioned(tenant, email, true);
    await provisioned(tenant, `lovelace@${domain}`, true);
    const { browser } = await signIn(`lovelace@${domain}`);
    expect((await sessionOf(browser))?.user.id).toBe(id);
  });
});

describe('a confirmation through the provider', () => {
  async function signedInLongAgo() {
    const { email } = await newOrganization();
    const { browser } = await signIn(email);
    const sessionId = (await sessionOf(browser))?.sessionId ?? '';
    await plane.database.session.update({
      where: { id: sessionId },
      data: { createdAt: new Date(Date.now() - HOUR_MS) },
    });
    const confirm = async (claims: Record<string, unknown>) => {
      const begun = await browser.post('/sso/confirm', {});
      expect(begun.status).toBe(200);
      const { url } = (await begun.json()) as { url: string };
      const said = { sub: `subject of ${email}`, email, email_verified: true, ...claims };
      const answer = await browser.open(provider.approve(url, said));
      const confirmedAt = (await sessionOf(browser))?.confirmedAt.getTime() ?? 0;
      return { url, at: answer.headers.get('location'), isConfirmed: confirmedAt > Date.now() - 60_000 };
    };
    return { email, confirm };
  }
  const nowS = () => Math.floor(Date.now() / 1_000);

  test('asks the provider again and counts once on its word', async () => {
    const { confirm } = await signedInLongAgo();
    const { url, at, isConfirmed } = await confirm({ auth_time: nowS() });
    expect(new URL(url).searchParams.get('prompt')).toBe('login');
    expect(new URL(url).searchParams.get('max_age')).toBe('0');
    expect(at).toBe('http://localhost:3000/sign-in/sso/confirmed');
    expect(isConfirmed).toBe(true);
  });

  test.each([
    ['by somebody else', () => ({ auth_time: nowS(), sub: 'somebody else' }), 'sso_confirmation_other_person'],
    ['without the time of the sign-in', () => ({}), 'sso_confirmation_undated'],
    ['with a text as the time', () => ({ auth_time: String(nowS()) }), 'sso_answer_refused'],
    ['with an older sign-in', () => ({ auth_time: nowS() - 120 }), 'sso_confirmation_stale'],
  ])('%s does not count', async (_what, claims, code) => {
    const { confirm } = await signedInLongAgo();
    expect(await confirm(claims())).toMatchObject({ at: refusedAt(code), isConfirmed: false });
  });

  test('is for sessions that a provider opened', async () => {
    const { browser } = await accounts.signedUp();
    expect((await browser.post('/sso/confirm', {})).status).toBe(403);
    expect((await accounts.newBrowser().post('/sso/confirm', {})).status).toBe(401);
  });
});

describe('provisioned groups', () => {
  // Once one of them is mapped.
  test('decide the role instead of the provider’s claim', async () => {
    const { tenant, email } = await newOrganization({ groupRoles: [{ group: 'Admins', role: 'admin' }] });
    const first = await signIn(email, { groups: ['Admins'] });
    const userId = (await sessionOf(first.browser))?.user.id ?? '';
    expect(await membershipsOf(userId)).toMatchObject([{ role: 'admin' }]);
    const { organizationId } = tenant;
    await plane.database.scimGroup.create({
      data: { id: newId(), organizationId, displayName: 'Admins', updatedAt: new Date() },
    });
    await signIn(email, { groups: ['Admins'] });
    expect(await membershipsOf(userId)).toMatchObject([{ role: 'viewer' }]);
  });
});

describe('a member who was removed', () => {
  test('stays out of single sign-on until invited again', async () => {
    const { tenant, email } = await newOrganization();
    const { browser } = await signIn(email);
    const userId = (await sessionOf(browser))?.user.id ?? '';
    await tenant.run((scope) => removeMember(scope, { userId }));
    expect(await membershipsOf(userId, tenant.organizationId)).toEqual([]);

    const again = await signIn(email);
    expect(again.at).toBe(refusedAt('sso_member_removed'));
    expect(await sessionOf(again.browser)).toBeNull();
    expect(await membershipsOf(userId)).toEqual([]);

    const invite = () => tenant.run((scope) => inviteMember(scope, 'http://localhost', { email, role: 'billing' }));
    const { id: invitationId } = await invite();
    await tenant.run((scope) => revokeInvitation(scope, { invitationId }));
    expect((await signIn(email)).at).toBe(refusedAt('sso_member_removed'));
    await invite();
    expect((await signIn(email)).ended).toBe('/app/audit');
    expect(await membershipsOf(userId)).toMatchObject([{ organizationId: tenant.organizationId, role: 'viewer' }]);
  });

  test('may come back after leaving on their own', async () => {
    const { tenant, email } = await newOrganization();
    const { browser } = await signIn(email);
    const userId = (await sessionOf(browser))?.user.id ?? '';
    const actor = { type: 'user', id: userId, label: email, source: 'web' } as const;
    await inTransaction(plane.database, (tx) =>
      leaveOrganization({ tx, organizationId: tenant.organizationId, actor, now: new Date() }),
    );
    expect((await signIn(email)).ended).toBe('/app/audit');
  });
});

describe('a single sign-on session', () => {
  test('opens only the organization whose provider authenticated it', async () => {
    const { tenant, email } = await newOrganization();
    const { browser } = await signIn(email);
    const session = await sessionOf(browser);
    const userId = session?.user.id ?? '';
    const other = await plane.newTenant();
    const where = { organizationId: other.organizationId, userId };
    await plane.database.member.create({ data: { id: newId(), ...where, role: 'owner' } });
    const opened = await membershipsOf(userId, session?.ssoOrganizationId);
    expect(opened.map(({ organizationId }) => organizationId)).toEqual([tenant.organizationId]);
    const access = { sessionId: session?.sessionId ?? '', userId, permission: 'cluster:read' as const };
    await requireAccess(plane.database, { ...access, organizationId: tenant.organizationId }, new Date());
    const refused = requireAccess(plane.database, { ...access, organizationId: other.organizationId }, new Date());
    expect(await refusalOf(refused)).toBe('membership_ended');
  });

  test('expires after a day, whatever the browser keeps', async () => {
    const { email } = await newOrganization();
    const { browser } = await signIn(email);
    const id = (await sessionOf(browser))?.sessionId ?? '';
    const later = { createdAt: new Date(Date.now() - DAY_MS), expiresAt: new Date(Date.now() + DAY_MS) };
    await plane.database.session.update({ where: { id }, data: later });
    expect(await sessionOf(browser)).toBeNull();
  });

  test('can add neither a passkey nor a second factor', async () => {
    const { email } = await newOrganization();
    const { browser } = await signIn(email);
    const added = await browser.open('http://localhost:3000/api/auth/passkey/generate-register-options');
    expect(added.status).toBe(403);
    for (const path of ['/passkey/verify-registration', '/two-factor/enable', '/change-password']) {
      expect((await browser.post(path)).status).toBe(403);
    }
    expect((await browser.post('/sign-out')).status).toBe(200);
  });
});

// Others, and owners with a second factor, need not use it.
test('is required from members of its domains, with exceptions', async () => {
  const { tenant, domain } = await newOrganization({ isRequired: true });
  const join = async (email: string, role: string) => {
    const { id } = await plane.database.user.create({
      data: { id: newId(), email, name: 'Test', emailVerified: true },
    });
    const where = { organizationId: tenant.organizationId, userId: id };
    await plane.database.member.create({ data: { id: newId(), ...where, role } });
    return id;
  };
  const [bound, owner, guest] = [
    await join(`a@${domain}`, 'admin'),
    await join(`b@${domain}`, 'owner'),
    await join(`c@guest-of-${domain}`, 'viewer'),
  ];
  expect(await membershipsOf(bound)).toEqual([]);
  const closedTo = (userId: string) => inTransaction(plane.database, (tx) => listClosedMemberships(tx, userId));
  const ours = { organizationId: tenant.organizationId };
  expect(await closedTo(bound)).toMatchObject({ behindSso: [ours], behindTwoFactor: [] });
  expect(await membershipsOf(bound, tenant.organizationId)).toHaveLength(1);
  expect(await membershipsOf(owner)).toEqual([]);
  expect(await closedTo(owner)).toMatchObject({ behindSso: [ours] });
  const withTwoFactor = { data: { twoFactorEnabled: true } };
  await plane.database.user.update({ where: { id: owner }, ...withTwoFactor });
  await plane.database.user.update({ where: { id: bound }, ...withTwoFactor });
  expect(await membershipsOf(owner)).toHaveLength(1);
  expect(await membershipsOf(bound)).toEqual([]);
  expect(await membershipsOf(guest)).toHaveLength(1);
});

describe('the settings', () => {
  test('keep the client secret encrypted and hidden', async () => {
    const { tenant } = await newOrganization();
    const row = await plane.database.ssoConnection.findUniqueOrThrow({
      where: { organizationId: tenant.organizationId },
    });
    expect(Buffer.from(row.clientSecret).toString('latin1')).not.toContain(CLIENT_SECRET);
    const told = JSON.stringify([await tenant.run(getSso), await plane.auditOf(tenant)]);
    expect(told).not.toContain(CLIENT_SECRET);
    const other = await newOrganization();
    const moved = { clientSecret: row.clientSecret };
    await plane.database.ssoConnection.update({ where: { organizationId: other.tenant.organizationId }, data: moved });
    const answer = await accounts.newBrowser().post('/sso/start', { email: other.email });
    expect(((await answer.json()) as { code: string }).code).toBe('SSO_SECRET_UNREADABLE');
  });

  test('bind a secret to the provider that it was entered for', async () => {
    const { tenant } = await newOrganization();
    const keep = (changes: Partial<SsoChange>) =>
      tenant.run((scope) => updateSso(scope, settings({ clientSecret: null, ...changes }), tools));
    expect((await keep({ defaultRole: 'billing' })).connection?.defaultRole).toBe('billing');
    expect(await refusalOf(keep({ issuer: 'https://elsewhere.example' }))).toBe('sso_secret_missing');
  });

  test('keep omitted values, and a first connection needs all', async () => {
    const { tenant } = await newOrganization({ defaultRole: 'billing' });
    expect(await refusalOf(tenant.run((scope) => updateSso(scope, { isRequired: true }, tools)))).toBe(
      'sso_test_missing',
    );
    await tenant.run(passTest);
    const { connection } = await tenant.run((scope) => updateSso(scope, { isRequired: true }, tools));
    expect(connection).toMatchObject({
      issuer: provider.issuer,
      clientId: CLIENT_ID,
      defaultRole: 'billing',
      isRequired: true,
    });
    const other = await plane.newTenant();
    const first = (changes: SsoChange) => refusalOf(other.run((scope) => updateSso(scope, changes, tools)));
    expect(await first({ isRequired: true })).toBe('sso_connection_incomplete');
    expect(await first({ issuer: provider.issuer, clientId: CLIENT_ID })).toBe('sso_secret_missing');
  });

  test.each([
    'ftp://login.example.com',
    'http://login.example.com',
    'https://10.0.0.1',
    'https://a@b.example',
    'x',
    // Entra ID for every tenant, where anybody could claim any address.
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/Organizations/v2.0',
    'https://login.microsoftonline.us/consumers/v2.0',
    'https://login.microsoftonline.com/9188040d-6c67-4b7f-9dd1-97a35d6a0f5a/v2.0',
  ])('the issuer %s is refused', async (issuer) => {
    const tenant = await plane.newTenant();
    expect(await refusalOf(tenant.run((scope) => updateSso(scope, settings({ issuer }), tools)))).toBe(
      'sso_issuer_refused',
    );
  });

  test('a provider inside our own network is not called', async () => {
    const tenant = await plane.newTenant();
    const outside = { ...tools, policy: { isLoopbackAllowed: false, allowedPorts: [443] } };
    expect(await refusalOf(tenant.run((scope) => updateSso(scope, settings(), outside)))).toBe('sso_issuer_refused');
  });

  test('a domain belongs to one organization that controls its DNS', async () => {
    const { tenant, domain } = await newOrganization();
    const other = await plane.newTenant();
    const claimed = await other.run((scope) => addSsoDomain(scope, { domain }));
    const verify = (records: string[][]) =>
      verifySsoDomain(
        { read: other.run, change: other.run, onVerified: async () => {} },
        { domainId: claimed.id },
        answering(records),
      );
    expect(await refusalOf(verify([['something else']]))).toBe('sso_domain_record_missing');
    expect(await refusalOf(verify([[claimed.recordText]]))).toBe('sso_domain_taken');
    const [own] = (await tenant.run(getSso)).domains;
    expect(await refusalOf(other.run((scope) => removeSsoDomain(scope, { domainId: own?.id ?? '' })))).toBe(
      'sso_domain_not_found',
    );
    await tenant.run((scope) => removeSsoDomain(scope, { domainId: own?.id ?? '' }));
    expect((await verify([['x'], [claimed.recordText.slice(0, 9), claimed.recordText.slice(9)]])).verifiedAt).not.toBe(
      null,
    );
  });

  test('removing the connection stops sign-ins, even under way', async () => {
    const { tenant, email } = await newOrganization();
    const browser = accounts.newBrowser();
    const back = provider.approve(await setOut(browser, email), { sub: 'ada', email, email_verified: true });
    await tenant.run(removeSso);
    expect((await browser.open(back)).headers.get('location')).toBe(refusedAt('sso_not_configured'));
    expect((await browser.post('/sso/start', { email })).status).toBe(404);
  });
});

describe('a verified domain is checked each day', () => {
  // It is reported at once. A DNS failure proves nothing.
  test('a missing record ends the verification after a week', async () => {
    const { tenant, domain } = await newOrganization();
    const start = Date.now();
    const checkOnDay = async (day: number, state: RecordState) => {
      // Only for this domain: other tests have their own.
      const lookUp: LookUpTxt = async ({ recordName }) => (recordName === `_penstock.${domain}` ? state : 'there');
      await checkSsoDomains(plane.worker, new Date(start + day * DAY_MS + 60_000), { webUrl: undefined, lookUp });
      const [view] = (await tenant.run(getSso)).domains;
      return { isVerified: view?.verifiedAt !== null, missingSince: view?.missingSince ?? null };
    };
    const mails = async () => {
      const { email } = await plane.database.user.findUniqueOrThrow({ where: { id: tenant.userId } });
      const rows = await plane.database.mail.findMany({ where: { toAddress: email }, orderBy: { id: 'asc' } });
      return rows.map(({ subject }) => subject);
    };
    const dayText = (day: number) => new Date(start + day * DAY_MS + 60_000);
    expect(await checkOnDay(0, 'gone')).toEqual({ isVerified: true, missingSince: null });
    expect(await checkOnDay(1, 'gone')).toEqual({ isVerified: true, missingSince: dayText(1) });
    expect(await checkOnDay(2, 'there')).toEqual({ isVerified: true, missingSince: null });
    expect(await checkOnDay(3, 'gone')).toEqual({ isVerified: true, missingSince: dayText(3) });
    expect(await checkOnDay(4, 'unknown')).toEqual({ isVerified: true, missingSince: dayText(3) });
    expect(await checkOnDay(9, 'gone')).toEqual({ isVerified: true, missingSince: dayText(3) });
    expect(await checkOnDay(10, 'unknown')).toEqual({ isVerified: true, missingSince: dayText(3) });
    expect(await mails()).toEqual(Array(2).fill(`The DNS record of ${domain} is missing (Penstock)`));
    expect(await checkOnDay(11, 'gone')).toEqual({ isVerified: false, missingSince: null });
    expect((await mails()).at(-1)).toBe(`${domain} is no longer verified (Penstock)`);
    expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({ action: 'sso.lose-domain', before: { domain } });
    expect(await checkOnDay(12, 'gone')).toEqual({ isVerified: false, missingSince: null });
    expect(await mails()).toHaveLength(3);
  });

  test('an owner can have a restored record checked at once', async () => {
    const { tenant } = await newOrganization();
    const [known] = (await tenant.run(getSso)).domains;
    const domainId = known?.id ?? '';
    await plane.database.ssoDomain.update({ where: { id: domainId }, data: { missingSince: new Date() } });
    const check = (records: string[][]) =>
      verifySsoDomain(
        { read: tenant.run, change: tenant.run, onVerified: async () => {} },
        { domainId },
        answering(records),
      );
    expect(await refusalOf(check([]))).toBe('sso_domain_record_missing');
    expect(await check([[known?.recordText ?? '']])).toMatchObject({
      verifiedAt: known?.verifiedAt,
      missingSince: null,
    });
  });

  test.each([
    ['ENOTFOUND', 'gone'],
    ['ENODATA', 'gone'],
    ['ESERVFAIL', 'unknown'],
    ['ETIMEOUT', 'unknown'],
  ])('%s from the DNS means that the record is %s', async (code, state) => {
    const resolve = () => Promise.reject(Object.assign(new Error(code), { code }));
    expect(await lookUpWith(resolve, { recordName: '_penstock.example.com', recordText: 'x' })).toBe(state);
  });
});
