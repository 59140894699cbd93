// Single sign-on at providers that behave as Entra ID, Okta and Google do, roles by groups, and connection tests: over
// HTTP with real keys, on a real PostgreSQL.
import { createSecretBox, newId } from '@penstock/platform';
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, PASSWORD, ROOT_SECRETS, setUpAccounts } from '../testing/accounts.ts';
import { getSso, type SsoChange, updateSso } from './sso-settings.ts';
import {
  type Bend,
  CLIENT_ID,
  CLIENT_SECRET,
  type OpenIdStandIn,
  startOpenIdStandIn,
  type Vendor,
} from './testing/openid-stand-in.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);
const tools = { secretBox: createSecretBox(ROOT_SECRETS), policy: { isLoopbackAllowed: true, allowedPorts: [443] } };
const vendors = ['entra', 'okta', 'google'] as const satisfies readonly Vendor[];
const providers = new Map<Vendor, OpenIdStandIn>();

beforeAll(async () => {
  for (const vendor of vendors) {
    providers.set(vendor, await startOpenIdStandIn(vendor));
  }
});
afterAll(() => Promise.all([...providers.values()].map((provider) => provider.close())));

function providerOf(vendor: Vendor): OpenIdStandIn {
  const provider = providers.get(vendor);
  if (provider === undefined) {
    throw new Error(`There is no provider like ${vendor}.`);
  }
  return provider;
}

const groupRoles: SsoChange['groupRoles'] = [
  { group: 'platform', role: 'admin' },
  { group: 'finance', role: 'billing' },
];

