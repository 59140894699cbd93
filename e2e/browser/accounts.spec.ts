import { createOrganization, followMailLink, newPerson, requestSignUp, signUp } from './support/accounts.ts';
import { awaitScript, expect, signIn, test } from './support/test.ts';

test('a refused sign-in does not reveal which field was wrong', async ({ page, started }) => {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(started.demo.email);
  await page.getByLabel('Password', { exact: true }).fill('certainly not this one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Incorrect email address or password');
  await expect(page).toHaveURL(/\/sign-in/);
});

test('a form submitted before the script loaded is not lost', async ({ context }) => {
  // Not the fixture's page, which waits for the script.
  const page = await context.newPage();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/_next/static/**', async (route) => {
    // The address ends with the deployment.
    if (new URL(route.request().url()).pathname.endsWith('.js')) {
      await held;
    }
    await route.continue();
  });
  await page.goto('/sign-in', { waitUntil: 'commit' });
  const email = page.getByLabel('Email');
  await email.fill('ada@example.com');
  await email.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-scripted', 'no');
  release();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('Enter your password.');
  await expect(email).toHaveValue('ada@example.com');
  await expect(email).not.toHaveAttribute('aria-invalid');
});

test('every field of sign-up shows its error in place', async ({ page }) => {
  await page.goto('/sign-up');
  await page.getByLabel('Work email').fill('nobody');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('Work email')).toHaveAccessibleDescription(/such as name@example.com/);

  const { email } = newPerson();
  await requestSignUp(page, email);
  await followMailLink(page, email, /Confirm your email address/);
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription(/Enter your name/);
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/at least 10 characters/);
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('qwertyuiop');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('one of the most common passwords');
});

test('a link opened by someone else still belongs to its owner', async ({ page, browser, started }) => {
  const person = newPerson();
  await requestSignUp(page, person.email);
  await followMailLink(page, person.email, /Confirm your email address/);
  await expect(page.getByLabel('Email')).toHaveValue(person.email);

  // A scanner of mails renders the page, too. It finds a form and presses nothing.
  const scanner = await browser.newContext({ baseURL: started.webUrl });
  const opened = await scanner.newPage();
  await awaitScript(opened);
  await followMailLink(opened, person.email, /Confirm your email address/);
  await expect(opened.getByRole('button', { name: 'Create account' })).toBeVisible();
  await opened.goto('/app');
  await opened.waitForURL(/\/sign-in/);
  await scanner.close();

  await page.getByLabel('Name').fill(person.name);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/app');

  await test.step('afterwards the link is used', async () => {
    await followMailLink(page, person.email, /Confirm your email address/);
    await expect(page.getByRole('main').getByRole('alert')).toContainText('already been used');
  });
});

test('a forgotten password is replaced by a mailed link', async ({ page }) => {
  const person = newPerson();
  await signUp(page, person);
  await createOrganization(page, 'Forgetful');
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');

  await page.getByRole('link', { name: 'Forgot password?' }).click();
  // The sign-in page stays until the next one loads, and has a field with the same name.
  await page.waitForURL('**/forgot-password');
  await expect(page.getByRole('button', { name: 'Send reset link' })).toBeVisible();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByText('Check your email', { exact: true })).toBeVisible();
  await followMailLink(page, person.email, /Reset your Penstock password/);
  const replacement = `${person.password} renewed`;
  await page.getByLabel('New password').fill(replacement);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByText('Password changed', { exact: true })).toBeVisible();

  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Incorrect email address or password');
  await signIn(page, person.email, replacement);
  await expect(page.getByRole('heading', { name: 'Clusters', exact: true })).toBeVisible();
});

test('the dashboard leads through sign-in to the requested page', async ({ page, started }) => {
  const wanted = `/app/clusters/${started.demo.clusterId}/topics?from=a%20mail&part=2`;
  await page.goto(wanted);
  await page.waitForURL(/\/sign-in\?next=/);
  await page.getByLabel('Email').fill(started.demo.email);
  await page.getByLabel('Password', { exact: true }).fill(started.demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => `${url.pathname}${url.search}` === wanted);
});

test('a user revokes another session of theirs', async ({ page, browser, started }) => {
  const person = newPerson();
  await signUp(page, person);
  await createOrganization(page, 'Two devices');
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1';
  const other = await browser.newContext({ baseURL: started.webUrl, userAgent });
  const otherPage = await other.newPage();
  await awaitScript(otherPage);
  await signIn(otherPage, person.email, person.password);

  await page.goto('/app/account');
  const row = page.getByRole('row').filter({ hasText: 'Safari on iPhone' });
  await row.getByRole('button', { name: 'End' }).click();
  await expect(row).toHaveCount(0);
  await otherPage.reload();
  await otherPage.waitForURL(/\/sign-in/);
  await other.close();
});
