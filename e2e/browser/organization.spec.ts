// Organization-wide features: audit log search and export, data export, single sign-on, deletion and restoration.
import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { createCluster, createOrganization, newPerson, signUp, uniqueName } from './support/accounts.ts';
import { expect, test } from './support/test.ts';

async function linesOf(download: Download): Promise<Record<string, unknown>[]> {
  const text = await readFile(await download.path(), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function downloadBy(page: Page, name: string): Promise<Record<string, unknown>[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
  return linesOf(download);
}

// After a search of the audit log.
test('an owner exports, deletes and restores the organization', async ({ page }) => {
  await signUp(page, newPerson());
  const organization = uniqueName('Acme');
  await createOrganization(page, organization);
  const cluster = uniqueName('orders');
  await createCluster(page, cluster);

  await test.step('the search stands in the address, and the export keeps to it', async () => {
    await page.goto('/app/audit');
    await expect(page.getByRole('cell', { name: 'created the organization' })).toBeVisible();
    await page.getByLabel('What', { exact: true }).click();
    await page.getByRole('option', { name: 'created a cluster' }).click();
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL(/action=cluster\.create/);
    await expect(page.getByRole('cell', { name: 'created the organization' })).toHaveCount(0);
    await expect(page.getByRole('cell', { name: 'created a cluster' })).toBeVisible();
    const rows = await downloadBy(page, 'NDJSON');
    expect(rows.map(({ action }) => action)).toEqual(['cluster.create']);
    await page.goBack();
    await expect(page.getByRole('cell', { name: 'created the organization' })).toBeVisible();
    await page.getByLabel('Who', { exact: true }).fill('nobody');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page.getByText('No entries match this search.')).toBeVisible();
  });

  await test.step('the export holds the organization and says that it is whole', async () => {
    await page.goto('/app/organization');
    const lines = await downloadBy(page, 'Export');
    expect(lines.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['organization', 'member', 'cluster', 'audit']),
    );
    expect(lines.at(-1)).toMatchObject({ type: 'end', data: { lines: lines.length } });
  });

  await test.step('sessions end earlier when an owner says so', async () => {
    const days = page.getByLabel('Days until members sign in again');
    const save = page.getByRole('button', { name: 'Set limit' });
    await expect(days).toHaveValue('90');
    await days.fill('91');
    await save.click();
    await expect(days).toHaveAccessibleDescription(/at most 90 days/);
    await days.fill('30');
    await save.click();
    await expect(page.getByText('Sessions end after 30 days').first()).toBeVisible();
    await page.reload();
    await expect(days).toHaveValue('30');
  });

  await test.step('single sign-on is set up, and a domain waits for its proof', async () => {
    const domain = `${uniqueName('sso')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '-')}.example`;
    // Nothing listens on this port.
    await page.getByLabel('Issuer').fill('http://127.0.0.1:1');
    await page.getByLabel('Client id').fill('penstock');
    await page.getByLabel('Client secret').fill('a secret of theirs');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Leave empty to keep the current secret.')).toBeVisible();
    await page.getByLabel('Domain', { exact: true }).fill(domain);
    await page.getByRole('button', { name: 'Add domain' }).click();
    const item = page.getByRole('listitem').filter({ hasText: domain });
    await expect(item).toContainText('Not verified');
    await expect(item).toContainText(/penstock-verification=\w{32}/);
    await expect(page.getByRole('switch', { name: 'Require single sign-on' })).toBeDisabled();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByText('We couldn’t reach the provider')).toBeVisible();
    await expect(page.getByRole('switch', { name: 'Require single sign-on' })).toBeDisabled();
    expect(await page.content()).not.toContain('a secret of theirs');
  });

  await test.step('a SCIM token is shown once and works until it is revoked', async () => {
    await page.getByRole('button', { name: 'Create SCIM token' }).click();
    const secret = /psk_scim_\w{32}_\w{6}/.exec((await page.getByRole('dialog').textContent()) ?? '')?.[0] ?? '';
    await page.getByRole('button', { name: 'I’ve copied it' }).click();
    await expect(page.getByText('Not used yet')).toBeVisible();
    expect(await page.content()).not.toContain(secret);
    const list = () => page.request.get('/scim/v2/Users', { headers: { authorization: `Bearer ${secret}` } });
    const users = await list();
    expect(users.headers()['content-type']).toContain('application/scim+json');
    expect(await users.json()).toMatchObject({ totalResults: 0, Resources: [] });
    await page.reload();
    await expect(page.getByText('Last sync')).toBeVisible();
    await page.getByRole('button', { name: /^Revoke psk_scim_/ }).click();
    await expect(page.getByText('Last sync')).toHaveCount(0);
    expect((await list()).status()).toBe(401);
  });

  await test.step('deleted, nobody opens it; restored, its cluster is back', async () => {
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('something else');
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await expect(dialog).toContainText('This doesn’t match');
    await dialog.getByRole('textbox').first().fill(organization);
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await expect(page.getByRole('heading', { name: 'Deleted organizations' })).toBeVisible();
    await page.goto('/app');
    await expect(page.getByRole('heading', { name: 'Create your organization' })).toBeVisible();
    await page.getByRole('button', { name: `Restore ${organization}` }).click();
    await expect(page.getByRole('link', { name: cluster })).toBeVisible();
  });
});

test('an unknown email domain stays on the sign-in page', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
  await page.getByLabel('Work email').fill('ada@nobody.example');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'No organization uses single sign-on with this email domain',
  );
  await page.goto('/sign-in/sso?refused=sso_state_unknown');
  await expect(page.getByRole('main').getByRole('alert')).toContainText('was already completed');
});
