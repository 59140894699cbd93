// SAML sign-ins over HTTP with a provider that really signs, and the attacks that SAML is known for.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecretBox, newId } from '@penstock/platform';
import { refusalOf, setUpControlPlane } from '@penstock/tenancy/testing';
import { DAY_MS, HOUR_MS } from '@penstock/units';
import { beforeAll, describe, expect, test } from 'vitest';
import { removeMember } from '../member/remove-member.ts';
import { type Browser, PASSWORD, ROOT_SECRETS, setUpAccounts, WEB_URL } from '../testing/accounts.ts';
import { refreshSamlMetadata } from './refresh-saml-metadata.ts';
import { MAX_METADATA_LENGTH, readSamlMetadata, samlEntityId } from './saml-metadata.ts';
import { getSso, type SsoChange, updateSso } from './sso-settings.ts';
import { passTest } from './testing/pass-test.ts';
import { readSamlRequest, type SamlBend, type SamlStandIn, startSamlStandIn } from './testing/saml-stand-in.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);
const tools = { secretBox: createSecretBox(ROOT_SECRETS), policy: { isLoopbackAllowed: true, allowedPorts: [443] } };
let provider: SamlStandIn;

beforeAll(() => {
  provider = startSamlStandIn();
});

async function newOrganization(changes: Partial<SsoChange> = {}) {
  const tenant = await plane.newTenant();
  const { organizationId } = tenant;
  const settings: SsoChange = { protocol: 'saml', samlMetadata: provider.metadata(), ...changes };
  await tenant.run((scope) => updateSso(scope, settings, tools));
  const domain = `${newId()}.example`;
  const facts = { id: newId(), organizationId, domain, token: 'token', verifiedAt: new Date() };
  await plane.database.ssoDomain.create({ data: facts });
  return { tenant, domain, email: `ada@${domain}` };
}

type Posted = ReturnType<SamlStandIn['respond']>;

/** Posted by the provider's page: another origin, and no cookie. */
async function postResponse(posted: Posted): Promise<string> {
  const answer = await accounts.auth.handle(
    new Request(`${WEB_URL}/api/auth/sso/saml/acs`, {
      method: 'POST',
      headers: { origin: 'https://idp.example', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...posted }).toString(),
    }),
  );
  expect(answer.status).toBe(303);
  return answer.headers.get('location') ?? '';
}

async function requestOf(browser: Browser, email: string): Promise<string> {
  const started = await browser.post('/sso/start', { email });
  expect(started.status).toBe(200);
  return ((await started.json()) as { url: string }).url;
}

async function endOf(browser: Browser, location: string): Promise<string> {
  const ended = location.includes('/api/auth/')
    ? ((await browser.open(location)).headers.get('location') ?? '')
    : location;
  const at = new URL(ended);
  return at.searchParams.get('refused') ?? at.pathname;
}

async function signIn(email: string, bend: SamlBend = {}) {
  const browser = accounts.newBrowser();
  const posted = provider.respond(await requestOf(browser, email), email, bend);
  return { browser, posted, ended: await endOf(browser, await postResponse(posted)) };
}

const groupRoles: SsoChange['groupRoles'] = [{ group: 'platform', role: 'admin' }];
const rolesIn = async ({ organizationId }: { organizationId: string }) =>
  (await plane.database.member.findMany({ where: { organizationId }, orderBy: { createdAt: 'asc' } })).map(
    ({ role }) => role,
  );

