// Replaces the root secret of an installation that holds one secret of each kind, on a real PostgreSQL.
import { createLogger, createSecretBox, type RootSecrets } from '@penstock/platform';
import { openWebhookSecret, updateWebhook } from '@penstock/tenancy';
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { expect, test } from 'vitest';
import { createAuth } from '../auth/create-auth.ts';
import { openClientSecret } from '../sso/client-secret.ts';
import { updateSso } from '../sso/sso-settings.ts';
import {
  Browser,
  nextTotpCode,
  PASSWORD,
  ROOT_SECRETS,
  setUpAccounts,
  totpCode,
  WEB_URL,
} from '../testing/accounts.ts';
import { resealSecrets } from './reseal-secrets.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);
const NEW = { id: 7, secret: 'the next root secret of the tests, 0123456789' };
const [old] = ROOT_SECRETS;
const policy = { isLoopbackAllowed: true, allowedPorts: [443] };

const authWith = (secrets: RootSecrets) =>
  createAuth({
    database: plane.database,
    webUrl: WEB_URL,
    secrets,
    trustedProxies: ['198.18.0.0/15'],
    logger: createLogger({ name: 'test', level: 'silent' }),
    secretBox: createSecretBox(secrets),
    outbound: policy,
    signUpIterations: 1,
  });

async function newTenant() {
  const tenant = await plane.newTenant();
  const tools = { policy, secretBox: createSecretBox(ROOT_SECRETS) };
  const { organizationId } = tenant;
  const sso = { issuer: 'https://idp.example.com', clientId: 'penstock', clientSecret: 'sso-secret' };
  await tenant.run((scope) => updateSso(scope, sso, tools));
  const { secret } = await tenant.run((scope) => updateWebhook(scope, { url: 'http://127.0.0.1:9/' }, tools));
  const readWith = async (secrets: RootSecrets) => {
    const box = createSecretBox(secrets);
    const connection = await plane.database.ssoConnection.findUniqueOrThrow({ where: { organizationId } });
    const account = await plane.database.billingAccount.findUniqueOrThrow({ where: { organizationId } });
    return {
      sso: openClientSecret(box, organizationId, connection.clientSecret),
      webhook: openWebhookSecret(box, organizationId, account.webhookSecret ?? ''),
    };
  };
  return { organizationId, secret, readWith };
}

const resealed = async (secrets: RootSecrets) =>
  Object.fromEntries((await resealSecrets(plane.worker, secrets)).map((column) => [column.name, column.resealed]));

async function withTwoFactor() {
  const { email, browser } = await accounts.signedUp();
  const enabled = await browser.post('/two-factor/enable', { password: PASSWORD });
  const { totpURI, backupCodes } = (await enabled.json()) as { totpURI: string; backupCodes: string[] };
  await browser.post('/two-factor/verify-totp', { code: totpCode(totpURI) });
  return { email, browser, totpURI, backupCodes };
}

// Sessions survive until the old root secret is removed.
test('everything opens after a rotation, and sessions survive', async () => {
  const tenant = await newTenant();
  const user = await withTwoFactor();
  const { secret } = tenant;
  const both: RootSecrets = [NEW, old];
  expect(await tenant.readWith(both)).toEqual({ sso: 'sso-secret', webhook: secret });
  expect(await resealed(both)).toEqual({ 'webhook secrets': 1, 'SSO client secrets': 1, 'authenticator secrets': 1 });
  expect(await resealed(both)).toEqual({ 'webhook secrets': 0, 'SSO client secrets': 0, 'authenticator secrets': 0 });

  expect(await tenant.readWith([NEW])).toEqual({ sso: 'sso-secret', webhook: secret });
  await expect(tenant.readWith(ROOT_SECRETS)).rejects.toMatchObject({ code: 'sealed_secret_unreadable' });
  const stored = JSON.stringify([
    await plane.database.billingAccount.findMany(),
    (await plane.database.ssoConnection.findMany()).map((row) => Buffer.from(row.clientSecret).toString()),
    await plane.database.twoFactor.findMany(),
  ]);
  for (const text of [secret ?? '-', 'whsec_', 'sso-secret', ...user.backupCodes]) {
    expect(stored).not.toContain(text);
  }

  const during = authWith(both);
  expect((await during.getSession(user.browser.headers))?.user.email).toBe(user.email);
  const after = authWith([NEW]);
  expect(await after.getSession(user.browser.headers)).toBeNull();
  const browser = new Browser(() => after);
  await browser.post('/sign-in/email', { email: user.email, password: PASSWORD });
  expect((await browser.post('/two-factor/verify-totp', { code: nextTotpCode(user.totpURI) })).status).toBe(200);
  expect((await after.getSession(browser.headers))?.user.email).toBe(user.email);
  const byCode = new Browser(() => after);
  await byCode.post('/sign-in/email', { email: user.email, password: PASSWORD });
  expect((await byCode.post('/two-factor/verify-backup-code', { code: user.backupCodes[0] })).status).toBe(200);
});

test('a forged or changed cookie is not signed again', async () => {
  const { browser } = await accounts.signedUp();
  const during = authWith([NEW, old]);
  const cookie = browser.headers.get('cookie') ?? '';
  const forged = new Headers(browser.headers);
  forged.set(
    'cookie',
    cookie.replace(/session_token=./, (text) => `${text.slice(0, -1)}~`),
  );
  expect(forged.get('cookie')).not.toBe(cookie);
  expect(await during.getSession(forged)).toBeNull();
  expect(await during.getSession(browser.headers)).not.toBeNull();
});

test('reports secrets without a root secret and seals the rest', async () => {
  const lost = await newTenant();
  const readable = await newTenant();
  const foreign = createSecretBox([{ id: 3, secret: 'a root secret that is lost, 0123456789 0123' }]);
  const webhookSecret = foreign.seal(
    { column: 'billing_account.webhook_secret', row: lost.organizationId },
    'whsec_lost',
  );
  await plane.database.billingAccount.update({
    where: { organizationId: lost.organizationId },
    data: { webhookSecret },
  });
  const [webhooks] = await resealSecrets(plane.worker, [NEW, old]);
  expect(webhooks).toMatchObject({ name: 'webhook secrets', unreadable: [lost.organizationId] });
  expect((await readable.readWith([NEW])).webhook).toBe(readable.secret);
  const account = await plane.database.billingAccount.findUniqueOrThrow({
    where: { organizationId: lost.organizationId },
  });
  expect(account.webhookSecret).toBe(webhookSecret);
});
