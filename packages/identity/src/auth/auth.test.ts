// The account flows over HTTP, as a browser runs them: cookies in, cookies out, links from the outbox.
import { newId } from '@penstock/platform';
import { inTransaction, listMailbox } from '@penstock/tenancy';
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { DAY_MS } from '@penstock/units';
import { describe, expect, test } from 'vitest';
import { setSessionLifetime } from '../organization/session-lifetime.ts';
import { newEmail, PASSWORD, setUpAccounts } from '../testing/accounts.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);
const { mailsTo, latestLink, requestSignUp, finishSignUp, signedUp } = accounts;

describe('sign-up', () => {
  test('opens a session only through the link in the mail', async () => {
    const email = newEmail();
    const browser = accounts.newBrowser();
    await requestSignUp(browser, email);
    expect(await browser.user()).toBeNull();
    expect(await plane.database.user.count({ where: { email } })).toBe(0);

    expect((await finishSignUp(browser, email)).status).toBe(200);
    expect(await browser.user()).toBe(email);
    const later = await accounts.newBrowser().post('/sign-in/email', { email, password: PASSWORD });
    expect(later.status).toBe(200);
  });

  // A mail tells its owner.
  test('hides from strangers whether an address has an account', async () => {
    const { email } = await signedUp();
    const known = await requestSignUp(accounts.newBrowser(), email);
    const unknown = await requestSignUp(accounts.newBrowser(), newEmail());
    expect([known.status, await known.text()]).toEqual([unknown.status, await unknown.text()]);
    expect(known.headers.getSetCookie()).toEqual(unknown.headers.getSetCookie());
    expect((await mailsTo(email))[0]?.subject).toBe('You already have a Penstock account');
  });

  test('a short password is refused before anything is stored', async () => {
    const email = newEmail();
    const browser = accounts.newBrowser();
    await requestSignUp(browser, email);
    const token = new URL(await latestLink(email)).hash.slice(1);
    const answer = await browser.post('/sign-up/finish', { token, name: 'Person', password: 'too short' });
    expect(answer.status).toBe(400);
    expect(await plane.database.user.count({ where: { email } })).toBe(0);
    // The link still works.
    expect((await finishSignUp(browser, email)).status).toBe(200);
  });

  test('only a scrypt hash of the password is stored', async () => {
    const { email } = await signedUp();
    const account = await plane.database.account.findFirstOrThrow({ where: { user: { email } } });
    expect(account.password).toMatch(/^[0-9a-f]+:[0-9a-f]+$/);
    expect(JSON.stringify(account)).not.toContain(PASSWORD);
  });
});

describe('sign-in and sign-out', () => {
  test('answers wrong passwords and unknown addresses alike', async () => {
    const { email } = await signedUp();
    const wrong = await accounts.newBrowser().post('/sign-in/email', { email, password: 'not the password' });
    const unknown = await accounts.newBrowser().post('/sign-in/email', { email: newEmail(), password: PASSWORD });
    expect([wrong.status, await wrong.json()]).toEqual([unknown.status, await unknown.json()]);
    expect(wrong.status).toBe(401);
  });

  test('signing out ends the session in the database', async () => {
    const { browser } = await signedUp();
    const stolen = browser.headers;
    await browser.post('/sign-out');
    expect(await browser.user()).toBeNull();
    expect(await accounts.auth.getSession(stolen)).toBeNull();
  });

  test('a session ends 90 days after the sign-in, however it is used', async () => {
    const { email, browser } = await signedUp();
    const { id: userId } = await plane.database.user.findUniqueOrThrow({ where: { email } });
    const signedInDaysAgo = (days: number) =>
      plane.database.session.updateMany({
        where: { userId },
        data: { createdAt: new Date(Date.now() - days * DAY_MS), expiresAt: new Date(Date.now() + DAY_MS) },
      });
    await signedInDaysAgo(89);
    expect(await browser.user()).toBe(email);
    await signedInDaysAgo(90);
    expect(await browser.user()).toBeNull();
  });

  test('a session ends by the strictest of its organizations', async () => {
    const { email, browser } = await signedUp();
    const { id: userId } = await plane.database.user.findUniqueOrThrow({ where: { email } });
    const [strict, lax] = [await plane.newTenant(), await plane.newTenant()];
    for (const { organizationId } of [strict, lax]) {
      await plane.database.member.create({ data: { id: newId(), organizationId, userId, role: 'viewer' } });
    }
    const limit = (days: number) => strict.run((scope) => setSessionLifetime(scope, { days }));
    await plane.database.session.updateMany({
      where: { userId },
      data: { createdAt: new Date(Date.now() - 7 * DAY_MS), expiresAt: new Date(Date.now() + DAY_MS) },
    });
    await limit(8);
    expect(await browser.user()).toBe(email);
    await limit(7);
    expect(await browser.user()).toBeNull();
    expect((await plane.auditOf(strict)).at(-1)).toMatchObject({
      action: 'organization.set-session-lifetime',
      before: { sessionDays: 8 },
      after: { sessionDays: 7 },
    });
    await plane.database.organization.update({ where: { id: strict.organizationId }, data: { deletedAt: new Date() } });
    expect(await browser.user()).toBe(email);
  });

  test('scripts and other sites cannot use the session cookie', async () => {
    const { email } = await signedUp();
    const answer = await accounts.newBrowser().post('/sign-in/email', { email, password: PASSWORD });
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('penstock.session_token='));
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    const token = /=([^.;%]+)/.exec(cookie ?? '')?.[1] ?? 'no token';
    expect(await answer.text()).not.toContain(token);
  });

  test('a cross-site request is refused', async () => {
    const { email, browser } = await signedUp();
    const answer = await browser.post(
      '/change-password',
      { currentPassword: PASSWORD, newPassword: 'taken over now' },
      'https://evil.example',
    );
    expect(answer.status).toBe(403);
    expect((await accounts.newBrowser().post('/sign-in/email', { email, password: PASSWORD })).status).toBe(200);
  });
});

