// A new user's path to a cluster that a program creates with the command from the documentation.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createOrganization, invite, newPerson, signUp } from './support/accounts.ts';
import { createApiKey } from './support/api-keys.ts';
import { expect, test } from './support/test.ts';
import { totpCode } from './support/totp.ts';

// With an invitation, two-factor and an API key on the way.
test('a new user can follow the docs from sign-up to a cluster', async ({ page, context, started }) => {
  const person = newPerson();
  await signUp(page, person);
  await createOrganization(page, 'Newcomers');
  await invite(page, newPerson().email, 'Admin');

  await test.step('a second factor', async () => {
    await page.goto('/app/account');
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up two-factor sign-in' });
    await dialog.getByLabel('Your password').fill(person.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const key = ((await dialog.locator('pre').textContent()) ?? '').trim();
    await dialog.getByLabel('Code from your authenticator app').fill(totpCode(key));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await expect(dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
    await dialog.getByRole('button', { name: 'I’ve saved them' }).click();
    await expect(page.getByText('On', { exact: true })).toBeVisible();
  });

  const secret = await createApiKey(page, 'first', 'Admin');
  await page.goto('/app');
  await expect(page.getByRole('heading', { name: 'Create your first cluster' })).toBeVisible();

  // The clusters page stays open and is not reloaded.
  await test.step('the quick start’s command, with address and key filled in', async () => {
    const docs = await context.newPage();
    await docs.goto('/docs');
    const command = (await docs.locator('pre', { hasText: 'api/v1/clusters' }).first().textContent()) ?? '';
    expect(command).toContain('psk_api_YOUR_KEY');
    expect(command).toContain('https://penstock.example.com');
    const filled = command.replace('psk_api_YOUR_KEY', secret).replace('https://penstock.example.com', started.webUrl);
    const { stdout } = await promisify(execFile)('sh', ['-c', filled]);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'orders' });
    await docs.close();
  });
  await expect(page.getByRole('link', { name: 'orders' })).toBeVisible();
});
