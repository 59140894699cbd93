// A team: members are invited, see what their role allows, change roles and leave.
import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import {
  createCluster,
  createOrganization,
  followMailLink,
  invite,
  newPerson,
  type Person,
  signUp,
} from './support/accounts.ts';
import { awaitScript, expect, test } from './support/test.ts';

/** A user with their own browser who has signed up with the invited address. */
async function signUpElsewhere(browser: Browser, webUrl: string, person: Person): Promise<Page> {
  const context = await browser.newContext({ baseURL: webUrl });
  const page = await context.newPage();
  await awaitScript(page);
  await signUp(page, person);
  return page;
}

/** Like `signUpElsewhere`, and has accepted the invitation on the dashboard. */
async function joinAsNewUser(browser: Browser, webUrl: string, person: Person): Promise<Page> {
  const page = await signUpElsewhere(browser, webUrl, person);
  await page.getByRole('button', { name: /^Accept the invitation to / }).click();
  await expect(page.getByRole('heading', { name: 'Clusters', exact: true })).toBeVisible();
  return page;
}

function memberRow(page: Page, person: Person) {
  return page.getByRole('region', { name: 'Members' }).getByRole('row').filter({ hasText: person.email });
}

test('an invited viewer sees only their part until removed', async ({ page, browser, started }) => {
  const owner = newPerson();
  const colleague = newPerson();
  await signUp(page, owner);
  await createOrganization(page, 'Water works');
  const clusterId = await createCluster(page, 'orders');
  await invite(page, colleague.email, 'Viewer');

  const theirs = await joinAsNewUser(browser, started.webUrl, colleague);
  await test.step('a viewer is offered nothing that the server would refuse', async () => {
    await expect(theirs.getByRole('link', { name: 'orders' })).toBeVisible();
    await expect(theirs.getByRole('button', { name: 'Create cluster' })).toHaveCount(0);
    await expect(theirs.getByRole('link', { name: 'Audit log' })).toHaveCount(0);
    await theirs.goto('/app/members');
    await expect(memberRow(theirs, owner)).toContainText('Owner');
    await expect(theirs.getByRole('button', { name: 'Invite member' })).toHaveCount(0);
    await theirs.goto(`/app/clusters/${clusterId}/settings`);
    await expect(theirs.getByText('Owners and admins can change these settings.')).toBeVisible();
    await expect(theirs.getByRole('button', { name: 'Delete cluster' })).toHaveCount(0);
    await theirs.goto(`/app/clusters/${clusterId}/keys`);
    await expect(theirs.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
    await expect(theirs.getByRole('button', { name: 'Create key' })).toHaveCount(0);
  });

  await test.step('a new role counts at once', async () => {
    await page.goto('/app/members');
    await memberRow(page, colleague)
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change role' });
    await dialog.getByLabel('Role').click();
    await page.getByRole('option', { name: 'Admin', exact: true }).click();
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await expect(memberRow(page, colleague)).toContainText('Admin');
    await theirs.goto('/app');
    await expect(theirs.getByRole('button', { name: 'Create cluster' })).toBeVisible();
    await expect(theirs.getByRole('link', { name: 'Audit log' })).toBeVisible();
  });

  await test.step('a removed member’s open page is told by itself', async () => {
    await theirs.goto(`/app/clusters/${clusterId}`);
    await expect(theirs.locator('[data-connection="live"]')).toBeVisible();
    await memberRow(page, colleague)
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Remove member' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove this member?' });
    await dialog.getByRole('textbox').fill(colleague.email);
    await dialog.getByRole('button', { name: 'Remove member' }).click();
    // Without a reload: the server closes the stream.
    await expect(theirs.getByRole('main').getByRole('alert')).toContainText(
      'You’re no longer a member of this organization',
    );
    await expect(memberRow(page, colleague)).toHaveCount(0);
    await theirs.goto('/app');
    await expect(theirs.getByRole('heading', { name: 'Create your organization' })).toBeVisible();
  });

  await test.step('the audit log tells all of it', async () => {
    await page.goto('/app/audit');
    for (const what of ['invited a member', 'accepted an invitation', 'changed a member’s role', 'removed a member']) {
      await expect(page.getByRole('cell', { name: what })).toBeVisible();
    }
  });
  await theirs.context().close();
});

