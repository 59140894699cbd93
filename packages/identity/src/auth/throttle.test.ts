// Guessing from the outside: attempts at the account endpoints, one by one and concurrently.
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { describe, expect, test } from 'vitest';
import { createThrottle } from '../account/throttle.ts';
import { newEmail, PASSWORD, ROOT_SECRETS, setUpAccounts } from '../testing/accounts.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);

function countOf(statuses: number[], status: number): number {
  return statuses.filter((each) => each === status).length;
}

describe('1,000 concurrent sign-in attempts', () => {
  test('at one account, from a thousand addresses: allows ten', async () => {
    const { email } = await accounts.signedUp();
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        accounts
          .newBrowser(`10.1.${index >> 8}.${index & 0xff}`)
          .post('/sign-in/email', { email, password: `guess number ${index}` }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(countOf(statuses, 401)).toBe(10);
    expect(countOf(statuses, 429)).toBe(990);
  });

  test('from one address, at a thousand accounts: allows fifty', async () => {
    const browser = accounts.newBrowser('203.0.113.7');
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        browser.post('/sign-in/email', { email: `nobody-${index}@example.com`, password: 'one password for all' }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(countOf(statuses, 401)).toBe(50);
    expect(countOf(statuses, 429)).toBe(950);
  });
});

describe('a throttled account', () => {
  // As do accounts that do not exist.
  test('refuses the right password and says for how long', async () => {
    const { email } = await accounts.signedUp();
    const unknown = newEmail();
    const answers: unknown[] = [];
    for (const address of [email, unknown]) {
      for (let guess = 0; guess < 10; guess += 1) {
        await accounts.newBrowser().post('/sign-in/email', { email: address, password: `guess number ${guess}` });
      }
      const refused = await accounts
        .newBrowser()
        .post('/sign-in/email', { email: address.toUpperCase(), password: 'correct horse battery' });
      answers.push([refused.status, await refused.json()]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toEqual([
      429,
      {
        code: 'TOO_MANY_ATTEMPTS',
        message: 'Too many attempts. Try again in 15 minutes. To sign in now, reset your password by email.',
      },
    ]);
  });

  test('password resets are also limited', async () => {
    const { email } = await accounts.signedUp();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      statuses.push((await accounts.newBrowser().post('/request-password-reset', { email })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('a right password clears the wrong attempts before it', async () => {
    const { email } = await accounts.signedUp();
    for (let round = 0; round < 2; round += 1) {
      for (let guess = 0; guess < 9; guess += 1) {
        await accounts.newBrowser().post('/sign-in/email', { email, password: `guess number ${guess}` });
      }
      const right = await accounts.newBrowser().post('/sign-in/email', { email, password: 'correct horse battery' });
      expect(right.status).toBe(200);
    }
  });
});

describe('a user whose account is under attack', () => {
  const signIn = (address: string, email: string, password = PASSWORD) =>
    accounts.newBrowser(address).post('/sign-in/email', { email, password });

  /** Somebody at other addresses tries until the account is refused to them. */
  async function besiege(email: string): Promise<void> {
    for (let guess = 0; guess < 10; guess += 1) {
      await signIn(`203.0.113.${100 + guess}`, email, `guess number ${guess}`);
    }
    expect((await signIn('203.0.113.200', email)).status).toBe(429);
  }

  // With ten attempts of their own there.
  test('signs in as usual from a familiar address', async () => {
    const { email } = await accounts.signedUp();
    const home = '198.51.100.20';
    expect((await signIn(home, email)).status).toBe(200);
    await besiege(email);
    expect((await signIn(home, email)).status).toBe(200);
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      statuses.push((await signIn(home, email, `guess number ${guess}`)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
  });

  test('signs in from a new address through a mail', async () => {
    const { email } = await accounts.signedUp();
    const abroad = '198.51.100.30';
    await besiege(email);
    expect((await signIn(abroad, email)).status).toBe(429);
    const browser = accounts.newBrowser(abroad);
    await browser.post('/request-password-reset', { email });
    const token = new URL(await accounts.latestLink(email)).searchParams.get('token');
    const newPassword = 'another horse battery';
    expect((await browser.post('/reset-password', { token, newPassword })).status).toBe(200);
    expect((await signIn(abroad, email, newPassword)).status).toBe(200);
    // And stays in reach, although the guesses go on.
    await besiege(email);
    expect((await signIn(abroad, email, newPassword)).status).toBe(200);
  });

  test('is not revealed by the table of familiar addresses', async () => {
    const { email } = await accounts.signedUp();
    await signIn('198.51.100.40', email);
    const rows = JSON.stringify(await plane.database.familiarAddress.findMany());
    expect(rows).not.toContain(email);
    expect(rows).not.toContain('198.51.100.40');
  });
});

describe('the window', () => {
  const subject = { kind: 'test', value: 'somebody', limit: { attempts: 2, window_s: 60 } };
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000);

  test('starts with the first attempt and ignores refused ones', async () => {
    const throttle = createThrottle(plane.database, ROOT_SECRETS[0].secret);
    const verdicts: unknown[] = [];
    for (const second of [0, 30, 40, 59, 60, 61, 62]) {
      verdicts.push(await throttle.attempt([subject], at(second)));
    }
    expect(verdicts).toEqual([
      { isAllowed: true },
      { isAllowed: true },
      { isAllowed: false, retryAfterS: 20 },
      { isAllowed: false, retryAfterS: 1 },
      { isAllowed: true },
      { isAllowed: true },
      { isAllowed: false, retryAfterS: 58 },
    ]);
  });

  test('the table does not reveal who tried what', async () => {
    const throttle = createThrottle(plane.database, ROOT_SECRETS[0].secret);
    await throttle.attempt([{ ...subject, value: 'ada@example.com' }], at(0));
    expect((await plane.database.authThrottle.findMany()).map(({ key }) => key).join()).not.toContain(
      'ada@example.com',
    );
  });
});
