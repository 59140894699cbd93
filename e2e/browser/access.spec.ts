// The Access page of a cluster: users, ACLs and denied requests.
import { expectAccessible, expectFits, expectTablesFit } from './support/accessible.ts';
import { createCluster, uniqueName } from './support/accounts.ts';
import { saveLook } from './support/save-look.ts';
import { expect, test } from './support/test.ts';

// The password is shown once.
test('a user is created, gets ACLs by a preset, and loses both', async ({ demoPage: page }) => {
  const clusterId = await createCluster(page, uniqueName('access'));
  await page.goto(`/app/clusters/${clusterId}/access`);
  await expect(page.getByText('No denied requests')).toBeVisible();

  await page.getByRole('button', { name: 'Create user' }).first().click();
  const creating = page.getByRole('dialog', { name: 'Create user' });
  await expect(creating).toContainText('All clients must sign in from now on');
  await creating.getByRole('button', { name: 'Create user' }).click();
  await expect(creating.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await creating.getByLabel('Name').fill('alice');
  await creating.getByRole('button', { name: 'Create user' }).click();
  const secret = page.getByRole('dialog');
  await expect(secret).toContainText('username="alice"');
  const password = /password="([^"]+)"/.exec((await secret.textContent()) ?? '')?.[1] ?? '';
  expect(password.length).toBeGreaterThanOrEqual(20);
  await secret.getByRole('button', { name: 'I’ve copied it' }).click();
  await expect(secret).toHaveCount(0);
  const users = page.getByRole('region', { name: 'Users' });
  await expect(users).toContainText('alice');
  expect(await page.content()).not.toContain(password);

  await page.getByRole('button', { name: 'Add ACLs' }).first().click();
  const adding = page.getByRole('dialog', { name: 'Add ACLs' });
  await adding.getByLabel('User').fill('alice');
  await adding.getByLabel('Topic').fill('orders');
  await adding.getByRole('button', { name: 'Add ACLs' }).click();
  await expect(adding).toHaveCount(0);
  const acls = page.getByRole('region', { name: 'ACLs' });
  const write = 'Delete ACL of User:alice: write topic orders';
  await expect(acls.getByRole('button', { name: write })).toBeVisible();

  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFits(page);
    await expectTablesFit(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectAccessible(page, { of: width === 1440 ? 'everything' : 'colours' });
      await saveLook(page, `access-used-${colorScheme}-${width}`, { fullPage: true });
    }
  }

  const before = await acls.getByRole('row').count();
  await acls.getByRole('button', { name: write }).click();
  await expect(acls.getByRole('row')).toHaveCount(before - 1);
  await users.getByRole('button', { name: 'Delete user alice' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete this user?' });
  await deleting.getByRole('textbox').fill('alice');
  await deleting.getByRole('button', { name: 'Delete user' }).click();
  await expect(page.getByText('No users yet')).toBeVisible();
});
