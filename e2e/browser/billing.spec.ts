// From sign-up to a paid invoice for real traffic, with a stand-in for Stripe; and which roles may see billing.
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// Not the shared `test` fixture, which uses the shared system: this file starts its own.
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { expectAccessible, expectFits } from './support/accessible.ts';
import { createCluster, createOrganization, newPerson, type Person, signUp, uniqueName } from './support/accounts.ts';
import { BillingSystem } from './support/billing-system.ts';
import { saveLook } from './support/save-look.ts';
import { awaitScript } from './support/test.ts';

/** 5 MB: at the test's price, worth more than the sign-up credits. */
const values = Array.from({ length: 5_000 }, (_, index) => `${index} `.padEnd(1_000, 'x'));

test.describe.configure({ mode: 'serial' });

let system: BillingSystem;
let owner: Page;
const ownerPerson: Person = newPerson();
let clusterId: string;
let organizationId: string;
let invoice: { invoiceId: string; number: string };

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: system.webUrl, locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  const page = await context.newPage();
  await awaitScript(page);
  return page;
}

/** A user who signs up and is then made a member, with their own signed-in page. */
async function newMember(browser: Browser, role: 'viewer' | 'billing'): Promise<Page> {
  const person: Person = newPerson();
  const page = await newPage(browser);
  await signUp(page, person);
  await system.addMember(organizationId, person.email, role);
  await page.goto('/app');
  await expect(page.getByRole('link', { name: 'Members' })).toBeVisible();
  return page;
}

/** In the list of invoices; the credits table names the invoice too. */
function invoiceRow(page: Page): Locator {
  return page
    .getByRole('region', { name: 'Invoices, newest first' })
    .getByRole('row')
    .filter({ hasText: invoice.number });
}

test.beforeAll(async ({ browser }) => {
  system = await BillingSystem.start();
  owner = await newPage(browser);
});
test.afterAll(() => system.stop());

