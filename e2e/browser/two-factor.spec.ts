// Two-factor sign-in: codes of an authenticator app, recovery codes, passkeys on a virtual authenticator.
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { createOrganization, invite, newPerson, type Person, signUp } from './support/accounts.ts';
import { saveLook } from './support/save-look.ts';
import { awaitScript, expect, signIn, test } from './support/test.ts';
import { nextTotpCode, totpCode } from './support/totp.ts';

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
}

async function typePassword(page: Page, person: Person): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Sets up two-factor sign-in on the account page and returns the key of the authenticator app. */
async function setUpTwoFactor(page: Page, person: Person): Promise<string> {
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor sign-in' });
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const key = ((await dialog.locator('pre').textContent()) ?? '').trim();
  await dialog.getByLabel('Code from your authenticator app').fill(totpCode(key));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByRole('button', { name: 'I’ve saved them' }).click();
  return key;
}

test('a required second factor admits members who set it up', async ({ page, browser, started }) => {
  const [owner, member] = [newPerson(), newPerson()];
  await signUp(page, owner);
  await createOrganization(page, 'Strict');
  await invite(page, member.email, 'Viewer');

  await test.step('an owner without one cannot lock themselves out', async () => {
    await page.goto('/app/organization');
    await expect(page.getByText(`${owner.email} hasn’t set it up.`)).toBeVisible();
    await page.getByRole('button', { name: 'Require two-factor sign-in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Require two-factor sign-in?' });
    await dialog.getByRole('button', { name: 'Require' }).click();
    await expect(dialog).toContainText('would lock you out');
    await expectAccessible(page);
    await saveLook(page, 'require-two-factor');
    await page.goto('/app/account');
    await setUpTwoFactor(page, owner);
    await page.goto('/app/organization');
    await page.getByRole('button', { name: 'Require two-factor sign-in' }).click();
    await dialog.getByRole('button', { name: 'Require' }).click();
    await expect(page.getByRole('button', { name: 'Make it optional' })).toBeVisible();
  });

  await test.step('an invitee sets up two factors and enters the organization', async () => {
    const context = await browser.newContext({ baseURL: started.webUrl });
    const theirs = await context.newPage();
    await awaitScript(theirs);
    await signUp(theirs, member);
    await theirs.getByRole('button', { name: /^Accept the invitation to / }).click();
    await theirs.waitForURL('**/app/account');
    await expect(theirs.getByText('To open Strict, set up two-factor sign-in')).toBeVisible();
    await expectAccessible(theirs);
    await saveLook(theirs, 'two-factor-required');
    await theirs.goto('/app');
    await expect(theirs.getByRole('heading', { name: 'Create your organization' })).toHaveCount(0);
    await theirs.getByRole('link', { name: 'Go to your account' }).click();
    await setUpTwoFactor(theirs, member);
    await expect(theirs.getByRole('heading', { name: 'Clusters', exact: true })).toBeVisible();
    await context.close();
  });
});

// Or a recovery code.
test('sign-in needs a code once an authenticator app is set up', async ({ page }) => {
  const person = newPerson();
  await signUp(page, person);
  await createOrganization(page, 'Two keys');
  await page.goto('/app/account');

  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor sign-in' });
  await dialog.getByLabel('Your password').fill('certainly not this one');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The current password is incorrect');
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await expectAccessible(page);
  const key = ((await dialog.locator('pre').textContent()) ?? '').trim();
  await dialog.getByLabel('Code from your authenticator app').fill(totpCode(key));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recoveryCode = (await codes.first().textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(page.getByText('On', { exact: true })).toBeVisible();
  await expect(page.getByText('This session')).toBeVisible();

  await test.step('a code', async () => {
    await signOut(page);
    await typePassword(page, person);
    await page.getByLabel('Code from your authenticator app').fill('000000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('This code is incorrect');
    await expectAccessible(page);
    await page.getByLabel('Code from your authenticator app').fill(nextTotpCode(key));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/app');
  });

  await test.step('a recovery code, once', async () => {
    await signOut(page);
    await typePassword(page, person);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/app');
    await signOut(page);
    await typePassword(page, person);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('has already been used');
  });
});

test('a passkey signs in without a password until removed', async ({ page }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const person = newPerson();
  await signUp(page, person);
  await createOrganization(page, 'Fingers');
  await page.goto('/app/account');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add passkey' });
  await dialog.getByLabel('Name').fill('Laptop');
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  const row = page.getByRole('region', { name: 'Passkeys' }).getByRole('row').filter({ hasText: 'Laptop' });
  await expect(row).toBeVisible();
  await expectAccessible(page);

  await signOut(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/app');

  await page.goto('/app/account');
  await row.getByRole('button', { name: 'Remove passkey Laptop' }).click();
  await page
    .getByRole('dialog', { name: 'Remove this passkey?' })
    .getByRole('button', { name: 'Remove passkey' })
    .click();
  await expect(page.getByText('No passkeys yet')).toBeVisible();
  await signOut(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('isn’t linked to an account');
  await signIn(page, person.email, person.password);

  await page.goto('/app/audit');
  for (const what of ['added a passkey', 'removed a passkey']) {
    await expect(page.getByRole('cell', { name: what })).toBeVisible();
  }
});
