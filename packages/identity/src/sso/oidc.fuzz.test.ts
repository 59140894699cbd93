// Claims that a provider signed, with contents that nobody expects. Whatever it says, a sign-in ends in a session or in a refusal.
import { createSecretBox, newId } from '@penstock/platform';
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { bentJson, runFuzz } from '@penstock/testing/fuzz';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT_SECRETS, setUpAccounts } from '../testing/accounts.ts';
import { updateSso } from './sso-settings.ts';
import { CLIENT_ID, CLIENT_SECRET, type OpenIdStandIn, startOpenIdStandIn } from './testing/openid-stand-in.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);
const tools = { secretBox: createSecretBox(ROOT_SECRETS), policy: { isLoopbackAllowed: true, allowedPorts: [443] } };
let provider: OpenIdStandIn;
let domain: string;

beforeAll(async () => {
  provider = await startOpenIdStandIn();
  const tenant = await plane.newTenant();
  const settings = {
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    defaultRole: 'viewer' as const,
    groupRoles: [{ group: 'admins', role: 'admin' as const }],
  };
  await tenant.run((scope) => updateSso(scope, settings, tools));
  domain = `${newId()}.example`;
  const facts = { id: newId(), organizationId: tenant.organizationId, domain, token: 'token', verifiedAt: new Date() };
  await plane.database.ssoDomain.create({ data: facts });
});
afterAll(() => provider.close());

/** Where a sign-in with these claims ends. */
async function endOf(email: string, claims: Record<string, unknown>): Promise<{ status: number; at: string }> {
  const browser = accounts.newBrowser();
  const start = await browser.post('/sso/start', { email, next: '/app' });
  const { url } = (await start.json()) as { url: string };
  const answer = await browser.open(provider.approve(url, claims));
  return { status: answer.status, at: answer.headers.get('location') ?? '' };
}

const ENDS = /\/app$|[?&]refused=sso_/;

const goodClaims = (email: string) => ({
  sub: `subject of ${email}`,
  email,
  email_verified: true,
  name: 'Ada Park',
  groups: ['admins', 'staff'],
});

test.each(['sub', 'name', 'email', 'groups'])('text that cannot be stored in %s makes nothing fail', async (claim) => {
  for (const text of ['a\0b', `${'x'.repeat(199)}\u{1f600}`, '\u{1f600}'.repeat(101)]) {
    const email = `${newId()}@${domain}`;
    const value = { sub: `${text} ${email}`, email: `${text}${email}`, groups: [text, 'admins'] }[claim] ?? text;
    const { status, at } = await endOf(email, { ...goodClaims(email), [claim]: value });
    expect([status, ENDS.test(at) || at]).toEqual([302, true]);
  }
});

test('every answer of a provider opens a session or is refused', async () => {
  const email = `ada@${domain}`;
  const property = fc.asyncProperty(bentJson(goodClaims(email)), async (claims) => {
    if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) {
      return;
    }
    const { status, at } = await endOf(email, { ...claims });
    expect([status, ENDS.test(at) || at]).toEqual([302, true]);
  });
  await runFuzz('sign-in', 'oidc-claims', 60, property);
});
