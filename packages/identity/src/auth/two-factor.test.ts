// Sign-in with two factors, over HTTP.
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { describe, expect, test } from 'vitest';
import { nextTotpCode, PASSWORD, setUpAccounts, totpCode } from '../testing/accounts.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);

async function withTwoFactor() {
  const { email, browser } = await accounts.signedUp();
  const enabled = await browser.post('/two-factor/enable', { password: PASSWORD });
  const { totpURI, backupCodes } = (await enabled.json()) as { totpURI: string; backupCodes: string[] };
  const typed = totpCode(totpURI);
  const verified = await browser.post('/two-factor/verify-totp', { code: typed });
  expect(verified.status).toBe(200);
  return { email, browser, totpURI, backupCodes, typed };
}

/** A browser in which only the code is missing. */
async function atSecondStep(email: string) {
  const browser = accounts.newBrowser();
  await browser.post('/sign-in/email', { email, password: PASSWORD });
  return browser;
}

describe('a code of the app works once', () => {
  test('and neither it nor an earlier one opens a second session', async () => {
    const { email, totpURI, typed } = await withTwoFactor();
    const next = nextTotpCode(totpURI);
    const first = await atSecondStep(email);
    expect((await first.post('/two-factor/verify-totp', { code: typed })).status).toBe(401);
    expect((await first.post('/two-factor/verify-totp', { code: next })).status).toBe(200);
    for (const code of [next, typed]) {
      const second = await atSecondStep(email);
      expect((await second.post('/two-factor/verify-totp', { code })).status).toBe(401);
      expect(await second.user()).toBeNull();
    }
  });

  test('also when it is sent twice at the same moment', async () => {
    const { email, totpURI } = await withTwoFactor();
    const code = nextTotpCode(totpURI);
    const browsers = await Promise.all([1, 2, 3, 4].map(() => atSecondStep(email)));
    const answers = await Promise.all(browsers.map((browser) => browser.post('/two-factor/verify-totp', { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test('and a used one counts as a wrong one', async () => {
    const { email, totpURI, typed } = await withTwoFactor();
    const browser = await atSecondStep(email);
    for (let guess = 0; guess < 5; guess += 1) {
      await browser.post('/two-factor/verify-totp', { code: typed });
    }
    await browser.post('/two-factor/verify-totp', { code: nextTotpCode(totpURI) });
    expect(await browser.user()).toBeNull();
  });
});

describe('the password without a second factor', () => {
  test('opens no session once an authenticator app is set up', async () => {
    const { email, totpURI } = await withTwoFactor();
    const browser = accounts.newBrowser();
    const answer = await browser.post('/sign-in/email', { email, password: PASSWORD });
    expect(await answer.json()).toMatchObject({ twoFactorRedirect: true });
    expect(await browser.user()).toBeNull();
    expect((await browser.post('/two-factor/verify-totp', { code: '000000' })).status).toBe(401);
    expect(await browser.user()).toBeNull();
    expect((await browser.post('/two-factor/verify-totp', { code: nextTotpCode(totpURI) })).status).toBe(200);
    expect(await browser.user()).toBe(email);
  });

  test('still opens a session if set-up was not completed', async () => {
    const { email, browser } = await accounts.signedUp();
    await browser.post('/two-factor/enable', { password: PASSWORD });
    const other = accounts.newBrowser();
    await other.post('/sign-in/email', { email, password: PASSWORD });
    expect(await other.user()).toBe(email);
  });
});

describe('trusting a device', () => {
  test('is refused, with every kind of code', async () => {
    const { email, totpURI, backupCodes } = await withTwoFactor();
    const browser = accounts.newBrowser();
    await browser.post('/sign-in/email', { email, password: PASSWORD });
    const totp = await browser.post('/two-factor/verify-totp', { code: totpCode(totpURI), trustDevice: true });
    expect([totp.status, await totp.json()]).toEqual([400, expect.objectContaining({ code: 'TRUST_DEVICE_REFUSED' })]);
    const backup = { code: backupCodes[0], trustDevice: true };
    expect((await browser.post('/two-factor/verify-backup-code', backup)).status).toBe(400);
    expect(await browser.user()).toBeNull();
    expect(await plane.database.verification.count({ where: { identifier: { startsWith: 'trust-device' } } })).toBe(0);
  });
});

describe('recovery codes', () => {
  test('each works once, in place of the app', async () => {
    const { email, backupCodes } = await withTwoFactor();
    const [code] = backupCodes;
    const use = async () => {
      const browser = accounts.newBrowser();
      await browser.post('/sign-in/email', { email, password: PASSWORD });
      await browser.post('/two-factor/verify-backup-code', { code });
      return browser.user();
    };
    expect(await use()).toBe(email);
    expect(await use()).toBeNull();
  });

  test('each works once when it is sent twice at the same moment', async () => {
    const { email, backupCodes } = await withTwoFactor();
    const browsers = await Promise.all([1, 2, 3].map(() => atSecondStep(email)));
    await Promise.all(
      browsers.map((browser) => browser.post('/two-factor/verify-backup-code', { code: backupCodes[0] })),
    );
    const users = await Promise.all(browsers.map((browser) => browser.user()));
    expect(users.filter((user) => user === email)).toHaveLength(1);
  });

  test('neither they nor the secret are stored in plain text', async () => {
    const { totpURI, backupCodes } = await withTwoFactor();
    const rows = JSON.stringify(await plane.database.twoFactor.findMany());
    for (const secret of [...backupCodes, new URL(totpURI).searchParams.get('secret') ?? '-']) {
      expect(rows).not.toContain(secret);
    }
  });
});

describe('changing it', () => {
  test.each(['/two-factor/enable', '/two-factor/disable', '/two-factor/generate-backup-codes'])(
    '%s asks for the password',
    async (path) => {
      const { browser } = await withTwoFactor();
      expect((await browser.post(path, { password: 'not the password' })).status).toBe(400);
    },
  );

  test('turning it off makes the password enough and sends a mail', async () => {
    const { email, browser } = await withTwoFactor();
    expect((await browser.post('/two-factor/disable', { password: PASSWORD })).status).toBe(200);
    const other = accounts.newBrowser();
    await other.post('/sign-in/email', { email, password: PASSWORD });
    expect(await other.user()).toBe(email);
    expect((await accounts.mailsTo(email)).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining([
        'Two-factor sign-in was turned on (Penstock)',
        'Two-factor sign-in was turned off (Penstock)',
      ]),
    );
  });

  test('the challenge is locked after five wrong codes', async () => {
    const { email, totpURI } = await withTwoFactor();
    const browser = accounts.newBrowser();
    await browser.post('/sign-in/email', { email, password: PASSWORD });
    for (let guess = 0; guess < 6; guess += 1) {
      await browser.post('/two-factor/verify-totp', { code: '000000' });
    }
    await browser.post('/two-factor/verify-totp', { code: nextTotpCode(totpURI) });
    expect(await browser.user()).toBeNull();
  });
});

describe('the audit log of the organization', () => {
  test('records sign-ins with method and address, and changes', async () => {
    const { email, browser, totpURI } = await withTwoFactor();
    const tenant = await plane.newTenant();
    const user = await plane.database.user.findUniqueOrThrow({ where: { email } });
    await plane.database.member.create({
      data: { id: user.id, organizationId: tenant.organizationId, userId: user.id, role: 'viewer' },
    });
    const elsewhere = accounts.newBrowser('203.0.113.99');
    await elsewhere.post('/sign-in/email', { email, password: 'not the password' });
    await elsewhere.post('/sign-in/email', { email, password: PASSWORD });
    await elsewhere.post('/two-factor/verify-totp', { code: '000000' });
    await elsewhere.post('/two-factor/verify-backup-code', { code: 'no such code' });
    await elsewhere.post('/two-factor/verify-totp', { code: nextTotpCode(totpURI) });
    await elsewhere.post('/confirm/code', { code: '000000' });
    await elsewhere.post('/sign-out');
    await browser.post('/two-factor/generate-backup-codes', { password: PASSWORD });
    await browser.post('/change-password', { currentPassword: PASSWORD, newPassword: 'another horse battery' });

    const told = (await plane.auditOf(tenant)).slice(1).map(({ action, after }) => [action, after]);
    expect(told).toEqual([
      ['account.sign-in-failed', { address: '203.0.113.99', method: 'password' }],
      ['account.second-factor-failed', { address: '203.0.113.99', method: 'code' }],
      ['account.second-factor-failed', { address: '203.0.113.99', method: 'recovery-code' }],
      ['account.sign-in', { address: '203.0.113.99', method: 'code' }],
      ['account.second-factor-failed', { address: '203.0.113.99', method: 'code' }],
      ['account.sign-out', { address: '203.0.113.99' }],
      ['account.renew-recovery-codes', { address: expect.any(String) }],
      ['account.change-password', { address: expect.any(String) }],
    ]);
  });
});
