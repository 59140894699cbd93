// Guessing from the outside: attempts at the account endpoints, one by one and concurrently.
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { describe, expect, test } from 'vitest';
import { AUTH_SECRET, newEmail, setUpAccounts } from '../testing/accounts.ts';
import { createThrottle } from './throttle.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);

function countOf(statuses: number[], status: number): number {
  return statuses.filter((each) => each === status).length;
}

describe('1,000 concurrent sign-in attempts', () => {
  test('at one account, from a thousand addresses: exactly ten are allowed', async () => {
    const { email } = await accounts.signedUpAndVerified();
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

  test('from one address, at a thousand accounts: exactly fifty are allowed', async () => {
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
  test('refuses the right password too and says for how long, as do accounts that do not exist', async () => {
    const { email } = await accounts.signedUpAndVerified();
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
      { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts. Try again in 15 minutes.' },
    ]);
  });

  test('password resets are limited too', async () => {
    const { email } = await accounts.signedUpAndVerified();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      statuses.push((await accounts.newBrowser().post('/request-password-reset', { email })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('a right password clears the wrong attempts before it', async () => {
    const { email } = await accounts.signedUpAndVerified();
    for (let round = 0; round < 2; round += 1) {
      for (let guess = 0; guess < 9; guess += 1) {
        await accounts.newBrowser().post('/sign-in/email', { email, password: `guess number ${guess}` });
      }
      const right = await accounts.newBrowser().post('/sign-in/email', { email, password: 'correct horse battery' });
      expect(right.status).toBe(200);
    }
  });
});

describe('the window', () => {
  const subject = { kind: 'test', value: 'somebody', limit: { attempts: 2, window_s: 60 } };
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000);

  test('begins with the first attempt, is not prolonged by refused ones, and restarts after it ends', async () => {
    const throttle = createThrottle(plane.database, AUTH_SECRET);
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
    const throttle = createThrottle(plane.database, AUTH_SECRET);
    await throttle.attempt([{ ...subject, value: 'ada@example.com' }], at(0));
    expect((await plane.database.authThrottle.findMany()).map(({ key }) => key).join()).not.toContain(
      'ada@example.com',
    );
  });
});
