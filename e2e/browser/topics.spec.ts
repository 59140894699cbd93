import { createCluster, uniqueName } from './support/accounts.ts';
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

test('a topic of 4,608 partitions renders only the visible rows and scrolls to the last', async ({
  demoPage: page,
}) => {
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
