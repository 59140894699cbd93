// Someone signs up with an address that isn't theirs and waits for the owner, or for a mail scanner, to prove it.
import { newId } from '@penstock/platform';
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { expect, test } from 'vitest';
import { newEmail, PASSWORD, setUpAccounts } from '../testing/accounts.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);

const signIn = (email: string, password: string) => accounts.newBrowser().post('/sign-in/email', { email, password });

// Not to the person who requested the link.
test('a mail scanner that opens the link gives away no account', async () => {
  const email = newEmail();
  const attacker = accounts.newBrowser();
  const scanner = accounts.newBrowser();
  await attacker.post('/sign-up/email', { name: 'Attacker', email, password: PASSWORD, callbackURL: '/' });
  await accounts.requestSignUp(attacker, email);
  await scanner.open(await accounts.latestLink(email));
  expect((await attacker.post('/sign-in/email', { email, password: PASSWORD })).status).toBe(401);
  expect(await scanner.user()).toBeNull();
});

test('the owner’s link works after someone else requested one', async () => {
  const email = newEmail();
  await accounts.requestSignUp(accounts.newBrowser(), email);
  const { browser } = await accounts.signedUp(email);
  expect(await browser.user()).toBe(email);
  expect(await plane.database.user.findUniqueOrThrow({ where: { email } })).toMatchObject({ name: 'Person' });
});

test('a link works once, even for concurrent requests', async () => {
  const email = newEmail();
  await accounts.requestSignUp(accounts.newBrowser(), email);
  const answers = await Promise.all([1, 2, 3].map(() => accounts.finishSignUp(accounts.newBrowser(), email)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
});

test('the second of two links finds the account unchanged', async () => {
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

test('the database takes no account with an unproven address', async () => {
  const unproven = { id: newId(), email: newEmail(), name: 'Eve', emailVerified: false };
  await expect(plane.database.user.create({ data: unproven })).rejects.toThrow(/user_email_verified_check/);
  const { id } = await plane.newUser();
  const change = plane.database.user.update({ where: { id }, data: { emailVerified: false } });
  await expect(change).rejects.toThrow(/user_email_verified_check/);
});