test('an invitation can add a role for one cluster', async ({ page, browser, started }) => {
  const owner = newPerson();
  const colleague = newPerson();
  await signUp(page, owner);
  await createOrganization(page, 'Rail works');
  const ordersId = await createCluster(page, 'orders');
  const returnsId = await createCluster(page, 'returns');
  await page.goto('/app/members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByLabel('Email').fill(colleague.email);
  await dialog.getByLabel('Role', { exact: true }).click();
  await page.getByRole('option', { name: 'Viewer', exact: true }).click();
  await dialog.getByRole('group', { name: 'Roles for single clusters' }).getByLabel('orders').click();
  await page.getByRole('option', { name: 'Operator', exact: true }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog).toHaveCount(0);

  const theirs = await signUpElsewhere(browser, started.webUrl, colleague);
  await test.step('for more than reading, the address alone is not enough', async () => {
    await expect(theirs.getByText('To accept this role, open the link in the invitation email.')).toBeVisible();
    await expect(theirs.getByRole('button', { name: /^Accept the invitation to / })).toHaveCount(0);
    await followMailLink(theirs, colleague.email, /You’re invited to Rail works/);
    await theirs.getByRole('button', { name: 'Accept invitation' }).click();
    await theirs.waitForURL('**/app');
  });
  await theirs.goto(`/app/clusters/${ordersId}/topics`);
  await expect(theirs.getByRole('button', { name: 'Create topic' })).toBeVisible();
  await theirs.goto(`/app/clusters/${returnsId}/topics`);
  await expect(theirs.getByRole('heading', { name: 'returns' })).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Create topic' })).toHaveCount(0);
  await page.reload();
  await expect(memberRow(page, colleague)).toContainText('Viewer');
  await expect(memberRow(page, colleague)).toContainText('and a role for 1 cluster');
  await theirs.context().close();
});

// Ownership moves; the last owner stays.
test('an invitation works once and only for its address', async ({ page, browser, started }) => {
  const owner = newPerson();
  const heir = newPerson();
  const context = await browser.newContext({ baseURL: started.webUrl });
  const theirs = await context.newPage();
  await awaitScript(theirs);
  await signUp(theirs, heir);
  await createOrganization(theirs, 'Elsewhere');
  await signUp(page, owner);
  await createOrganization(page, 'Dynasty');
  await invite(page, heir.email, 'Admin');

  await test.step('opened by somebody else it says whose it is', async () => {
    await followMailLink(page, heir.email, /You’re invited to Dynasty/);
    await expect(page.getByText(`This invitation is for ${heir.email}.`)).toBeVisible();
    expect(new URL(page.url()).hash).toBe('');
  });

  await test.step('signed out, it leads through sign-in and back', async () => {
    await theirs.getByRole('button', { name: /Account menu/ }).click();
    await theirs.getByRole('menuitem', { name: 'Sign out' }).click();
    await theirs.waitForURL('**/sign-in');
    await followMailLink(theirs, heir.email, /You’re invited to Dynasty/);
    await theirs.getByRole('link', { name: 'Sign in to accept' }).click();
    await theirs.waitForURL('**/sign-in?next=/invitation');
    await theirs.getByLabel('Email').fill(heir.email);
    await theirs.getByLabel('Password', { exact: true }).fill(heir.password);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByRole('button', { name: 'Accept invitation' }).click();
    await expect(theirs.getByRole('button', { name: 'Dynasty' })).toBeVisible();
    await followMailLink(theirs, heir.email, /You’re invited to Dynasty/);
    await expect(theirs.getByRole('main').getByRole('alert')).toContainText('has already been used');
  });

  await test.step('two tabs with two organizations each act on their own', async () => {
    await theirs.goto('/app');
    await expect(theirs.getByRole('button', { name: 'Dynasty' })).toBeVisible();
    const tab = await context.newPage();
    await awaitScript(tab);
    await tab.goto('/app');
    await tab.getByRole('button', { name: 'Dynasty' }).click();
    await tab.getByRole('menuitemradio', { name: 'Elsewhere' }).click();
    await expect(tab.getByRole('button', { name: 'Elsewhere' })).toBeVisible();
    // The first tab shows Dynasty still, and was not loaded again.
    await theirs.getByRole('button', { name: 'Create cluster' }).first().click();
    const dialog = theirs.getByRole('dialog', { name: 'Create virtual cluster' });
    await dialog.getByLabel('Name').fill('of-dynasty');
    await dialog.getByRole('button', { name: 'Create cluster' }).click();
    await expect(theirs.getByRole('heading', { level: 1, name: 'of-dynasty' })).toBeVisible();
    await page.goto('/app');
    await expect(page.getByRole('link', { name: 'of-dynasty' })).toBeVisible();
    await tab.goto('/app');
    await expect(tab.getByRole('heading', { name: 'Create your first cluster' })).toBeVisible();
    await tab.close();
  });

  await test.step('the only owner cannot leave, and can after the transfer', async () => {
    await page.goto('/app/members');
    const leave = async () => {
      await page.getByRole('button', { name: 'Leave', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Leave Dynasty?' });
      await dialog.getByRole('textbox').fill('Dynasty');
      await dialog.getByRole('button', { name: 'Leave organization' }).click();
      return dialog;
    };
    const refused = await leave();
    await expect(refused.getByRole('alert')).toContainText('is the only owner');
    await page.keyboard.press('Escape');
    await memberRow(page, heir)
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Transfer ownership' }).click();
    const dialog = page.getByRole('dialog', { name: 'Transfer ownership?' });
    await dialog.getByRole('textbox').fill(heir.email);
    await dialog.getByRole('button', { name: 'Transfer ownership' }).click();
    await expect(memberRow(page, heir)).toContainText('Owner');
    await expect(memberRow(page, owner)).toContainText('Admin');
    await leave();
    await expect(page.getByRole('heading', { name: 'Create your organization' })).toBeVisible();
  });
  await context.close();
});
