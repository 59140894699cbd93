// The account flows over HTTP, as a browser drives them: cookies in, cookies out, links from the outbox.
import { createLogger } from '@penstock/platform';
import { beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../access/scope.ts';
import { listMailbox } from '../mail/list-mailbox.ts';
import { setUpControlPlane } from '../testing/control-plane.ts';
import { type Auth, createAuth } from './create-auth.ts';

const webUrl = 'http://localhost:3000';
const password = 'correct horse battery';
const plane = setUpControlPlane();
let auth: Auth;

beforeAll(() => {
  const secret = 'a-secret-of-the-tests-alone-0123456789';
  auth = createAuth({
    database: plane.database,
    webUrl,
    secret,
    trustedProxies: [],
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
});

let addresses = 0;
function newEmail(): string {
  addresses += 1;
  return `person-${addresses}@example.com`;
}

/** A browser with cookies. Each has an address of its own, so that rate limits of one test do not touch another. */
class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #address: string;

  constructor(address = `198.51.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`) {
    this.#address = address;
  }

  get headers(): Headers {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return new Headers({ cookie, origin: webUrl, 'x-forwarded-for': this.#address });
  }

  async post(path: string, body: unknown = {}, origin = webUrl): Promise<Response> {
    const headers = this.headers;
    headers.set('content-type', 'application/json');
    headers.set('origin', origin);
    return this.#send(
      new Request(`${webUrl}/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    );
  }

  async open(url: string): Promise<Response> {
    return this.#send(new Request(url, { headers: this.headers }));
  }

  async user(): Promise<string | null> {
    return (await auth.getSession(this.headers))?.user.email ?? null;
  }

  async #send(request: Request): Promise<Response> {
    const response = await auth.handle(request);
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}

async function mailsTo(email: string) {
  const mails = await inTransaction(plane.database, (tx) => listMailbox(tx, true));
  return mails.filter((mail) => mail.to === email);
}

async function latestLink(email: string): Promise<string> {
  const link = (await mailsTo(email))[0]?.link;
  if (link == null) throw new Error(`No mail with a link has come for ${email}.`);
  return link;
}

function signUp(browser: Browser, email: string): Promise<Response> {
  return browser.post('/sign-up/email', {
    name: 'Person',
    email,
    password,
    callbackURL: '/verify-email?status=verified',
  });
}

async function signedUpAndVerified(): Promise<{ email: string; browser: Browser }> {
  const email = newEmail();
  const browser = new Browser();
  expect((await signUp(browser, email)).status).toBe(200);
  await browser.open(await latestLink(email));
  return { email, browser };
}

describe('sign-up', () => {
  test('an address opens a session only after its owner has opened the link in the mail', async () => {
    const email = newEmail();
    const browser = new Browser();
    await signUp(browser, email);
    expect(await browser.user()).toBeNull();
    const early = await browser.post('/sign-in/email', { email, password });
    expect(early.status).toBe(403);
    expect(await early.json()).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });

    const answer = await browser.open(await latestLink(email));
    expect(answer.headers.get('location')).toBe('/verify-email?status=verified');
    expect(await browser.user()).toBe(email);
    const later = await new Browser().post('/sign-in/email', { email, password });
    expect(later.status).toBe(200);
  });

  test('the answer does not tell whether an address has an account; a mail tells its owner', async () => {
    const { email } = await signedUpAndVerified();
    const known = await signUp(new Browser(), email);
    const unknown = await signUp(new Browser(), newEmail());
    expect(known.status).toBe(unknown.status);
    const shape = (body: unknown) =>
      JSON.stringify(body).replace(/"(id|email|createdAt|updatedAt)":"[^"]*"/g, '"$1":""');
    expect(shape(await known.json())).toBe(shape(await unknown.json()));
    expect(known.headers.getSetCookie()).toEqual(unknown.headers.getSetCookie());
    expect((await mailsTo(email))[0]?.subject).toBe('You already have a Penstock account');
  });

  test('a short password is refused before anything is stored', async () => {
    const email = newEmail();
    const answer = await new Browser().post('/sign-up/email', { name: 'Person', email, password: 'too short' });
    expect(answer.status).toBe(400);
    expect(await plane.database.user.count({ where: { email } })).toBe(0);
  });

  test('the password is stored as a scrypt hash alone', async () => {
    const { email } = await signedUpAndVerified();
    const account = await plane.database.account.findFirstOrThrow({ where: { user: { email } } });
    expect(account.password).toMatch(/^[0-9a-f]+:[0-9a-f]+$/);
    expect(JSON.stringify(account)).not.toContain(password);
  });
});

describe('sign-in and sign-out', () => {
  test('a wrong password and an unknown address get the same answer', async () => {
    const { email } = await signedUpAndVerified();
    const wrong = await new Browser().post('/sign-in/email', { email, password: 'not the password' });
    const unknown = await new Browser().post('/sign-in/email', { email: newEmail(), password });
    expect([wrong.status, await wrong.json()]).toEqual([unknown.status, await unknown.json()]);
    expect(wrong.status).toBe(401);
  });

  test('signing out ends the session in the database, not only the cookie', async () => {
    const { browser } = await signedUpAndVerified();
    const stolen = browser.headers;
    await browser.post('/sign-out');
    expect(await browser.user()).toBeNull();
    expect(await auth.getSession(stolen)).toBeNull();
  });

  test('the session cookie is out of reach of scripts and of other sites', async () => {
    const { email } = await signedUpAndVerified();
    const answer = await new Browser().post('/sign-in/email', { email, password });
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('penstock.session_token='));
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    const token = /=([^.;%]+)/.exec(cookie ?? '')?.[1] ?? 'no token';
    expect(await answer.text()).not.toContain(token);
  });

  test('a request that another site makes the browser send is refused', async () => {
    const { email, browser } = await signedUpAndVerified();
    const answer = await browser.post(
      '/change-password',
      { currentPassword: password, newPassword: 'taken over now' },
      'https://evil.example',
    );
    expect(answer.status).toBe(403);
    expect((await new Browser().post('/sign-in/email', { email, password })).status).toBe(200);
  });

  test('guessing passwords from one address is slowed down', async () => {
    const { email } = await signedUpAndVerified();
    const browser = new Browser('203.0.113.7');
    const statuses: number[] = [];
    for (let guess = 0; guess < 21; guess += 1) {
      statuses.push((await browser.post('/sign-in/email', { email, password: `guess number ${guess}` })).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses[20]).toBe(429);
  }, 60_000);
});

describe('password reset', () => {
  test('the link sets a new password once and ends every session', async () => {
    const { email, browser } = await signedUpAndVerified();
    const laptop = new Browser();
    await laptop.post('/sign-in/email', { email, password });
    expect(await laptop.user()).toBe(email);

    const asked = await new Browser().post('/request-password-reset', { email, redirectTo: '/reset-password' });
    expect(asked.status).toBe(200);
    const token = new URL(await latestLink(email)).searchParams.get('token');
    const newPassword = 'another horse battery';
    expect((await new Browser().post('/reset-password', { token, newPassword })).status).toBe(200);

    expect(await browser.user()).toBeNull();
    expect(await laptop.user()).toBeNull();
    expect((await new Browser().post('/sign-in/email', { email, password })).status).toBe(401);
    expect((await new Browser().post('/sign-in/email', { email, password: newPassword })).status).toBe(200);
    expect((await new Browser().post('/reset-password', { token, newPassword: 'a third password' })).status).toBe(400);
  });

  test('asking for a reset of an unknown address gets the same answer and sends nothing', async () => {
    const { email } = await signedUpAndVerified();
    const stranger = newEmail();
    const known = await new Browser().post('/request-password-reset', { email });
    const unknown = await new Browser().post('/request-password-reset', { email: stranger });
    expect([known.status, await known.json()]).toEqual([unknown.status, await unknown.json()]);
    expect(await mailsTo(stranger)).toEqual([]);
  });

  test('the database holds no token that opens an account', async () => {
    const { email } = await signedUpAndVerified();
    await new Browser().post('/request-password-reset', { email });
    const token = new URL(await latestLink(email)).searchParams.get('token') ?? '';
    const verifications = await plane.database.verification.findMany();
    expect(token.length).toBeGreaterThan(10);
    expect(JSON.stringify(verifications)).not.toContain(token);
  });
});

describe('the served endpoints', () => {
  test.each([
    '/organization/create',
    '/organization/update-member-role',
    '/sign-in/social',
    '/change-email',
    '/delete-user',
    '/update-user',
    '/sign-in/magic-link',
  ])('%s is not among them', async (path) => {
    expect((await new Browser().post(path, {})).status).toBe(404);
  });

  test('the mailbox page refuses outside the embedded mode', async () => {
    const mailbox = inTransaction(plane.database, (tx) => listMailbox(tx, false));
    await expect(mailbox).rejects.toMatchObject({ code: 'mailbox_not_found' });
  });
});
