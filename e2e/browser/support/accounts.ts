import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect } from './test.ts';

export interface Person {
  name: string;
  email: string;
  password: string;
}

/** A user without an account. */
export function newPerson(): Person {
  const id = randomUUID().slice(0, 8);
  return { name: `Ada ${id}`, email: `ada-${id}@example.com`, password: `correct horse ${id}` };
}

/** Opens the newest mail with this subject in the installation's mailbox for the address, and follows its link. */
export async function followMailLink(page: Page, email: string, subject: RegExp): Promise<void> {
  const mail = page
    .locator(`article[data-to="${email}"]`)
    .filter({ has: page.getByRole('heading', { name: subject }) });
  await expect(async () => {
    await page.goto('/dev/mailbox');
    await expect(mail.first()).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await mail.first().getByRole('link', { name: 'Open link' }).click();
}

/** Asks for the mail that proves the address. */
export async function requestSignUp(page: Page, email: string): Promise<void> {
  await page.goto('/sign-up');
  await page.getByLabel('Work email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Check your email', { exact: true })).toBeVisible();
}

/** Proves the address and sets name and password. The user is then signed in and has no organization yet. */
export async function signUp(page: Page, person: Person): Promise<void> {
  await requestSignUp(page, person.email);
  await followMailLink(page, person.email, /Confirm your email address/);
  await page.getByLabel('Name').fill(person.name);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/app');
}

export async function createOrganization(page: Page, name: string): Promise<void> {
  await page.getByLabel('Organization name').fill(name);
  await page.getByRole('button', { name: 'Create organization' }).click();
  await expect(page.getByRole('heading', { name: 'Create your first cluster' })).toBeVisible();
}

/** Creates a cluster from the list. Ends on its Connect section. */
export async function createCluster(page: Page, name: string): Promise<string> {
  await page.goto('/app');
  await page.getByRole('button', { name: 'Create cluster' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create virtual cluster' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create cluster' }).click();
  await page.waitForURL(/\/app\/clusters\/[0-9a-f-]+\/connect$/);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const clusterId = new URL(page.url()).pathname.split('/')[3];
  if (clusterId === undefined) {
    throw new Error(`No cluster id in ${page.url()}`);
  }
  return clusterId;
}

/** Invites a user to the active organization from the members page. */
export async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.goto('/app/members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Role').click();
  await page.getByRole('option', { name: role, exact: true }).click();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText(role);
}

/** A name that no earlier run has used. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`;
}
