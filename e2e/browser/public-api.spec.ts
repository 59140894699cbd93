// The public API for its users: a key from its page, a cluster created by a program, and the reference with its request form.
import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/accessible.ts';
import { uniqueName } from './support/accounts.ts';
import { createApiKey, readApiKey } from './support/api-keys.ts';
import { saveLook } from './support/save-look.ts';
import { expect, test } from './support/test.ts';

/** Sends a request as a program would: without the page's cookies. */
function ask(webUrl: string, secret: string, method: 'GET' | 'POST', body?: unknown): Promise<Response> {
  return fetch(`${webUrl}/api/v1/clusters`, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function look(page: Page, name: string, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  for (const [width, size] of [
    [1440, 'wide'],
    [360, 'narrow'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await saveLook(page, `${name}-${theme}-${size}`, { fullPage: size === 'wide' });
    await expectFits(page);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectAccessible(page, { of: theme === 'light' ? 'everything' : 'colours' });
}

// It rotates without a gap.
test('a program can use a key from creation to revocation', async ({ demoPage: page, started }) => {
  const name = uniqueName('deployments');
  const secret = await createApiKey(page, name, 'Admin');
  const clusterName = uniqueName('by-program');
  const created = await ask(started.webUrl, secret, 'POST', {
    name: clusterName,
    cloud: 'aws',
    region: 'eu-central-1',
  });
  expect(created.status).toBe(201);

  const rows = page.getByRole('row').filter({ hasText: name });
  await page.reload();
  await expect(rows).toContainText('Active');
  for (const theme of ['light', 'dark'] as const) {
    await look(page, 'api-keys', theme);
  }

  await page.getByRole('button', { name: `Rotate key ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
  const renewed = await readApiKey(page);
  await expect(rows.filter({ hasText: 'Replaced' })).toHaveCount(1);
  for (const each of [secret, renewed]) {
    expect((await ask(started.webUrl, each, 'GET')).status).toBe(200);
  }

  await rows
    .filter({ hasText: 'Active' })
    .getByRole('button', { name: `Revoke key ${name}` })
    .click();
  await page.getByRole('dialog').getByRole('textbox').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await expect(rows.filter({ hasText: 'Revoked' })).toHaveCount(1);
  expect((await ask(started.webUrl, renewed, 'GET')).status).toBe(401);

  await page.goto('/app');
  await expect(page.getByRole('link', { name: clusterName })).toBeVisible();
  await page.goto('/app/audit');
  await expect(page.getByText(`API key ${name}`).first()).toBeVisible();
});

test('a new key is shown even if the list fails to reload', async ({ demoPage: page }) => {
  let isCreated = false;
  let held = 0;
  await page.route(/\/api\/trpc\/[^?]*apiKey\./, (route) => {
    isCreated ||= route.request().url().includes('apiKey.create');
    if (isCreated && route.request().url().includes('apiKey.list')) {
      held += 1;
      return undefined;
    }
    return route.continue();
  });
  await createApiKey(page, uniqueName('shown'), 'Viewer');
  await expect.poll(() => held).toBe(1);
});

test('the reference renders under its policy and sends requests', async ({ demoPage: page, started }) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) {
      refused.push(message.text());
    }
  });
  const secret = await createApiKey(page, uniqueName('reader'), 'Viewer');
  await page.goto('/docs/api');
  const operation = page.locator('#operations-Clusters-listClusters');
  const summary = operation.locator('summary');
  await expect(summary).toContainText('/clusters');
  await summary.click();
  await operation.getByRole('button', { name: 'Try it' }).click();
  for (const theme of ['light', 'dark'] as const) {
    await look(page, 'api-reference', theme);
  }

  // The schema of a response is one click away, and open.
  await operation.getByRole('link', { name: 'Cluster', exact: true }).click();
  await expect(
    page.locator('#schema-Cluster').getByText('When a deleted cluster is permanently deleted'),
  ).toBeVisible();

  await page.getByLabel('API key', { exact: true }).fill(secret);
  const answered = page.waitForResponse((response) => response.url().startsWith(`${started.webUrl}/api/v1/clusters`));
  await operation.getByRole('button', { name: 'Send request' }).click();
  expect((await answered).status()).toBe(200);
  await expect(operation.getByRole('region', { name: 'Response of listClusters' })).toContainText('"items"');
  expect(refused).toEqual([]);
});
