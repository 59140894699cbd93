import { setUpControlPlane } from '@penstock/tenancy/testing';
import { expect, test } from 'vitest';
import { newEmail, setUpAccounts, solveWork } from '../testing/accounts.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);

const ask = (email: string, work?: unknown) => accounts.newBrowser().post('/sign-up/request', { email, work });

test('a sign-up without work is refused without any mail', async () => {
  const email = newEmail();
  const answer = await ask(email);
  expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'CHALLENGE_FAILED' }]);
  expect(await accounts.mailsTo(email)).toEqual([]);
});

test('work counts once, even for concurrent requests', async () => {
  const work = await solveWork(accounts.newBrowser());
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(newEmail(), work)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('invented or easier work is refused', async () => {
  const work = await solveWork(accounts.newBrowser());
  const bend = (change: (text: string) => string): unknown => JSON.parse(change(JSON.stringify(work)));
  for (const bent of [
    bend((text) => text.replace(/"expiresAt":\d+/, '"expiresAt":9999999999')),
    bend((text) => text.replace(/"signature":"../, '"signature":"00')),
    bend((text) => text.replace(/"derivedKey":"../, '"derivedKey":"00')),
    'work',
    { challenge: {}, solution: {} },
  ]) {
    expect((await ask(newEmail(), bent)).status).toBe(400);
  }
  expect((await ask(newEmail(), work)).status).toBe(200);
});

test('refuses disposable mailboxes, including subdomains', async () => {
  for (const email of ['a@mailinator.com', 'a@eu.mailinator.com']) {
    const answer = await ask(email, await solveWork(accounts.newBrowser()));
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'ADDRESS_DISPOSABLE' }]);
    expect(await accounts.mailsTo(email)).toEqual([]);
  }
});
