// Confirming an identity within a session, over HTTP.
import { newId } from '@penstock/platform';
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { describe, expect, test } from 'vitest';
import { type Browser, nextTotpCode, PASSWORD, setUpAccounts, totpCode } from '../testing/accounts.ts';
import { CONFIRMATION_MS, isConfirmed } from './confirm-identity.ts';
import { CONFIRMATION_HEADER } from './confirmation-header.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);

/** A user whose sign-in no longer counts as a proof. */
async function signedInLongAgo(): Promise<{ email: string; browser: Browser }> {
  const person = await accounts.signedUp();
  await age(person.email);
  return person;
}

async function age(email: string): Promise<void> {
  const at = new Date(Date.now() - CONFIRMATION_MS - 1_000);
  await plane.database.session.updateMany({ where: { user: { email } }, data: { createdAt: at, confirmedAt: null } });
}

async function isFresh(browser: Browser): Promise<boolean> {
  const session = await accounts.auth.getSession(browser.headers);
  return session !== null && isConfirmed(session, new Date());
}

const codeOf = async (response: Response): Promise<string> => ((await response.json()) as { code: string }).code;

// The password renews the proof for this session alone.
test('a sign-in or a password proves identity for 15 minutes', async () => {
  const { email, browser } = await accounts.signedUp();
  expect(await isFresh(browser)).toBe(true);
  const other = accounts.newBrowser();
  await other.post('/sign-in/email', { email, password: PASSWORD });
  await age(email);
  expect(await isFresh(browser)).toBe(false);
  expect((await browser.post('/confirm/password', { password: PASSWORD })).status).toBe(200);
  expect(await isFresh(browser)).toBe(true);
  expect(await isFresh(other)).toBe(false);
});

describe('nothing is confirmed', () => {
  test('by a wrong or missing password, or without a session', async () => {
    const { browser } = await signedInLongAgo();
    for (const body of [{ password: 'not the password' }, { password: '' }, {}, { password: 7 }]) {
      expect(await codeOf(await browser.post('/confirm/password', body))).toBe('INVALID_PASSWORD');
    }
    expect(await isFresh(browser)).toBe(false);
    const nobody = accounts.newBrowser();
    expect((await nobody.post('/confirm/password', { password: PASSWORD })).status).toBe(401);
  });

  // Such a code does not turn it on either.
  test('by a code while two-factor is off or half set up', async () => {
    const { email, browser } = await signedInLongAgo();
    const enabled = await browser.post('/two-factor/enable', { password: PASSWORD });
    const { totpURI } = (await enabled.json()) as { totpURI: string };
    expect(await codeOf(await browser.post('/confirm/code', { code: totpCode(totpURI) }))).toBe('TOTP_NOT_ENABLED');
    expect(await isFresh(browser)).toBe(false);
    const user = await plane.database.user.findUniqueOrThrow({ where: { email } });
    expect(user.twoFactorEnabled).toBe(false);
  });

  test('by a passkey that does not exist', async () => {
    const { browser } = await signedInLongAgo();
    await browser.open('http://localhost:3000/api/auth/passkey/generate-authenticate-options');
    const answer = await browser.post('/confirm/passkey', { response: { id: 'unknown' } });
    expect(await codeOf(answer)).toBe('PASSKEY_NOT_FOUND');
    expect(await isFresh(browser)).toBe(false);
  });

  test('by the user’s own password in a single sign-on session', async () => {
    const { email, browser } = await signedInLongAgo();
    const tenant = await plane.newTenant();
    await plane.database.session.updateMany({
      where: { user: { email } },
      data: { ssoOrganizationId: tenant.organizationId },
    });
    expect(await codeOf(await browser.post('/confirm/password', { password: PASSWORD }))).toBe('SSO_SESSION_LIMITED');
  });
});

test('each code of the authenticator app confirms once', async () => {
  const { email, browser } = await accounts.signedUp();
  const enabled = await browser.post('/two-factor/enable', { password: PASSWORD });
  const { totpURI } = (await enabled.json()) as { totpURI: string };
  const typed = totpCode(totpURI);
  await browser.post('/two-factor/verify-totp', { code: typed });
  await age(email);
  for (const refused of ['000000', typed]) {
    expect(await codeOf(await browser.post('/confirm/code', { code: refused }))).toBe('INVALID_CODE');
    expect(await isFresh(browser)).toBe(false);
  }
  const next = nextTotpCode(totpURI);
  expect((await browser.post('/confirm/code', { code: next })).status).toBe(200);
  expect(await isFresh(browser)).toBe(true);
  await age(email);
  expect((await browser.post('/confirm/code', { code: next })).status).toBe(401);
  expect(await isFresh(browser)).toBe(false);
});

describe('guesses', () => {
  test('are limited for passwords as at sign-in, even concurrently', async () => {
    const { browser } = await signedInLongAgo();
    const statuses = await Promise.all(
      Array.from({ length: 14 }, async () => (await browser.post('/confirm/password', { password: 'wrong' })).status),
    );
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    expect((await browser.post('/confirm/password', { password: PASSWORD })).status).toBe(429);
  });

  test('are counted together for codes over all endpoints', async () => {
    const { browser } = await accounts.signedUp();
    await browser.post('/two-factor/enable', { password: PASSWORD });
    for (let guess = 0; guess < 10; guess += 1) {
      await browser.post('/two-factor/verify-totp', { code: '000000' });
    }
    expect((await browser.post('/confirm/code', { code: '000000' })).status).toBe(429);
  });
});

test('adding and removing a passkey asks for a confirmation', async () => {
  const { email, browser } = await signedInLongAgo();
  const { id: userId } = await plane.database.user.findUniqueOrThrow({ where: { email } });
  const data = { id: newId(), userId, publicKey: 'x', credentialID: newId(), counter: 0, deviceType: 'x' };
  const passkey = await plane.database.passkey.create({ data: { ...data, backedUp: false } });
  const options = 'http://localhost:3000/api/auth/passkey/generate-register-options';
  expect(await codeOf(await browser.open(options))).toBe('REAUTHENTICATION_REQUIRED');
  const remove = () => browser.post('/passkey/delete-passkey', { id: passkey.id });
  expect(await codeOf(await remove())).toBe('REAUTHENTICATION_REQUIRED');
  await browser.post('/confirm/password', { password: PASSWORD });
  expect((await browser.open(options)).status).toBe(200);
  expect((await remove()).status).toBe(200);
});

test('a passkey confirmation never opens a session', async () => {
  const nobody = accounts.newBrowser();
  const headers = nobody.headers;
  headers.set('content-type', 'application/json');
  headers.set(CONFIRMATION_HEADER, 'yes');
  const url = 'http://localhost:3000/api/auth/passkey/verify-authentication';
  const answer = await accounts.auth.handle(new Request(url, { method: 'POST', headers, body: '{}' }));
  expect(answer.status).toBe(401);
});
