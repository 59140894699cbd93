/// <reference lib="dom" />
// What every form does, shown with one.
import { createCluster, uniqueName } from './support/accounts.ts';
import { expect, test } from './support/test.ts';

test('a form focuses its first fault and sends once', async ({ demoPage: page }) => {
  const clusterId = await createCluster(page, uniqueName('forms'));
  await page.goto(`/app/clusters/${clusterId}/topics`);
  const dialog = page.getByRole('dialog', { name: 'Create topic' });
  const name = dialog.getByLabel('Name');
  const partitions = dialog.getByLabel('Partitions');
  const openButton = page.getByRole('button', { name: 'Create topic' });

  await openButton.click();
  await name.fill('not allowed!');
  await partitions.fill('many');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/Use letters, digits/);
  await expect(partitions).toHaveAccessibleDescription(/Use a number/);
  await name.fill('orders');
  await page.keyboard.press('Enter');
  await expect(partitions).toBeFocused();
  await expect(name).toHaveValue('orders');

  let sent = 0;
  await page.route('**/api/trpc/topic.create*', async (route) => {
    sent += 1;
    await route.continue();
  });
  await partitions.fill('3');
  await page.evaluate(() => {
    const form = document.querySelector('[role="dialog"] form');
    if (form instanceof HTMLFormElement) {
      form.requestSubmit();
      form.requestSubmit();
    }
  });
  await expect(page.locator('[data-topic="orders"]')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(sent).toBe(1);

  // A fault that only the server can find.
  await openButton.click();
  await name.fill('orders');
  await partitions.fill('5');
  await page.keyboard.press('Enter');
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/already/);
  await expect(name).toHaveValue('orders');
  await expect(partitions).toHaveValue('5');
});
