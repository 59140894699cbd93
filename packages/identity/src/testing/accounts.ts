// Users who sign up and in over HTTP, as a browser does: cookies in, cookies out, links from the outbox.
import { createHmac } from 'node:crypto';
import { createPrismaClient, type Database } from '@penstock/database/client';
import { createLogger, createSecretBox, type Logger, type RootSecrets } from '@penstock/platform';
import { inTransaction, listMailbox, type MailboxMail } from '@penstock/tenancy';
import type { ControlPlane } from '@penstock/tenancy/testing';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll } from 'vitest';
import { type Auth, createAuth } from '../auth/create-auth.ts';

export const WEB_URL = 'http://localhost:3000';
export const PASSWORD = 'correct horse battery';
export const ROOT_SECRETS: RootSecrets = [{ id: 0, secret: 'a-secret-of-the-tests-alone-0123456789' }];

let addresses = 0;

export function newEmail(): string {
  addresses += 1;
  return `person-${addresses}@example.com`;
}

/** Gives each browser its own address, so that throttles do not carry over between tests. */
function newAddress(): string {
  addresses += 1;
  return `198.18.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}

/** A browser with cookies. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #auth: () => Auth;
  readonly #address: string;

  constructor(auth: () => Auth, address = newAddress()) {
    this.#auth = auth;
    this.#address = address;
  }

  get headers(): Headers {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return new Headers({ cookie, origin: WEB_URL, 'x-forwarded-for': this.#address });
  }

  async post(path: string, body: unknown = {}, origin = WEB_URL): Promise<Response> {
    const headers = this.headers;
    headers.set('content-type', 'application/json');
    headers.set('origin', origin);
    return this.#send(
      new Request(`${WEB_URL}/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    );
  }

  async open(url: string): Promise<Response> {
    return this.#send(new Request(url, { headers: this.headers }));
  }

  async user(): Promise<string | null> {
    return (await this.#auth().getSession(this.headers))?.user.email ?? null;
  }

  async #send(request: Request): Promise<Response> {
    const response = await this.#auth().handle(request);
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (value === '') {
        this.#cookies.delete(name);
      } else {
        this.#cookies.set(name, value);
      }
    }
    return response;
  }
}

export interface Accounts {
  readonly auth: Auth;
  newBrowser(address?: string): Browser;
  mailsTo(email: string): Promise<MailboxMail[]>;
  latestLink(email: string): Promise<string>;
  /** Asks for the link of a sign-up. */
  requestSignUp(browser: Browser, email: string): Promise<Response>;
  /** Opens the link in the latest mail and sets name and password. */
  finishSignUp(browser: Browser, email: string): Promise<Response>;
  /** A person who signed up, and is signed in. */
  signedUp(email?: string): Promise<{ email: string; browser: Browser }>;
}

/** Sets up accounts for the tests of one file. Call it at the top of the file. */
export function setUpAccounts(
  plane: ControlPlane,
  logger: Logger = createLogger({ name: 'test', level: 'silent' }),
): Accounts {
  let auth: Auth | undefined;
  let database: Database | undefined;
  beforeAll(() => {
    database = createPrismaClient(plane.ownerUrl, 10, 'accounts');
    auth = createAuth({
      database,
      webUrl: WEB_URL,
      secrets: ROOT_SECRETS,
      trustedProxies: [],
      logger,
      secretBox: createSecretBox(ROOT_SECRETS),
      outbound: { isLoopbackAllowed: true, allowedPorts: [443] },
      signUpIterations: 1,
    });
  });
  afterAll(() => database?.$disconnect());
  const current = (): Auth => {
    if (auth === undefined) {
      throw new Error('Accounts are open within tests alone.');
    }
    return auth;
  };

  const accounts: Accounts = {
    get auth() {
      return current();
    },
    newBrowser: (address) => new Browser(current, address),
    async mailsTo(email) {
      const mails = await inTransaction(plane.database, (tx) => listMailbox(tx, true));
      return mails.filter((mail) => mail.to === email);
    },
    async latestLink(email) {
      const link = (await accounts.mailsTo(email)).find((mail) => mail.link !== null)?.link;
      if (link == null) {
        throw new Error(`No mail with a link has come for ${email}.`);
      }
      return link;
    },
    requestSignUp: async (browser, email) =>
      browser.post('/sign-up/request', { email, work: await solveWork(browser) }),
    async finishSignUp(browser, email) {
      const token = new URL(await accounts.latestLink(email)).hash.slice(1);
      return browser.post('/sign-up/finish', { token, name: 'Person', password: PASSWORD });
    },
    async signedUp(email = newEmail()) {
      const browser = accounts.newBrowser();
      for (const answer of [
        await accounts.requestSignUp(browser, email),
        await accounts.finishSignUp(browser, email),
      ]) {
        if (answer.status !== 200) {
          throw new Error(`Sign-up was answered with ${answer.status}: ${await answer.text()}`);
        }
      }
      return { email, browser };
    },
  };
  return accounts;
}

/** Does the work of a sign-up, as its page does. */
export async function solveWork(browser: Browser): Promise<unknown> {
  const answer = await browser.post('/sign-up/challenge');
  const challenge = (await answer.json()) as Challenge;
  return { challenge, solution: await solveChallenge({ challenge, deriveKey }) };
}

/** The next code, which is accepted already because clocks may be off. For users who have just typed the current one. */
export function nextTotpCode(uri: string): string {
  return totpCode(uri, Date.now() + 30_000);
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows (RFC 6238), for the secret in the QR code's URI. */
export function totpCode(uri: string, nowMs = Date.now()): string {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)));
  const mac = createHmac('sha1', key).update(step).digest();
  const offset = mac.readUInt8(19) & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