describe('a sign-in by SAML', () => {
  test.each(['assertion', 'response'] as const)('opens the organization if the %s is signed', async (signs) => {
    const { tenant, email } = await newOrganization();
    const { browser, ended } = await signIn(email, { signs });
    expect(ended).toBe('/app');
    const session = await accounts.auth.getSession(browser.headers);
    expect(session).toMatchObject({ user: { email }, ssoOrganizationId: tenant.organizationId });
    expect((await signIn(email, { signs })).ended).toBe('/app');
    expect(await rolesIn(tenant)).toEqual(['owner', 'viewer']);
  });

  test('names the organization and reply URL as in our metadata', async () => {
    const { tenant, email } = await newOrganization();
    const url = await requestOf(accounts.newBrowser(), email);
    expect(url.startsWith(provider.signOnUrl)).toBe(true);
    const { issuer, consumerUrl } = readSamlRequest(url);
    expect(issuer).toBe(samlEntityId(WEB_URL, tenant.organizationId));
    expect(issuer).not.toContain(tenant.organizationId);
    const xml = await (await accounts.newBrowser().open(issuer)).text();
    expect(xml).toContain(`entityID="${issuer}"`);
    expect(xml).toContain(`Location="${consumerUrl}"`);
    expect(xml).toContain('WantAssertionsSigned="true"');
  });

  test('reads Entra ID’s attributes for address, name and groups', async () => {
    const { tenant, email } = await newOrganization({ groupRoles });
    const attributes = {
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': email,
      'http://schemas.microsoft.com/identity/claims/displayname': 'Ada Park',
      'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups': ['sales', 'platform'],
    };
    expect((await signIn(email, { attributes })).ended).toBe('/app');
    expect(await rolesIn(tenant)).toEqual(['owner', 'admin']);
    expect(await plane.database.user.findUnique({ where: { email } })).toMatchObject({ name: 'Ada Park' });
  });

  test('accepts the provider’s next certificate from metadata', async () => {
    const before = await newOrganization();
    expect((await signIn(before.email, { isNextKey: true })).ended).toBe('sso_answer_refused');
    const rolling = await newOrganization({ samlMetadata: provider.metadata(2) });
    expect((await signIn(rolling.email)).ended).toBe('/app');
    expect((await signIn(rolling.email, { isNextKey: true })).ended).toBe('/app');
  });

  test('does not let a removed member in again', async () => {
    const { tenant, email } = await newOrganization();
    await signIn(email);
    const user = await plane.database.user.findUniqueOrThrow({ where: { email } });
    await tenant.run((scope) => removeMember(scope, { userId: user.id }));
    expect((await signIn(email)).ended).toBe('sso_member_removed');
    expect(await rolesIn(tenant)).toEqual(['owner']);
  });

  test('opens nothing for addresses outside verified domains', async () => {
    const { email } = await newOrganization();
    expect((await signIn(email, { nameId: 'eve@elsewhere.example' })).ended).toBe('sso_domain_foreign');
  });
});

/** Moves the signed assertion aside and puts one about another person in its place. */
function wrap(victim: string, place: 'beside' | 'inside'): (xml: string) => string {
  return (xml) => {
    const signed = /<saml:Assertion[\s\S]+<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
    const forged = signed
      .replace(/<Signature[\s\S]+<\/Signature>/, place === 'inside' ? signed : '')
      .replace('ID="_assertion"', 'ID="_forged"')
      .replace(/(<saml:NameID[^>]*>)[^<]*/, `$1${victim}`);
    return xml.replace(signed, place === 'inside' ? forged : `${forged}${signed}`);
  };
}

describe('a confirmation by SAML', () => {
  test.each([
    ['a sign-in that the provider asked for again', 0, '/sign-in/sso/confirmed', true],
    ['an older sign-in, which proves nothing', -120, 'sso_confirmation_stale', false],
  ])('%s', async (_what, signedInS, end, isConfirmed) => {
    const { email } = await newOrganization();
    const browser = accounts.newBrowser();
    const requested = await requestOf(browser, email);
    expect(readSamlRequest(requested).isForced).toBe(false);
    expect(await endOf(browser, await postResponse(provider.respond(requested, email)))).toBe('/app');
    const { sessionId = '' } = (await accounts.auth.getSession(browser.headers)) ?? {};
    await plane.database.session.update({
      where: { id: sessionId },
      data: { createdAt: new Date(Date.now() - HOUR_MS) },
    });
    const begun = await browser.post('/sso/confirm', {});
    const { url } = (await begun.json()) as { url: string };
    expect(readSamlRequest(url).isForced).toBe(true);
    const posted = provider.respond(url, email, { signedInS });
    expect(await endOf(browser, await postResponse(posted))).toBe(end);
    const confirmedAt = (await accounts.auth.getSession(browser.headers))?.confirmedAt.getTime() ?? 0;
    expect(confirmedAt > Date.now() - 60_000).toBe(isConfirmed);
  });
});

