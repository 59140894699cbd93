// Generated bodies for every form of an account: sign-up, sign-in, passwords, second factors, passkeys, single sign-on. Whatever
// comes, the answer is no defect of ours.
import { newId } from '@penstock/platform';
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { bentJson, hostileText, runFuzz } from '@penstock/testing/fuzz';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type Browser, newEmail, PASSWORD, setUpAccounts, WEB_URL } from '../testing/accounts.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);
let member: Browser;

beforeAll(async () => {
  member = (await accounts.signedUp()).browser;
});

const email = newEmail();
const base64 = Buffer.from('{"type":"webauthn.get","challenge":"x","origin":"http://localhost:3000"}').toString(
  'base64url',
);
const credential = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: base64, attestationObject: base64, authenticatorData: base64, signature: base64 },
};

/** Bodies as the pages send them. */
const forms: Readonly<Record<string, unknown>> = {
  '/sign-up/request': {
    email,
    work: {
      challenge: {
        parameters: { algorithm: 'PBKDF2/SHA-256', cost: 1, nonce: 'aa', salt: 'bb', keyPrefix: '00' },
        signature: 'cc',
      },
      solution: { counter: 1, derivedKey: 'dd', time: 1 },
    },
  },
  '/sign-up/open': { token: 'token' },
  '/sign-up/finish': { token: 'token', name: 'Person', password: PASSWORD },
  '/sign-in/email': { email, password: 'not the password', rememberMe: true },
  '/request-password-reset': { email },
  '/reset-password': { token: 'token', newPassword: 'another horse battery' },
  '/change-password': { currentPassword: 'wrong', newPassword: 'another horse battery', revokeOtherSessions: false },
  '/two-factor/enable': { password: 'wrong' },
  '/two-factor/disable': { password: 'wrong' },
  '/two-factor/verify-totp': { code: '123456' },
  '/two-factor/verify-backup-code': { code: 'aaaaa-bbbbb' },
  '/two-factor/generate-backup-codes': { password: 'wrong' },
  '/passkey/verify-registration': { response: credential, name: 'Key' },
  '/passkey/verify-authentication': { response: credential },
  '/passkey/delete-passkey': { id: newId() },
  '/confirm/password': { password: 'wrong' },
  '/confirm/code': { code: '123456' },
  '/confirm/passkey': { response: credential },
  '/sso/start': { email, next: '/app' },
  '/sso/test': { organizationId: newId() },
  '/sso/confirm': {},
};

test.each(Object.keys(forms))('%s refuses text that nothing can store', async (path) => {
  const statuses: Record<string, number> = {};
  for (const name of Object.keys(Object(forms[path]))) {
    for (const text of ['a\0b', '\ud800', `a\0b@example.com`]) {
      for (const browser of [member, accounts.newBrowser()]) {
        const { status } = await browser.post(path, { ...Object(forms[path]), [name]: text });
        if (status >= 500) {
          statuses[`${name}: ${JSON.stringify(text)}`] = status;
        }
      }
    }
  }
  expect(statuses).toEqual({});
});

test('a body nested a thousand times over is refused', async () => {
  const deep = `{"email":${'['.repeat(15_000)}${']'.repeat(15_000)}}`;
  for (const path of Object.keys(forms)) {
    const headers = member.headers;
    headers.set('content-type', 'application/json');
    const request = new Request(`${WEB_URL}/api/auth${path}`, { method: 'POST', headers, body: deep });
    expect((await accounts.auth.handle(request)).status).toBe(400);
  }
});

test('every form answers or refuses generated bodies', async () => {
  const posts = fc.constantFrom(...Object.keys(forms)).chain((path) =>
    fc.record({
      path: fc.constant(path),
      body: bentJson(forms[path]),
      isSignedIn: fc.boolean(),
    }),
  );
  const property = fc.asyncProperty(posts, async ({ path, body, isSignedIn }) => {
    const { status } = await (isSignedIn ? member : accounts.newBrowser()).post(path, body);
    expect(status).toBeLessThan(500);
  });
  await runFuzz('forms', 'accounts', 150, property);
});

test('the callback of single sign-on answers any query', async () => {
  const queries = fc.dictionary(
    fc.constantFrom('state', 'code', 'error', 'error_description', 'iss'),
    hostileText(300),
  );
  const property = fc.asyncProperty(queries, async (query) => {
    const url = `http://localhost:3000/api/auth/sso/callback?${new URLSearchParams(query)}`;
    const { status } = await accounts.newBrowser().open(url);
    expect(status).toBeLessThan(500);
  });
  await runFuzz('sign-in', 'callbacks', 60, property);
});
