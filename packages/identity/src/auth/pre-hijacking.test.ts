// Someone signs up with an address that isn't theirs and waits for the owner, or for a mail scanner, to prove it.
import { newId } from '@penstock/platform';
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { expect, test } from 'vitest';
import { newEmail, PASSWORD, setUpAccounts } from '../testing/accounts.ts';
import { hashPassword } from './passwords.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);

const signIn = (email: string, password: string) => accounts.newBrowser().post('/sign-in/email', { email, password });

/** An account as older releases left them: a stranger's password, sessions, passkey and code, without a proven address. */
async function newUnverifiedAccount(): Promise<{ id: string; email: string }> {
  const [id, email] = [newId(), newEmail()];
  const userId = id;
  await plane.database.user.create({
    data: { id, email, name: 'Attacker', emailVerified: false, twoFactorEnabled: true },
  });
  const credential = {
    providerId: 'credential',
    accountId: id,
    userId,
    password: await hashPassword('attacker knows'),
  };
  await plane.database.account.create({ data: { id: newId(), ...credential } });
  await plane.database.account.create({ data: { id: newId(), providerId: 'sso:x:y', accountId: id, userId } });
  const expiresAt = new Date(Date.now() + 60_000);
  await plane.database.session.create({ data: { id: newId(), token: newId(), userId, expiresAt } });
  const passkey = { publicKey: 'x', credentialID: newId(), counter: 0, deviceType: 'x', backedUp: false };
  await plane.database.passkey.create({ data: { id: newId(), userId, ...passkey } });
  await plane.database.twoFactor.create({ data: { id: newId(), userId, secret: 'x', backupCodes: 'x' } });
  return { id, email };
}

/** What somebody could still get into the account with. */
async function waysInto(userId: string): Promise<Record<string, unknown>> {
  const where = { userId };
  const user = await plane.database.user.findUniqueOrThrow({ where: { id: userId } });
  const credentials = await plane.database.account.findMany({ where, select: { providerId: true } });
  return {
    isVerified: user.emailVerified,
    isTwoFactorOn: user.twoFactorEnabled,
    providers: credentials.map(({ providerId }) => providerId),
    passkeys: await plane.database.passkey.count({ where }),
    codes: await plane.database.twoFactor.count({ where }),
  };
}

const onlyPassword = {
  isVerified: true,
  isTwoFactorOn: false,
  providers: ['credential'],
  passkeys: 0,
  codes: 0,
};

test('a mail scanner that opens the link gives no account to whoever asked for it', async () => {
  const email = newEmail();
  const attacker = accounts.newBrowser();
  const scanner = accounts.newBrowser();
  await attacker.post('/sign-up/email', { name: 'Attacker', email, password: PASSWORD, callbackURL: '/' });
  await accounts.requestSignUp(attacker, email);
  await scanner.open(await accounts.latestLink(email));
  expect((await attacker.post('/sign-in/email', { email, password: PASSWORD })).status).toBe(401);
  expect(await scanner.user()).toBeNull();
});

test('the owner’s own link works although a stranger asked for one before', async () => {
  const email = newEmail();
  await accounts.requestSignUp(accounts.newBrowser(), email);
  const { browser } = await accounts.signedUp(email);
  expect(await browser.user()).toBe(email);
  expect(await plane.database.user.findUniqueOrThrow({ where: { email } })).toMatchObject({ name: 'Person' });
});

test('a link works once, also for two requests at the same time', async () => {
  const email = newEmail();
  await accounts.requestSignUp(accounts.newBrowser(), email);
  const answers = await Promise.all([1, 2, 3].map(() => accounts.finishSignUp(accounts.newBrowser(), email)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
});

test('of two links for one address, the second finds the account of the first and changes nothing', async () => {
  const email = newEmail();
  await accounts.requestSignUp(accounts.newBrowser(), email);
  const token = new URL(await accounts.latestLink(email)).hash.slice(1);
  await accounts.signedUp(email);
  const answer = await accounts
    .newBrowser()
    .post('/sign-up/finish', { token, name: 'Eve', password: 'another one 123' });
  expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'ACCOUNT_EXISTS' }]);
  expect((await signIn(email, PASSWORD)).status).toBe(200);
});

test('a new sign-up of the address discards what an unverified account had set up', async () => {
  const { id, email } = await newUnverifiedAccount();
  await accounts.signedUp(email);
  expect(await waysInto(id)).toEqual(onlyPassword);
  expect((await signIn(email, 'attacker knows')).status).toBe(401);
  expect(await plane.database.session.count({ where: { userId: id } })).toBe(1);
});

test('a password reset discards what an unverified account had set up', async () => {
  const { id, email } = await newUnverifiedAccount();
  await accounts.newBrowser().post('/request-password-reset', { email });
  const token = new URL(await accounts.latestLink(email)).searchParams.get('token');
  expect((await accounts.newBrowser().post('/reset-password', { token, newPassword: PASSWORD })).status).toBe(200);
  expect(await waysInto(id)).toEqual(onlyPassword);
  expect(await plane.database.session.count({ where: { userId: id } })).toBe(0);
  expect((await signIn(email, PASSWORD)).status).toBe(200);
});