test('a new organization sees its credit and an empty bill', async () => {
  await signUp(owner, ownerPerson);
  await createOrganization(owner, 'Sluice Works');
  clusterId = await createCluster(owner, uniqueName('orders'));
  organizationId = await system.organizationOf(clusterId);
  await owner.getByRole('link', { name: 'Billing', exact: true }).click();
  await expect(owner.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible();
  await expect(owner.getByTestId('month-to-date')).toHaveText('$0.00');
  await expect(owner.getByText('$400.00 left')).toBeVisible();
  await expect(owner.getByText('No invoices yet')).toBeVisible();
  await expect(owner.getByText('No costs this month')).toBeVisible();
});

test('a card added on Stripe’s page is active on return', async () => {
  await owner.getByRole('link', { name: 'Billing settings' }).click();
  await owner.getByRole('button', { name: 'Add card' }).click();
  await expect(owner.getByRole('heading', { name: /Save a card/ })).toBeVisible();
  await owner.getByRole('button', { name: 'Save card' }).click();
  await owner.waitForURL((url) => url.origin === new URL(system.webUrl).origin && url.search === '');
  await expect(owner.getByText(/Invoices are paid with .*4242/)).toBeVisible();
});

// Page, PDF and Stripe show the same total.
test('real traffic becomes an invoice that is charged once', async () => {
  await system.write(organizationId, clusterId, values);
  invoice = await system.closeMonth(organizationId);
  expect(await system.meteredBytes(organizationId)).toBeGreaterThan(BigInt(values.join('').length));

  const row = invoiceRow(owner);
  await expect(async () => {
    await owner.goto('/app/billing');
    await expect(row).toContainText('Paid', { timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
  await row.getByRole('link', { name: invoice.number, exact: true }).click();
  await expect(owner.getByRole('heading', { level: 1 })).toContainText(`Invoice ${invoice.number}`);
  await expect(owner.getByRole('term').filter({ hasText: 'Credits' }).locator('+ dd')).toHaveText('−$400.00');
  const total = (await owner.getByTestId('bill-total').textContent()) ?? '';
  expect(total).toMatch(/^\$\d+\.\d\d$/);

  const download = owner.waitForEvent('download');
  await owner.getByRole('link', { name: 'PDF', exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${invoice.number}.pdf`);
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(await file.path())));
  const { text } = await extractText(pdf, { mergePages: true });
  expect(text.replaceAll(/\s+/g, ' ')).toContain(`Total ${total}`);

  expect(system.standIn.standIn.state.charges.map(({ amount }) => `$${(amount / 100).toFixed(2)}`)).toEqual([total]);
});

test('a line item opens its hours and their journal sections', async () => {
  await owner.getByRole('button', { name: 'View line details' }).first().click();
  const dialog = owner.getByRole('dialog', { name: 'Line details' });
  await dialog
    .getByRole('button', { name: /^[\d,]+ to [\d,]+$/ })
    .first()
    .click();
  await expect(dialog.getByText(new RegExp(`of the journal of cluster ${clusterId}`))).toBeVisible();
  const command = dialog.getByRole('figure').getByText('curl');
  await expect(command).toContainText(`${system.webUrl}/api/v1/invoices/${invoice.invoiceId}/lines/1/origin`);
  await expect(dialog.getByText('npm run')).toHaveCount(0);
  await owner.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('budget and cap are set, validated and removed in place', async () => {
  await owner.goto('/app/billing/settings');
  const budget = owner.locator('section').filter({ hasText: 'We send an email and a webhook event' });
  await budget.getByLabel('Monthly budget').fill('many');
  await budget.getByRole('button', { name: 'Save' }).click();
  await expect(budget.getByLabel('Monthly budget')).toHaveAccessibleDescription(/amount in US dollars/);
  await budget.getByLabel('Monthly budget').fill('1,250.50');
  await budget.getByRole('button', { name: 'Save' }).click();
  await expect(owner.getByText('Budget set to $1,250.50 per month').first()).toBeVisible();
  await owner.reload();
  await expect(owner.getByLabel('Monthly budget')).toHaveValue('1250.50');

  // A cap can stop all producers, so setting it needs a confirmation that says so.
  const cap = owner.getByLabel('Monthly spending cap');
  const save = owner.locator('section').filter({ has: cap }).getByRole('button', { name: 'Save' });
  const dialog = owner.getByRole('dialog', { name: 'Set a spending cap of $999,999.00?' });
  await cap.fill('999999');
  await save.click();
  await expect(dialog).toContainText('POLICY_VIOLATION');
  await expectAccessible(owner);
  await saveLook(owner, 'billing-cap-dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await owner.reload();
  await expect(cap).toHaveValue('');
  await cap.fill('999999');
  await save.click();
  // An hour after the sign-in the server asks who is there. The change is then repeated with the same input.
  await system.ageSessions();
  await dialog.getByRole('button', { name: 'Set cap' }).click();
  const proof = owner.getByRole('dialog', { name: 'Confirm your identity' });
  await proof.getByLabel('Your password').fill('certainly not this one');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof.getByRole('alert')).toContainText('password is incorrect');
  await expectAccessible(owner);
  await saveLook(owner, 'confirm-identity');
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toContainText('recent proof of identity');
  await dialog.getByRole('button', { name: 'Set cap' }).click();
  await proof.getByLabel('Your password').fill(ownerPerson.password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(owner.getByText('Spending cap set to $999,999.00 per month').first()).toBeVisible();
  await expect(cap).toHaveValue('999999.00');
});

test('webhooks are refused if unreachable and signed otherwise', async () => {
  const calls: { signature: string | undefined; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    calls.push({
      signature: request.headers['penstock-signature']?.toString(),
      body: Buffer.concat(chunks).toString(),
    });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  try {
    await owner.goto('/app/billing/settings');
    const card = owner.locator('section').filter({ has: owner.getByRole('heading', { name: 'Webhook' }) });
    await card.getByLabel('URL').fill('https://10.0.0.1/alerts');
    await card.getByRole('button', { name: 'Save' }).click();
    await expect(card.getByLabel('URL')).toHaveAccessibleDescription(/points to a private network/);
    await card.getByLabel('URL').fill(`http://127.0.0.1:${port}/alerts`);
    await card.getByRole('button', { name: 'Save' }).click();
    await expect(card.getByText('Copy the signing secret now')).toBeVisible();
    const secret = (await card.locator('pre').textContent())?.trim() ?? '';
    // The page refreshes the webhook meanwhile.
    await owner.waitForResponse((response) => response.url().includes('billing.webhook'));
    await expect(card.getByText(secret)).toBeVisible();
    await card.getByRole('button', { name: 'I’ve copied it' }).click();
    await expect(card.getByText(secret)).toHaveCount(0);
    await card.getByRole('button', { name: 'Send test event' }).click();
    // Billing and health notifications of the organization may arrive as well.
    const delivery = card.getByRole('listitem').filter({ hasText: 'webhook.test' });
    await expect(delivery.getByText('Delivered')).toBeVisible({ timeout: 120_000 });
    const call = calls.find(({ body }) => JSON.parse(body).type === 'webhook.test');
    const [, atS = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(call?.signature ?? '') ?? [];
    expect(createHmac('sha256', secret).update(`${atS}.${call?.body}`).digest('hex')).toBe(signature);
    await card.getByRole('button', { name: 'Remove' }).click();
    await expect(card.getByLabel('URL')).toHaveValue('');
  } finally {
    receiver.close();
  }
});

test('every page shows a reached cap with a link to change it', async () => {
  await expect(async () => {
    await system.reachCap(organizationId);
    await owner.goto('/app');
    await expect(owner.getByText('Writes are blocked: spending cap reached')).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await owner.getByRole('link', { name: 'Change cap' }).click();
  await expect(owner.getByRole('heading', { level: 1, name: 'Billing settings' })).toBeVisible();
});

// By card if preferred.
test('every page shows an overdue transfer until it is paid', async () => {
  const overdue = await system.addOverdueInvoice(organizationId, '12.34');
  await owner.goto('/app');
  await expect(owner.getByText(`Invoice ${overdue.number} is overdue`)).toBeVisible();
  await saveLook(owner, 'billing-banners');
  await owner.goto(`/app/billing/invoices/${overdue.invoiceId}`);
  await owner.getByRole('button', { name: 'Pay $12.34 by card' }).click();
  await expect(owner.getByRole('heading', { level: 1 })).toContainText('Paid', { timeout: 90_000 });
  await owner.goto('/app');
  await expect(owner.getByRole('link', { name: 'Members' })).toBeVisible();
  await expect(owner.getByText(`Invoice ${overdue.number} is overdue`)).toHaveCount(0);
});

test('an invoice shows credit notes and refunds', async () => {
  const said = await system.operate(
    'billing credit-note',
    ...['--invoice', invoice.number, '--amount', '1.50', '--reason', 'Writes were refused for an hour.'],
  );
  const [note = ''] = /CN-\d{4}-\d{6}/.exec(said) ?? [];
  const [charge] = system.standIn.standIn.state.charges;
  if (charge === undefined) {
    throw new Error('Nothing was charged');
  }
  system.standIn.standIn.state.refund(charge, 150);
  await expect(async () => {
    await owner.goto(`/app/billing/invoices/${invoice.invoiceId}`);
    await expect(owner.getByText('Refunded')).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
  await owner.getByRole('link', { name: note }).click();
  await expect(owner.getByRole('heading', { level: 1 })).toContainText(`Credit note ${note}`);
  await expect(owner.getByText('Writes were refused for an hour.').first()).toBeVisible();
  expect(await system.operate('billing outbox')).toContain('0 failed, 0 to be repeated, 0 events with an error');
  const journal = await system.operate('billing recompute', '--organization', organizationId, '--month', '1999-01');
  expect(journal).toContain('Equal to the ledger (there is no invoice yet).');
});

// Neither through a page nor a file nor a call.
test('a viewer cannot read billing data anywhere', async ({ browser }) => {
  const page = await newMember(browser, 'viewer');
  await expect(page.getByRole('link', { name: 'Billing', exact: true })).toHaveCount(0);
  for (const address of ['/app/billing', '/app/billing/settings', `/app/billing/invoices/${invoice.invoiceId}`]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Your role can’t view billing' })).toBeVisible();
    await expect(page.getByText(invoice.number)).toHaveCount(0);
  }
  const file = await page.request.get(`/app/billing/invoices/${invoice.invoiceId}/download/pdf`);
  expect(file.status()).toBe(403);
  expect((await page.request.get('/api/trpc/billing.draft')).status()).toBe(403);
  await expectAccessible(page);
});

test('a billing member pays bills but cannot change a cluster', async ({ browser }) => {
  const page = await newMember(browser, 'billing');
  await expect(page.getByRole('button', { name: 'Create cluster' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Billing', exact: true }).click();
  await expect(invoiceRow(page)).toContainText('Paid');
  const refused = await page.request.post('/api/trpc/cluster.update', {
    headers: {
      origin: system.webUrl,
      'content-type': 'application/json',
      'x-penstock-organization': organizationId,
    },
    data: { json: { clusterId, defaultPartitions: 3 } },
  });
  expect(refused.status()).toBe(403);
  const file = await page.request.get(`/app/billing/invoices/${invoice.invoiceId}/download/csv`);
  expect(file.status()).toBe(200);
  expect(await file.text()).toContain(invoice.number);
});

for (const theme of ['light', 'dark'] as const) {
  // looks.spec.ts checks the current month's page: here that month has been closed early.
  test(`settings and invoice are accessible at 360 px, ${theme}`, async () => {
    await owner.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    const pages = [
      ['billing-settings', '/app/billing/settings', 'Billing settings'],
      ['invoice', `/app/billing/invoices/${invoice.invoiceId}`, `Invoice ${invoice.number}`],
    ] as const;
    for (const [name, address, heading] of pages) {
      await owner.setViewportSize({ width: 1440, height: 900 });
      await owner.goto(address);
      await expect(owner.getByRole('heading', { level: 1 })).toContainText(heading);
      await expect(owner.locator('[aria-busy="true"]')).toHaveCount(0);
      await expectAccessible(owner, { of: theme === 'light' ? 'everything' : 'colours' });
      await saveLook(owner, `${name}-${theme}-wide`, { fullPage: true });
      await owner.setViewportSize({ width: 360, height: 800 });
      await expectFits(owner);
      await saveLook(owner, `${name}-${theme}-narrow`, { fullPage: true });
    }
  });
}

test('an invoice prints without navigation and buttons', async () => {
  await owner.setViewportSize({ width: 900, height: 1200 });
  await owner.goto(`/app/billing/invoices/${invoice.invoiceId}`);
  await expect(owner.getByTestId('bill-total')).toBeVisible();
  await owner.emulateMedia({ media: 'print', colorScheme: 'light' });
  await expect(owner.getByRole('link', { name: 'Members' })).toBeHidden();
  await expect(owner.getByRole('link', { name: 'PDF', exact: true })).toBeHidden();
  await expect(owner.getByTestId('bill-total')).toBeVisible();
  await saveLook(owner, 'invoice-print', { fullPage: true });
});

test('lasting changes ask for proof an hour after the sign-in', async () => {
  await owner.emulateMedia({ media: 'screen' });
  await owner.setViewportSize({ width: 1440, height: 900 });
  const proof = owner.getByRole('dialog', { name: 'Confirm your identity' });
  const prove = async (): Promise<void> => {
    await expect(proof.getByLabel('Your password')).toBeFocused();
    await proof.getByLabel('Your password').fill(ownerPerson.password);
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await expect(proof).toBeHidden();
  };
  await system.ageSessions();
  await owner.goto('/app/billing/settings');
  const details = owner.locator('section').filter({ hasText: 'Shown on future invoices' });
  await details.getByLabel('City').fill('Delft');
  await details.getByRole('button', { name: 'Save' }).click();
  await prove();
  await expect(owner.getByText('Billing details saved').first()).toBeVisible();

  await system.ageSessions();
  await owner.goto(`/app/clusters/${clusterId}/keys`);
  await owner.getByRole('button', { name: 'Create key' }).first().click();
  await owner.getByRole('dialog').getByLabel('Name').fill('staging');
  await owner.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await prove();
  await expect(owner.getByRole('dialog', { name: 'Your new agent key' })).toContainText('psk_agent');
});

test('every page shows a suspension and its reason', async () => {
  await system.operate('organization suspend', '--organization', organizationId, '--reason', 'Mail us about the load.');
  const notice = owner.getByRole('alert').filter({ hasText: 'This organization is suspended' });
  for (const address of ['/app', '/app/billing', `/app/clusters/${clusterId}/keys`]) {
    await owner.goto(address);
    await expect(notice).toContainText('Mail us about the load. Producers can’t write. Consumers can still read');
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await owner.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await owner.setViewportSize({ width: 360, height: 800 });
    await expectFits(owner);
    await expectAccessible(owner, { of: 'colours' });
    await saveLook(owner, `suspended-${colorScheme}-narrow`);
  }
  await system.operate('organization resume', '--organization', organizationId, '--reason', 'All is well.');
  // The open page asks again every 30 seconds.
  await expect(notice).toHaveCount(0);
});