describe('metadata with a URL', () => {
  test('is refreshed daily for certificates of the same provider', async () => {
    let document = provider.metadata(1);
    const server = createServer((_request, response) => response.end(document));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`;
    const { tenant, email } = await newOrganization({ samlMetadataUrl: url });
    const refresh = (days: number) =>
      refreshSamlMetadata(plane.worker, new Date(Date.now() + days * DAY_MS), {
        isLoopbackAllowed: true,
        allowedPorts: [443],
      });
    expect(await refresh(0)).toEqual({ checked: 1, changed: 0, failed: 0 });
    document = provider.metadata(2);
    expect(await refresh(0)).toEqual({ checked: 0, changed: 0, failed: 0 });
    expect((await signIn(email, { isNextKey: true })).ended).toBe('sso_answer_refused');
    expect(await refresh(2)).toEqual({ checked: 1, changed: 1, failed: 0 });
    expect((await signIn(email, { isNextKey: true })).ended).toBe('/app');
    expect((await plane.auditOf(tenant)).map(({ action }) => action)).toContain('sso.refresh-metadata');
    // Somebody else’s document must not replace what an owner trusted.
    document = provider.metadata(1).replace(provider.entityId, 'https://evil.example');
    expect(await refresh(4)).toEqual({ checked: 1, changed: 0, failed: 1 });
    document = 'no XML';
    expect(await refresh(6)).toEqual({ checked: 1, changed: 0, failed: 1 });
    expect((await tenant.run(getSso)).connection?.saml?.certificates).toHaveLength(2);
    await new Promise((done) => server.close(done));
  });
});

describe('an attack on SAML opens nothing:', () => {
  test.each<[string, (email: string) => SamlBend]>([
    ['an unsigned assertion', () => ({ signs: 'nothing' })],
    ['an assertion that was changed', () => ({ tamper: (xml) => xml.replaceAll('ada@', 'eve@') })],
    ['a signature of a key that isn’t the provider’s', () => ({ isNextKey: true })],
    ['SHA-1', () => ({ algorithm: 'sha1' })],
    ['a signature wrapped beside a forged assertion', (email) => ({ tamper: wrap(`eve@${email.slice(4)}`, 'beside') })],
    ['a signature wrapped in a forged assertion', (email) => ({ tamper: wrap(`eve@${email.slice(4)}`, 'inside') })],
    ['another audience', () => ({ audience: 'https://other.example' })],
    ['another recipient', () => ({ recipient: 'https://other.example/acs' })],
    ['another issuer', () => ({ issuer: 'https://other.example' })],
    ['an assertion that has expired', () => ({ expiresInS: -300 })],
    ['the answer to another request', () => ({ inResponseTo: '_another' })],
    ['an assertion that answers no request, in an envelope that does', () => ({ inResponseTo: null })],
    ['another confirmation method', () => ({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' })],
    ['a document type', () => ({ tamper: (xml) => `<!DOCTYPE x [<!ENTITY e "x">]>${xml}` })],
  ])('%s', async (_what, bendOf) => {
    const { tenant, email } = await newOrganization();
    const { browser, ended } = await signIn(email, bendOf(email));
    expect(ended).toBe('sso_answer_refused');
    expect(await accounts.auth.getSession(browser.headers)).toBeNull();
    expect(await rolesIn(tenant)).toEqual(['owner']);
  });

  test('a comment in the NameID cuts no address short', async () => {
    const { tenant, email } = await newOrganization();
    const { ended } = await signIn(email, { nameId: `${email}<!-- -->.evil.example` });
    expect(ended).toBe('sso_domain_foreign');
    expect(await rolesIn(tenant)).toEqual(['owner']);
  });

  test('an element in the NameID cuts no address short', async () => {
    const { tenant, email } = await newOrganization();
    const { ended } = await signIn(email, { nameId: `${email}<x>.evil.example</x>` });
    expect(ended).toBe('sso_answer_refused');
    expect(await rolesIn(tenant)).toEqual(['owner']);
  });

  test('a response counts once, in the browser that requested it', async () => {
    const { email } = await newOrganization();
    const [browser, thief] = [accounts.newBrowser(), accounts.newBrowser()];
    const posted = provider.respond(await requestOf(browser, email), email);
    const location = await postResponse(posted);
    expect(await endOf(thief, await postResponse(posted))).toBe('sso_state_unknown');
    expect(await endOf(thief, location)).toBe('sso_state_unknown');
    expect(await endOf(browser, location)).toBe('sso_state_unknown');
  });

  test('an unsolicited response, as from the provider’s page', async () => {
    const { email } = await newOrganization();
    const posted = provider.respond(await requestOf(accounts.newBrowser(), email), email);
    expect(await postResponse({ ...posted, RelayState: '' })).toContain('sso_state_unknown');
  });

  test('a response for another organization of the provider', async () => {
    const [one, other] = [await newOrganization(), await newOrganization()];
    const browser = accounts.newBrowser();
    const posted = provider.respond(await requestOf(browser, one.email), one.email);
    const { RelayState } = provider.respond(await requestOf(browser, other.email), other.email);
    const location = await postResponse({ ...posted, RelayState });
    expect(await endOf(browser, location)).toBe('sso_answer_refused');
  });
});

describe('the settings of SAML', () => {
  test('show the metadata, and a test runs the whole flow', async () => {
    const { tenant, email } = await newOrganization({ groupRoles });
    const view = (await tenant.run(getSso)).connection;
    expect(view).toMatchObject({ protocol: 'saml', issuer: provider.entityId, clientId: '' });
    expect(view?.saml).toMatchObject({
      signOnUrl: provider.signOnUrl,
      certificates: [{ expiresAt: expect.any(Date) }],
    });

    const owner = await accounts.signedUp();
    const { id: userId } = await plane.database.user.findUniqueOrThrow({ where: { email: owner.email } });
    const { organizationId } = tenant;
    await plane.database.member.create({ data: { id: newId(), organizationId, userId, role: 'owner' } });
    await owner.browser.post('/sign-in/email', { email: owner.email, password: PASSWORD });
    const test = async (bend: SamlBend) => {
      const started = await owner.browser.post('/sso/test', { organizationId });
      const { url } = (await started.json()) as { url: string };
      const location = await postResponse(provider.respond(url, email, bend));
      expect(await endOf(owner.browser, location)).toBe('/sign-in/sso/tested');
      return (await tenant.run(getSso)).connection?.test;
    };
    const passed = await test({ attributes: { groups: 'platform' } });
    expect(passed?.isPassed).toBe(true);
    expect(passed?.steps.map(({ name }) => name)).toEqual(['provider', 'keys', 'answer', 'address', 'role']);
    const failed = await test({ audience: 'https://other.example' });
    expect(failed?.steps.at(-1)?.problem?.remedy).toBe('Enter our entity ID as the audience at your provider.');
    expect(await rolesIn(tenant)).toEqual(['owner', 'owner']);
  });

  test('change protocol only with what the new one needs', async () => {
    const { tenant } = await newOrganization();
    const change = (input: SsoChange) => tenant.run((scope) => updateSso(scope, input, tools));
    await tenant.run(passTest);
    expect((await change({ isRequired: true })).connection?.protocol).toBe('saml');
    expect(await refusalOf(change({ protocol: 'oidc' }))).toBe('sso_connection_incomplete');
    const oidc = { issuer: 'https://login.example.com', clientId: 'penstock' };
    expect(await refusalOf(change({ protocol: 'oidc', ...oidc }))).toBe('sso_secret_missing');
    const changed = await change({ protocol: 'oidc', ...oidc, clientSecret: 'secret' });
    expect(changed.connection).toMatchObject({ protocol: 'oidc', saml: null, isRequired: true });
    expect(await refusalOf(change({ protocol: 'saml' }))).toBe('sso_connection_incomplete');
  });

  test.each<[string, (xml: string) => string]>([
    ['no XML', () => 'hello'],
    ['the metadata of a service', (xml) => xml.replaceAll('IDPSSODescriptor', 'SPSSODescriptor')],
    ['no redirect binding', (xml) => xml.replace('HTTP-Redirect', 'SOAP')],
    ['no certificate', (xml) => xml.replace(/<KeyDescriptor[\s\S]+<\/KeyDescriptor>/, '')],
    ['a broken certificate', (xml) => xml.replace(/MII[\w+/=]{20}/, 'MII')],
    ['a document type', (xml) => xml.replace('?>', '?><!DOCTYPE x>')],
    ['a document of any size', (xml) => xml.padEnd(MAX_METADATA_LENGTH + 1)],
  ])('refuse %s as metadata', async (_what, bend) => {
    expect(await refusalOf(readSamlMetadata(bend(provider.metadata())))).toBe('sso_metadata_invalid');
  });
});
