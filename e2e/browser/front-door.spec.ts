// Security of the web app's responses: headers, cross-site requests, and secrets in logs and bundles.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { newPerson, signUp } from './support/accounts.ts';
import { expect, test } from './support/test.ts';

const PAGES = ['/', '/pricing', '/sign-in', '/docs', '/invitation', '/no-such-page'] as const;

for (const address of [...PAGES, '/api/trpc/session.get', '/theme-init.js']) {
  test(`${address} has the security headers`, async ({ request }) => {
    const headers = (await request.get(address)).headers();
    expect(headers['content-security-policy']).toMatch(/script-src 'nonce-[A-Za-z0-9+/=]{20,}' 'strict-dynamic';/);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).toContain("base-uri 'none'");
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });
}

test('every script of a page carries the nonce of that response', async ({ request }) => {
  const seen = new Set<string>();
  for (const address of [...PAGES, ...PAGES]) {
    const answer = await request.get(address);
    const nonce = /'nonce-([^']+)'/.exec(answer.headers()['content-security-policy'] ?? '')?.[1] ?? '';
    const scripts = (await answer.text()).match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      expect(script).toContain(`nonce="${nonce}"`);
    }
    seen.add(nonce);
  }
  expect(seen.size).toBe(2 * PAGES.length);
});

test('no page violates its policy or runs an injected script', async ({ page }) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) {
      violations.push(message.text());
    }
  });
  for (const address of PAGES) {
    await page.goto(address);
    await expect(page.getByRole('heading').first()).toBeVisible();
  }
  expect(violations).toEqual([]);
  await page.evaluate(() => {
    const takeOver = "top.document.title = 'taken over'";
    document.body.insertAdjacentHTML('beforeend', `<img alt="" src="/missing.png" onerror="${takeOver}">`);
    // A frame inherits the policy, and its parser handles the script like one in a page.
    document.body.insertAdjacentHTML('beforeend', `<iframe srcdoc="<script>${takeOver}</script>"></iframe>`);
  });
  await expect.poll(() => violations.length).toBeGreaterThanOrEqual(2);
  await expect(page).not.toHaveTitle('taken over');
});

test.describe('cross-site requests', () => {
  const foreign = { origin: 'https://evil.example' };
  test('change nothing, through tRPC or the account endpoints', async ({ request, demoState, started, playwright }) => {
    const asDemo = await playwright.request.newContext({ baseURL: started.webUrl, storageState: demoState });
    const tries = [
      asDemo.post('/api/trpc/organization.create', { headers: foreign, data: { json: { name: 'Forged' } } }),
      asDemo.post('/api/auth/sign-out', { headers: foreign, data: {} }),
      asDemo.get('/api/trpc/session.get', { headers: { 'sec-fetch-site': 'cross-site' } }),
      request.post('/api/auth/sign-in/email', { headers: foreign, data: { email: 'a@example.com', password: 'x' } }),
    ];
    for (const answer of await Promise.all(tries)) {
      expect(answer.status()).toBe(403);
    }
    const session = await (await asDemo.get('/api/trpc/session.get')).text();
    expect(session).toContain(started.demo.email);
    expect(session).not.toContain('Forged');
    await asDemo.dispose();
  });
});

test('signing out ends a session even for a copied cookie', async ({ page, playwright, started }) => {
  await signUp(page, newPerson());
  const thief = await playwright.request.newContext({
    baseURL: started.webUrl,
    storageState: await page.context().storageState(),
  });
  expect((await thief.get('/api/trpc/account.sessions')).status()).toBe(200);
  const answered = page.waitForResponse(/\/api\/auth\/sign-out/);
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await answered;
  // Requested at once. How soon the refusal arrives depends on how busy the machine is, not on the session.
  expect((await thief.get('/api/trpc/account.sessions')).status()).toBe(401);
  await thief.dispose();
});

test('secrets in requests reach no log', async ({ request, page }) => {
  const canary = `canary-${Math.random().toString(36).slice(2)}-secret`;
  await signUp(page, { ...newPerson(), password: canary });
  const json = { 'content-type': 'application/json' };
  const answers = await Promise.all([
    request.post('/api/auth/sign-in/email', { data: { email: 'nobody@example.com', password: canary } }),
    request.post('/api/auth/sign-up/open', { data: { token: canary } }),
    request.post('/api/auth/reset-password', { data: { token: canary, newPassword: canary } }),
    request.post('/api/auth/sign-in/email', { headers: json, data: `{"password": "${canary}"` }),
    request.post('/api/auth/two-factor/verify-totp', { data: { code: canary } }),
    request.post('/api/trpc/invitation.preview', { data: { json: { token: canary } } }),
    request.post('/api/trpc/invitation.preview', { data: { json: { token: { nested: canary } } } }),
    request.post('/api/trpc/no.such', {
      headers: { authorization: `Bearer ${canary}` },
      data: { json: { secret: canary } },
    }),
    request.get('/api/trpc/session.get', { headers: { cookie: `penstock.session_token=${canary}` } }),
  ]);
  for (const answer of answers) {
    expect(answer.status()).toBeLessThan(500);
  }
  const logs = path.join(path.dirname(process.env['PENSTOCK_E2E_STARTED'] ?? ''), 'logs');
  const files = await readdir(logs);
  expect(files).toContain('web.log');
  for (const file of files) {
    expect(await readFile(path.join(logs, file), 'utf8'), file).not.toContain(canary);
  }
});

// Or code that would read one.
test('no file for browsers contains server secrets', async ({ request, demoPage, started }) => {
  const home = path.dirname(process.env['PENSTOCK_E2E_STARTED'] ?? '');
  const stored = Object.values<string>(JSON.parse(await readFile(path.join(home, 'secrets.json'), 'utf8')));
  // Keys that are replaced one by one carry an id.
  const secrets = stored.map((secret) => secret.replace(/^\d+:/, ''));
  expect(secrets.length).toBeGreaterThanOrEqual(3);
  // Server-only variables: their names are in the code that reads them.
  const serverOnly = [
    'PENSTOCK_ADMIN_KEYS',
    'PENSTOCK_BROWSE_KEYS',
    'PENSTOCK_AUTH_SECRET',
    'PENSTOCK_SECRETS',
    'STRIPE_SECRET_KEY',
    'DATABASE_URL',
    'SMTP_URL',
  ];
  const built = path.join(import.meta.dirname, '../../apps/web/.next/static');
  const files = (await readdir(built, { recursive: true })).filter((file) => /\.(js|css|json|map)$/.test(file));
  expect(files.length).toBeGreaterThan(10);
  const found: string[] = [];
  const inspect = (where: string, text: string): void => {
    for (const word of [...secrets, ...serverOnly]) {
      if (text.includes(word)) {
        found.push(where);
      }
    }
  };
  for (const file of files) {
    inspect(file, await readFile(path.join(built, file), 'utf8'));
  }
  const cluster = `/app/clusters/${started.demo.clusterId}`;
  for (const address of ['/', '/sign-in']) {
    inspect(address, await (await request.get(address)).text());
  }
  for (const address of ['/app', cluster, `${cluster}/connect`, `${cluster}/keys`, '/app/account']) {
    inspect(address, await (await demoPage.request.get(address)).text());
  }
  expect(found).toEqual([]);
});
