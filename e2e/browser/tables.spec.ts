// What every list does, shown with that of topics.
import { readFile } from 'node:fs/promises';
import { expectAccessible, expectFits, expectTablesFit } from './support/accessible.ts';
import { createCluster, uniqueName } from './support/accounts.ts';
import { createApiKey } from './support/api-keys.ts';
import { saveLook } from './support/save-look.ts';
import { expect, test } from './support/test.ts';

test('a list is sorted and filtered by its URL, and downloaded', async ({ demoPage: page, started }) => {
  const secret = await createApiKey(page, uniqueName('tables'), 'Admin');
  const clusterId = await createCluster(page, uniqueName('tables'));
  const names = ['orders-2', 'orders-10', 'orders-1', 'clicks', 'views', 'users', 'payments', 'refunds', '-orders'];
  for (const [index, name] of names.entries()) {
    const created = await fetch(`${started.webUrl}/api/v1/clusters/${clusterId}/topics`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, partitions: index + 1 }),
    });
    expect(created.status, await created.text()).toBe(201);
  }
  await page.goto(`/app/clusters/${clusterId}/topics`);
  const table = page.getByRole('table', { name: 'Topics' });
  const shown = () =>
    page.locator('[data-topic]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-topic')));
  await expect(page.locator('[data-topic]')).toHaveCount(9);
  await expect(page.getByText('9 topics', { exact: true })).toBeVisible();

  const filter = page.getByRole('searchbox', { name: 'Filter topics by name' });
  await filter.pressSequentially('ORDERS');
  await expect(page.getByText('4 of 9 topics')).toBeVisible();
  const byName = table.getByRole('columnheader', { name: 'Topic', exact: true });
  await byName.getByRole('button').press('Enter');
  await expect(byName).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(shown).toEqual(['-orders', 'orders-1', 'orders-2', 'orders-10']);
  await byName.getByRole('button').press('Enter');
  await expect(byName).toHaveAttribute('aria-sort', 'descending');

  await page.getByRole('button', { name: 'Columns and download: Topics' }).press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'Size' }).press('Enter');
  await expect(table.getByRole('columnheader', { name: 'Size' })).toHaveCount(0);
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download 4 topics as CSV' }).press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('topics.csv');
  expect(await readFile(await download.path(), 'utf8')).toBe(
    "Topic,Partitions,Records\r\norders-10,2,0\r\norders-2,1,0\r\norders-1,3,0\r\n'-orders,9,0\r\n",
  );

  // The URL holds it all.
  await expect(page).toHaveURL(/\?sort=-name&filter=ORDERS&hide=size$/);
  await page.reload();
  await expect(filter).toHaveValue('ORDERS');
  await expect.poll(shown).toEqual(['orders-10', 'orders-2', 'orders-1', '-orders']);
  await expect(table.getByRole('columnheader', { name: 'Size' })).toHaveCount(0);

  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFits(page);
    await expectTablesFit(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectAccessible(page, { of: width === 1440 ? 'everything' : 'colours' });
      await saveLook(page, `tables-${colorScheme}-${width}`);
    }
  }

  await filter.fill('nothing of the kind');
  await expect(page.getByRole('heading', { name: 'No topics match' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(page.locator('[data-topic]')).toHaveCount(9);
  await expect(page).toHaveURL(/\?sort=-name&hide=size$/);
});

test('a part of a list is neither sorted nor filtered', async ({ demoPage: page }) => {
  // Pages of two entries.
  await page.route('**/api/trpc/**audit.list**', (route) =>
    route.continue({ url: route.request().url().replace('%22limit%22%3A50', '%22limit%22%3A2') }),
  );
  await page.goto('/app/audit');
  const table = page.getByRole('table', { name: 'Audit log, newest first' });
  await expect(page.getByText('The newest 2 entries')).toBeVisible();
  await expect(table.locator('[aria-sort]')).toHaveCount(0);
  await expect(page.getByRole('searchbox', { name: /^Filter entries/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Older entries' }).click();
  await expect(page.getByText('The newest 4 entries')).toBeVisible();
  await expect(table.getByRole('row')).toHaveCount(5);
});