describe('password reset', () => {
  test('the link sets a new password once and ends every session', async () => {
    const { email, browser } = await signedUp();
    const laptop = accounts.newBrowser();
    await laptop.post('/sign-in/email', { email, password: PASSWORD });
    expect(await laptop.user()).toBe(email);

    const asked = await accounts.newBrowser().post('/request-password-reset', { email, redirectTo: '/reset-password' });
    expect(asked.status).toBe(200);
    const token = new URL(await latestLink(email)).searchParams.get('token');
    const newPassword = 'another horse battery';
    expect((await accounts.newBrowser().post('/reset-password', { token, newPassword })).status).toBe(200);

    expect(await browser.user()).toBeNull();
    expect(await laptop.user()).toBeNull();
    expect((await accounts.newBrowser().post('/sign-in/email', { email, password: PASSWORD })).status).toBe(401);
    expect((await accounts.newBrowser().post('/sign-in/email', { email, password: newPassword })).status).toBe(200);
    expect(
      (await accounts.newBrowser().post('/reset-password', { token, newPassword: 'a third password' })).status,
    ).toBe(400);
  });

  test('answers alike for unknown addresses and sends nothing', async () => {
    const { email } = await signedUp();
    const stranger = newEmail();
    const known = await accounts.newBrowser().post('/request-password-reset', { email });
    const unknown = await accounts.newBrowser().post('/request-password-reset', { email: stranger });
    expect([known.status, await known.json()]).toEqual([unknown.status, await unknown.json()]);
    expect(await mailsTo(stranger)).toEqual([]);
  });

  test('the database contains no token that opens an account', async () => {
    const { email } = await signedUp();
    await accounts.newBrowser().post('/request-password-reset', { email });
    const token = new URL(await latestLink(email)).searchParams.get('token') ?? '';
    const verifications = await plane.database.verification.findMany();
    expect(token.length).toBeGreaterThan(10);
    expect(JSON.stringify(verifications)).not.toContain(token);
  });
});

describe('the served endpoints', () => {
  test.each([
    '/sign-up/email',
    '/verify-email',
    '/send-verification-email',
    '/organization/create',
    '/organization/update-member-role',
    '/sign-in/social',
    '/change-email',
    '/delete-user',
    '/update-user',
    '/list-sessions',
    '/get-session',
    '/two-factor/send-otp',
    '/passkey/update-passkey',
    '/sign-in/magic-link',
  ])('%s is not served', async (path) => {
    expect((await accounts.newBrowser().post(path, {})).status).toBe(404);
  });

  test('the mailbox page is refused outside embedded mode', async () => {
    const mailbox = inTransaction(plane.database, (tx) => listMailbox(tx, false));
    await expect(mailbox).rejects.toMatchObject({ code: 'mailbox_not_found' });
  });
});