async function newOrganization(vendor: Vendor, changes: Partial<SsoChange> = {}) {
  const tenant = await plane.newTenant();
  const { organizationId } = tenant;
  const provider = providerOf(vendor);
  const connection = { issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  await tenant.run((scope) => updateSso(scope, { ...connection, ...changes }, tools));
  const domain = `${newId()}.example`;
  const facts = { id: newId(), organizationId, domain, token: 'token', verifiedAt: new Date() };
  await plane.database.ssoDomain.create({ data: facts });

  async function signIn(claims: Record<string, unknown>, bend: Bend = {}): Promise<string> {
    const browser = accounts.newBrowser();
    const started = await browser.post('/sso/start', { email: `ada@${domain}` });
    const { url } = (await started.json()) as { url: string };
    const answer = await browser.open(provider.approve(url, claims, bend));
    const at = new URL(answer.headers.get('location') ?? '');
    return at.searchParams.get('refused') ?? at.pathname;
  }

  async function rolesOf(): Promise<string[]> {
    const rows = await plane.database.member.findMany({ where: { organizationId }, orderBy: { createdAt: 'asc' } });
    return rows.map(({ role }) => role);
  }
  return { tenant, domain, email: `ada@${domain}`, provider, signIn, rolesOf };
}

/** The claims that each vendor sends about a person, as far as we use them. */
const claimsOf: Readonly<Record<(typeof vendors)[number], (email: string) => Record<string, unknown>>> = {
  entra: (email) => ({
    sub: `pairwise ${email}`,
    oid: newId(),
    preferred_username: email,
    name: 'Ada Park',
    ver: '2.0',
  }),
  okta: (email) => ({ sub: `00u ${email}`, email, email_verified: true, preferred_username: email, name: 'Ada Park' }),
  google: (email) => ({ sub: `1 ${email}`, email, email_verified: true, hd: email.split('@')[1], name: 'Ada Park' }),
};

describe.each(vendors)('a provider like %s', (vendor) => {
  test('signs people in as it is', async () => {
    const { email, signIn, rolesOf } = await newOrganization(vendor);
    expect(await signIn(claimsOf[vendor](email))).toBe('/app');
    expect(await signIn(claimsOf[vendor](email))).toBe('/app');
    expect(await rolesOf()).toEqual(['owner', 'viewer']);
    expect(await plane.database.user.findUnique({ where: { email } })).toMatchObject({ name: 'Ada Park' });
  });

  test('opens nothing with an address that it calls unverified', async () => {
    const { email, signIn, rolesOf } = await newOrganization(vendor);
    expect(await signIn({ ...claimsOf[vendor](email), email, email_verified: false })).toBe('sso_email_unverified');
    expect(await rolesOf()).toEqual(['owner']);
  });

  test('opens nothing for addresses outside verified domains', async () => {
    const { signIn } = await newOrganization(vendor);
    expect(await signIn(claimsOf[vendor]('eve@elsewhere.example'))).toBe('sso_domain_foreign');
  });
});

describe('roles by groups', () => {
  test.each(['entra', 'okta'] as const)('follow the groups at %s with each sign-in', async (vendor) => {
    const { tenant, email, signIn, rolesOf } = await newOrganization(vendor, { groupRoles });
    const claims = claimsOf[vendor](email);
    const signInWith = async (groups: unknown) => {
      expect(await signIn({ ...claims, groups })).toBe('/app');
      return (await rolesOf())[1];
    };
    expect(await signInWith(['platform', 'finance'])).toBe('admin');
    expect(await signInWith(['finance'])).toBe('billing');
    expect(await signInWith([])).toBe('viewer');
    const audited = (await plane.auditOf(tenant)).filter(({ action }) => action.startsWith('member.'));
    expect(audited.map(({ action, after }) => [action, after])).toEqual([
      ['member.provision', { email, role: 'admin', group: 'platform' }],
      ['member.change-role', { email, role: 'billing', group: 'finance' }],
      ['member.change-role', { email, role: 'viewer' }],
    ]);
  });

  test('refuse people in none of them if the organization wants so', async () => {
    const { email, signIn, rolesOf } = await newOrganization('okta', { groupRoles, isGroupRequired: true });
    expect(await signIn({ ...claimsOf.okta(email), groups: ['sales'] })).toBe('sso_group_missing');
    expect(await rolesOf()).toEqual(['owner']);
    expect(await signIn({ ...claimsOf.okta(email), groups: ['finance'] })).toBe('/app');
  });

  // As Entra ID issues them.
  test('are never guessed for tokens with too many groups', async () => {
    const { email, signIn } = await newOrganization('entra', { groupRoles });
    const overage = {
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://graph.example' } },
    };
    expect(await signIn({ ...claimsOf.entra(email), ...overage })).toBe('sso_groups_left_out');
  });

  // So that an organization keeps its last one.
  test('leave owners alone', async () => {
    const { tenant, email, signIn, rolesOf } = await newOrganization('okta', { groupRoles });
    await plane.database.user.update({ where: { id: tenant.userId }, data: { email } });
    expect(await signIn({ ...claimsOf.okta(email), groups: ['finance'] })).toBe('/app');
    expect(await rolesOf()).toEqual(['owner']);
  });

  test('are requested only where their scope exists', async () => {
    const { email } = await newOrganization('entra', { groupRoles });
    const started = await accounts.newBrowser().post('/sso/start', { email });
    const { url } = (await started.json()) as { url: string };
    expect(new URL(url).searchParams.get('scope')).toBe('openid email profile');
  });
});

describe('a connection test', () => {
  /** An owner who is signed in with a password. */
  async function ownerOf(tenant: { organizationId: string; userId: string }): Promise<Browser> {
    const { email, browser } = await accounts.signedUp();
    const { id: userId } = await plane.database.user.findUniqueOrThrow({ where: { email } });
    const { organizationId } = tenant;
    await plane.database.member.create({ data: { id: newId(), organizationId, userId, role: 'owner' } });
    await browser.post('/sign-in/email', { email, password: PASSWORD });
    return browser;
  }

  async function run(
    organization: Awaited<ReturnType<typeof newOrganization>>,
    claims: Record<string, unknown>,
    bend: Bend = {},
  ) {
    const { tenant, provider } = organization;
    const browser = await ownerOf(tenant);
    const session = (await accounts.auth.getSession(browser.headers))?.sessionId;
    const started = await browser.post('/sso/test', { organizationId: tenant.organizationId });
    expect(started.status).toBe(200);
    const { url } = (await started.json()) as { url: string | null };
    if (url !== null) {
      const answer = await browser.open(provider.approve(url, claims, bend));
      expect(answer.headers.get('location')).toBe('http://localhost:3000/sign-in/sso/tested');
    }
    expect((await accounts.auth.getSession(browser.headers))?.sessionId).toBe(session);
    const test = (await tenant.run(getSso)).connection?.test;
    return { isPassed: test?.isPassed, steps: test?.steps ?? [], last: test?.steps.at(-1) };
  }

  test('runs the whole flow without opening a session', async () => {
    const organization = await newOrganization('okta', { groupRoles });
    const { email, tenant, rolesOf } = organization;
    const { isPassed, steps } = await run(organization, { ...claimsOf.okta(email), groups: ['finance'] });
    expect(isPassed).toBe(true);
    expect(steps.map(({ name, problem }) => [name, problem])).toEqual(
      ['provider', 'keys', 'answer', 'address', 'role'].map((name) => [name, null]),
    );
    const facts = Object.fromEntries(steps.flatMap((step) => step.facts.map(({ label, value }) => [label, value])));
    expect(facts).toMatchObject({ 'Signing keys': '1', Email: email, 'Email verified': 'Yes', Role: 'billing' });
    expect(await rolesOf()).toEqual(['owner', 'owner']);
    expect(await plane.database.user.count({ where: { email } })).toBe(0);
    expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({ action: 'sso.test', after: { isPassed: true } });
  });

  test.each<[string, string, RegExp, Record<string, unknown>, Bend]>([
    ['the address is in a foreign domain', 'address', /verified domains/, { email: 'eve@elsewhere.example' }, {}],
    ['the address is unverified', 'address', /as verified/, { email_verified: false }, {}],
    ['the token is for another client', 'answer', /another issuer, client/, {}, { audience: 'other' }],
    ['the token is over', 'answer', /expired/, {}, { expiresInS: -300 }],
    ['the signature is forged', 'answer', /signature/, {}, { isForged: true }],
  ])('says so when %s', async (_what, name, message, claims, bend) => {
    const organization = await newOrganization('google');
    const said = { ...claimsOf.google(organization.email), ...claims };
    const { isPassed, last } = await run(organization, said, bend);
    expect(isPassed).toBe(false);
    expect(last?.name).toBe(name);
    expect(last?.problem?.message).toMatch(message);
    expect(last?.problem?.remedy).toMatch(/\.$/);
  });

  test('names a wrong secret’s remedy and ends at a wrong issuer', async () => {
    const wrong = await newOrganization('entra', { clientSecret: 'outdated' });
    const { last } = await run(wrong, claimsOf.entra(wrong.email));
    expect(last?.problem?.message).toMatch(/invalid_client/);
    expect(last?.problem?.remedy).toMatch(/client secret/);

    const { issuer } = providerOf('okta');
    const other = await newOrganization('okta', { issuer: issuer.replace('127.0.0.1', 'localhost') });
    const ended = await run(other, {});
    expect(ended.steps.map((step) => step.name)).toEqual(['provider']);
    expect(ended.last?.problem?.remedy).toBe(`Enter ${issuer} as the issuer.`);
  });

  test('counts only for the settings that it ran with', async () => {
    const organization = await newOrganization('okta');
    const { tenant, email } = organization;
    expect((await run(organization, claimsOf.okta(email))).isPassed).toBe(true);
    const change = (changes: SsoChange) => tenant.run((scope) => updateSso(scope, changes, tools));
    expect((await change({ isRequired: true })).connection?.test).not.toBeNull();
    expect((await change({ clientSecret: 'another' })).connection?.test).toBeNull();
  });

  test('needs the right to change single sign-on', async () => {
    const { tenant } = await newOrganization('okta');
    const { browser } = await accounts.signedUp();
    const { organizationId } = tenant;
    expect((await accounts.newBrowser().post('/sso/test', { organizationId })).status).toBe(401);
    expect((await browser.post('/sso/test', { organizationId })).status).toBe(403);
  });
});
