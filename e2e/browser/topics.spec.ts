import { expectAccessible, expectFits, expectTablesFit } from './support/accessible.ts';
import { createCluster, uniqueName } from './support/accounts.ts';
import { saveLook } from './support/save-look.ts';
import { expect, test } from './support/test.ts';

test('a topic is created, opened and deleted by typing its name', async ({ demoPage: page }) => {
  const clusterId = await createCluster(page, uniqueName('topics'));
  await page.goto(`/app/clusters/${clusterId}/topics`);
  await page.getByRole('button', { name: 'Create topic' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create topic' });
  await dialog.getByLabel('Name').fill('not allowed!');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(/Use letters, digits/);
  await dialog.getByLabel('Name').fill('orders');
  await dialog.getByLabel('Partitions').fill('3');
  await dialog.getByRole('button', { name: 'Create topic' }).click();

  const row = page.locator('[data-topic="orders"]');
  await expect(row).toContainText('3');
  const byPartitions = page.getByRole('columnheader', { name: 'Partitions' });
  await byPartitions.getByRole('button').press('Enter');
  await expect(byPartitions).toHaveAttribute('aria-sort', 'descending');
  await row.getByRole('button', { name: 'orders', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Partitions of orders' }).getByRole('row')).toHaveCount(4);

  await row.getByRole('button', { name: 'Delete topic orders' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('orders');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete topic' }).click();
  await expect(row).toHaveCount(0);
});

test('every config is explained, and one is set and reset', async ({ demoPage: page }) => {
  const clusterId = await createCluster(page, uniqueName('configs'));
  await page.goto(`/app/clusters/${clusterId}/topics`);
  await page.getByRole('button', { name: 'Create topic' }).click();
  const created = page.getByRole('dialog', { name: 'Create topic' });
  await created.getByLabel('Name').fill('orders');
  await created.getByRole('button', { name: 'Create topic' }).click();
  await expect(page.locator('[data-topic="orders"]')).toBeVisible();

  await page.goto(`/app/clusters/${clusterId}/topics/orders/configuration`);
  const without = page.getByRole('region', { name: 'Configs without an effect' });
  await expect(without.locator('[data-config="segment.bytes"]')).toContainText('There are no segments');
  await expect(without.getByRole('button', { name: /^Edit/ })).toHaveCount(0);
  const row = page.locator('[data-config="cleanup.policy"]');
  await expect(row).toContainText('Default');
  await row.getByRole('button', { name: 'Edit cleanup.policy' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit cleanup.policy' });
  await dialog.getByLabel('Value').fill('keep');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByLabel('Value')).toHaveAccessibleDescription(/Use compact, delete/);
  await dialog.getByLabel('Value').fill('compact,delete');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('compact,delete');
  await expect(row).toContainText('Set');
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFits(page);
    await expectTablesFit(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectAccessible(page, { of: width === 1440 ? 'everything' : 'colours' });
      await saveLook(page, `topic-configs-${colorScheme}-${width}`, { fullPage: width === 360 });
    }
  }
  await row.getByRole('button', { name: 'Edit cleanup.policy' }).click();
  await dialog.getByRole('button', { name: 'Restore default' }).click();
  await expect(row).toContainText('Default');
  await page.getByRole('link', { name: 'Consumers', exact: true }).click();
  await expect(page.getByText('No group reads this topic')).toBeVisible();
});

// It scrolls to the last.
test('a topic of 4,608 partitions renders only visible rows', async ({ demoPage: page }) => {
  const clusterId = await createCluster(page, uniqueName('wide'));
  await page.goto(`/app/clusters/${clusterId}/topics`);
  await page.getByRole('button', { name: 'Create topic' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create topic' });
  await dialog.getByLabel('Name').fill('wide');
  await dialog.getByLabel('Partitions').fill('4608');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  const row = page.locator('[data-topic="wide"]');
  await expect(row).toContainText('4,608');
  await row.getByRole('button', { name: 'wide', exact: true }).click();

  const table = page.getByRole('table', { name: 'Partitions of wide' });
  await expect(table).toHaveAttribute('aria-rowcount', '4609');
  await expect(table.getByRole('row', { name: /^0 / })).toBeVisible();
  expect(await table.getByRole('row').count()).toBeLessThan(60);
  await page.getByRole('region', { name: 'Partitions of wide' }).focus();
  await page.keyboard.press('End');
  await expect(table.getByRole('row', { name: /^4607 / })).toBeVisible();
  expect(await table.getByRole('row').count()).toBeLessThan(60);
});
