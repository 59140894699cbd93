import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** Creates a key on the page and returns its secret. */
export async function createApiKey(page: Page, name: string, role: string): Promise<string> {
  await page.goto('/app/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Role').click();
  await page.getByRole('option', { name: role, exact: true }).click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  return readApiKey(page);
}

/** Reads the secret from a dialog that cannot be dismissed until it is confirmed. */
export async function readApiKey(page: Page): Promise<string> {
  const shown = page.getByRole('dialog', { name: 'Your new API key' });
  const secret = /psk_api_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}/.exec((await shown.textContent()) ?? '')?.[0] ?? '';
  expect(secret).not.toBe('');
  await page.keyboard.press('Escape');
  await expect(shown.getByText(secret, { exact: true })).toBeVisible();
  await expect(shown.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await shown.getByRole('button', { name: 'I’ve copied it' }).click();
  return secret;
}
