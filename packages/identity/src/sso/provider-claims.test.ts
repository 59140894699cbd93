import { refusalOf } from '@penstock/tenancy/testing';
import { describe, expect, test } from 'vitest';
import { type Claims, isThin, mergeClaims, readFacts, requireAddress } from './provider-claims.ts';

const OWN = 'https://login.example.com';
const GOOGLE = 'https://accounts.google.com';

async function addressOf(claims: Claims, issuer = OWN): Promise<string> {
  return requireAddress(readFacts(claims, 'groups'), { issuer, subject: 'ada', claims, authenticatedAtMs: null });
}
const email = 'ada@example.com';

describe('the address', () => {
  test.each<[string, Claims]>([
    ['Entra ID with the optional email claim', { email, preferred_username: 'ada@other.example' }],
    ['Entra ID without it', { preferred_username: 'Ada@Example.com', oid: '1', tid: '2' }],
    ['Entra ID with an owner-verified domain', { email, xms_edov: '1' }],
    ['AD FS', { upn: email }],
    ['Okta', { email, email_verified: true, preferred_username: 'ada' }],
    ['a provider that writes booleans as text', { email, email_verified: 'true' }],
  ])('is found in the claims of %s', async (_what, claims) => {
    expect(await addressOf(claims)).toBe(email);
  });

  test('counts at Google for Workspace accounts only', async () => {
    expect(await addressOf({ email, email_verified: true, hd: 'example.com' }, GOOGLE)).toBe(email);
    expect(await refusalOf(addressOf({ email, email_verified: true }, GOOGLE))).toBe('sso_account_personal');
  });

  test.each<[string, string, Claims, string]>([
    ['is denied', 'sso_email_unverified', { email, email_verified: false }, OWN],
    ['is denied as text', 'sso_email_unverified', { email, email_verified: 'false' }, OWN],
    ['is denied in any other way', 'sso_email_unverified', { email, email_verified: 'maybe' }, OWN],
    ['is in a domain that Entra ID hasn’t verified', 'sso_email_unverified', { email, xms_edov: false }, OWN],
    ['is stated by a public provider without proof', 'sso_email_unverified', { email }, 'https://gitlab.com/'],
    ['is no address', 'sso_email_missing', { email: 'ada', preferred_username: 'EXAMPLE\\ada' }, OWN],
    ['hides a second one', 'sso_email_missing', { email: 'ada@example.com\u0000@evil.example' }, OWN],
    ['has two at signs', 'sso_email_missing', { email: 'ada@evil.example@example.com' }, OWN],
    ['is a list', 'sso_email_missing', { email: [email] }, OWN],
  ])('that %s is refused', async (_what, code, claims, issuer) => {
    expect(await refusalOf(addressOf(claims, issuer))).toBe(code);
  });

  // The ID token or the userinfo endpoint.
  test('is unverified if either source says so', async () => {
    const merged = mergeClaims({ sub: 'ada', email_verified: true }, { email, email_verified: false });
    expect(await refusalOf(addressOf(merged))).toBe('sso_email_unverified');
    expect(await addressOf(mergeClaims({ sub: 'ada' }, { email, email_verified: true }))).toBe(email);
  });
});

describe('the groups', () => {
  test.each<[string, Claims, string[] | null]>([
    [
      'object IDs in Entra ID',
      { groups: ['02bd9fd6-8f93-4758-87c3-1fb73740a315'] },
      ['02bd9fd6-8f93-4758-87c3-1fb73740a315'],
    ],
    ['one name as a text', { groups: 'engineers' }, ['engineers']],
    ['a list with what are no names', { groups: ['a', 1, null, '', 'a'] }, ['a']],
    ['none', {}, []],
    ['too many for Entra ID’s token', { _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } }, null],
    ['too many for a token of the implicit flow', { hasgroups: true }, null],
    ['too many for Entra ID’s assertion', { 'http://schemas.microsoft.com/claims/groups.link': 'https://x' }, null],
    ['an overage of another claim', { _claim_names: { roles: 'src1' } }, []],
  ])('are read: %s', (_what, claims, groups) => {
    expect(readFacts(claims, 'groups').groups).toEqual(groups);
  });

  test('come from the claim that the organization chose', () => {
    expect(readFacts({ groups: ['a'], roles: ['b'] }, 'roles').groups).toEqual(['b']);
  });
});

test('come from userinfo only if the ID token lacks them', () => {
  expect(isThin({ email }, 'groups', false)).toBe(false);
  expect(isThin({ preferred_username: email }, 'groups', false)).toBe(true);
  expect(isThin({ email }, 'groups', true)).toBe(true);
  expect(isThin({ email, groups: ['a'] }, 'groups', true)).toBe(false);
  expect(isThin({ email, _claim_names: { groups: 'src1' } }, 'groups', true)).toBe(false);
});
