import type { Page } from '@playwright/test';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { createCluster, uniqueName } from './support/accounts.ts';
import { startAgentAt } from './support/agent.ts';
import { expectLooks } from './support/expect-looks.ts';
import { expect, test } from './support/test.ts';

/** Creates a key named staging on the page of the cluster’s keys. */
async function createKey(page: Page, clusterId: string): Promise<string> {
  await page.goto(`/app/clusters/${clusterId}/keys`);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('staging');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new agent key' });
  const key = (await shown.getByRole('figure').first().locator('code').textContent()) ?? '';
  expect(key).toMatch(/^psk_agent_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
  await shown.getByRole('button', { name: 'I’ve copied it' }).click();
  await expect(shown).toHaveCount(0);
  return key;
}

test('a cluster is renamed, and a name in use is refused in place', async ({ demoPage: page }) => {
  const name = uniqueName('before');
  const clusterId = await createCluster(page, name);
  await page.goto(`/app/clusters/${clusterId}/settings`);
  const field = page.getByLabel('Cluster name');
  await field.fill('demo');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(field).toHaveAccessibleDescription(/A cluster named “demo” already exists/);

  const renamed = uniqueName('after');
  await field.fill(renamed);
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('heading', { level: 1, name: renamed })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: renamed })).toBeVisible();

  // A shortened URL leads to the list. One with a malformed id says so and links to the list.
  await page.goto('/app/clusters');
  await page.waitForURL('**/app');
  await page.goto(`/app/clusters/${clusterId.slice(0, 8)}/topics`);
  await expect(page.getByRole('heading', { level: 1, name: 'Cluster not found' })).toBeVisible();
  await page.getByRole('link', { name: 'All clusters' }).click();
  await page.waitForURL('**/app');
});

test('a mode is chosen and changed with price and limits in sight', async ({ demoPage: page }) => {
  await page.goto('/app');
  await page.getByRole('button', { name: 'Create cluster' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create virtual cluster' });
  const name = uniqueName('trial');
  await dialog.getByLabel('Name').fill(name);
  await expect(dialog.getByRole('radio', { name: 'Standard' })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: 'Standard' })).toHaveAccessibleDescription(/\$100\.74 a month/);
  await expect(dialog.getByRole('radio', { name: 'Low latency' })).toHaveAccessibleDescription(
    /\$302\.22 a month.*Agents need landing buckets/,
  );
  const dev = dialog.getByRole('radio', { name: 'Dev' });
  await expect(dev).toHaveAccessibleDescription(/\$0\.00 a month.*10 MiB\/s.*1,000 partitions/);
  await dev.check();
  await dialog.getByRole('button', { name: 'Create cluster' }).click();
  await page.waitForURL('**/connect');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const clusterId = /clusters\/([0-9a-f-]+)/.exec(page.url())?.[1] ?? '';

  await page.goto(`/app/clusters/${clusterId}/settings`);
  await expect(page.getByRole('radio', { name: 'Dev' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Change mode' })).toBeDisabled();
  await page.getByRole('radio', { name: 'Standard' }).check();
  await expect(page.getByText('changes from $0.00 to $100.74 a month, from the next minute')).toBeVisible();
  await page.getByRole('button', { name: 'Change mode' }).click();
  await expect(page.getByText('Mode changed to Standard', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Standard' })).toBeChecked();
  await page.getByRole('radio', { name: 'Low latency' }).check();
  await page.getByRole('button', { name: 'Change mode' }).click();
  await expect(page.getByText('Mode changed to Low latency', { exact: true })).toBeVisible();
});

test('a Dev cluster says how far producers are slowed down', async ({ demoPage: page, started }) => {
  const clusterId = await createCluster(page, uniqueName('busy'));
  const key = await createKey(page, clusterId);
  await page.goto(`/app/clusters/${clusterId}/settings`);
  await page.getByRole('radio', { name: 'Dev' }).check();
  await expect(page.getByText('are within the limits')).toBeVisible();
  await page.getByRole('button', { name: 'Change mode' }).click();
  await expect(page.getByText('Mode changed to Dev', { exact: true })).toBeVisible();
  const agent = await startAgentAt('127.0.0.1', { clusterId, key, metadataUrl: started.metadataUrl });
  try {
    await expect.poll(async () => (await fetch(agent.readyUrl).catch(() => null))?.status).toBe(200);
    const producer = new Kafka({ brokers: [agent.bootstrap], logLevel: logLevel.NOTHING }).producer();
    await producer.connect();
    const messages = Array.from({ length: 8 }, () => ({ value: Buffer.alloc(1_000_000, 'x') }));
    let isShown = false;
    // Kafka’s throttling lets ten seconds of the limit pass at once, 100 MiB. How fast they are sent depends on the machine.
    const sending = (async () => {
      while (!isShown) {
        await producer.send({ topic: 'busy', messages, compression: CompressionTypes.GZIP });
      }
    })();
    try {
      await page.goto(`/app/clusters/${clusterId}`);
      await expect(page.getByText('Throttled', { exact: true }).first()).toBeVisible();
      await expect(page.getByText('Dev clusters take 10 MiB/s before compression.')).toBeVisible();
    } finally {
      isShown = true;
      await sending;
      await producer.disconnect();
    }
  } finally {
    await agent.stop();
  }
});

// The dashboard shows their zones and traffic.
test('low latency warns until agents have landing buckets', async ({ demoPage: page, started }) => {
  const clusterId = await createCluster(page, uniqueName('fast'));
  const key = await createKey(page, clusterId);
  const warning = page.getByText('No running agent has reported landing buckets.');
  await page.goto(`/app/clusters/${clusterId}/settings`);
  await expect(warning).toBeVisible();
  const agent = await startAgentAt('127.0.0.1', {
    clusterId,
    key,
    metadataUrl: started.metadataUrl,
    landingZones: ['use1-az6', 'use1-az4', 'use1-az5'],
  });
  try {
    await expect.poll(async () => (await fetch(agent.readyUrl).catch(() => null))?.status).toBe(200);
    await page.reload();
    await page.getByRole('radio', { name: 'Low latency' }).check();
    await expect(warning).toHaveCount(0);
    await page.getByRole('button', { name: 'Change mode' }).click();
    await expect(page.getByText('Mode changed to Low latency', { exact: true })).toBeVisible();
    const producer = new Kafka({ brokers: [agent.bootstrap], logLevel: logLevel.NOTHING }).producer();
    await producer.connect();
    for (let sends = 0; sends < 20; sends += 1) {
      await producer.send({ topic: 'orders', messages: [{ value: `order ${sends}` }] });
    }
    await producer.disconnect();

    await page.goto(`/app/clusters/${clusterId}/agents`);
    await expect(page.getByText('Landing zones: use1-az4, use1-az5, use1-az6 on node 1')).toBeVisible();
    await expectLooks(page, 'agents-landing');
    await page.getByRole('link', { name: 'Node 1' }).click();
    await expect(page.getByText('Landing zones', { exact: true })).toBeVisible();
    await expect(page.getByText('use1-az4, use1-az5, use1-az6', { exact: true })).toBeVisible();
    await expectLooks(page, 'agent-landing');

    await page.goto(`/app/clusters/${clusterId}/metrics?range=15m`);
    const lines = { 'PUT budget left': 'Landing buckets', 'Object storage errors': 'GET from landing buckets' };
    for (const [title, line] of Object.entries(lines)) {
      const chart = page.getByRole('region', { name: title, exact: true });
      await expect(chart.getByRole('button', { name: line })).toBeVisible();
    }
    await expectLooks(page, 'metrics-landing');
  } finally {
    await agent.stop();
  }
});

// It can be restored.
test('deleting needs an unprotected cluster and its typed name', async ({ demoPage: page }) => {
  const name = uniqueName('doomed');
  const clusterId = await createCluster(page, name);
  await page.goto(`/app/clusters/${clusterId}/settings`);
  const protection = page.getByRole('switch', { name: 'Deletion protection' });
  const deleteButton = page.getByRole('button', { name: 'Delete cluster' });
  await protection.click();
  await expect(protection).toBeChecked();
  await expect(deleteButton).toBeDisabled();
  await page.reload();
  await expect(protection).toBeChecked();
  await protection.click();
  await expect(protection).not.toBeChecked();

  await deleteButton.click();
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
  await dialog.getByRole('textbox').fill('something else');
  await dialog.getByRole('button', { name: 'Delete cluster' }).click();
  await expect(dialog.getByRole('textbox')).toHaveAccessibleDescription(/doesn’t match/);
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Delete cluster' }).click();

  await page.waitForURL('**/app');
  const deleted = page.getByRole('region', { name: 'Deleted clusters' }).getByRole('row').filter({ hasText: name });
  await expect(deleted).toContainText('30');
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
  await deleted.getByRole('button', { name: `Restore ${name}` }).click();
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  await expect(deleted).toHaveCount(0);
});

test('topic defaults are validated before they are saved', async ({ demoPage: page }) => {
  const clusterId = await createCluster(page, uniqueName('defaults'));
  await page.goto(`/app/clusters/${clusterId}/settings`);
  const partitions = page.getByLabel('Default partitions');
  await partitions.fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(partitions).toHaveAccessibleDescription(/at least 1 partition/);
  await partitions.fill('48');
  await page.getByRole('switch', { name: 'Create topics automatically' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Topic settings saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(partitions).toHaveValue('48');
  await expect(page.getByRole('switch', { name: 'Create topics automatically' })).not.toBeChecked();
});

// It opens the cluster to agents at confirmed addresses.
test('an agent key is shown once and revoked permanently', async ({ demoPage: page, started }) => {
  const clusterId = await createCluster(page, uniqueName('keys'));
  const key = await createKey(page, clusterId);

  await page.getByRole('button', { name: 'Confirm from now on' }).click();
  await expect(page.getByRole('button', { name: 'Confirm from now on' })).toHaveCount(0);
  const host = 'agent-7.internal';
  const agent = await startAgentAt(host, { clusterId, key, metadataUrl: started.metadataUrl });
  try {
    const address = page.getByRole('row').filter({ hasText: host });
    await expect(address).toContainText('Waits for confirmation');
    expect((await fetch(agent.readyUrl)).status).toBe(503);
    await page.getByRole('button', { name: `Confirm address ${host}` }).click();
    await expect(address).toContainText('Confirmed');
    await expect.poll(async () => (await fetch(agent.readyUrl)).status).toBe(200);
  } finally {
    await agent.stop();
  }

  const row = page.getByRole('row').filter({ hasText: 'psk_agent' });
  await row.getByRole('button', { name: 'Revoke key staging' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('staging');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await expect(row).toContainText('Revoked');
  await expect(row.getByRole('button')).toHaveCount(0);
});

// It is shown once. ACLs are added by what a client does.
test('a user’s password is made in the browser and never sent', async ({ demoPage: page }) => {
  const clusterId = await createCluster(page, uniqueName('access'));
  await page.goto(`/app/clusters/${clusterId}/access`);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.getByRole('button', { name: 'Create user' }).click();
  const form = page.getByRole('dialog', { name: 'Create user' });
  await expect(form.getByText('All clients must sign in from now on')).toBeVisible();
  await form.getByLabel('Name').fill('billing');
  await form.getByRole('button', { name: 'Create user' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new password' });
  const password = (await shown.getByRole('figure').first().locator('code').textContent()) ?? '';
  expect(password).toMatch(/^[\w-]{32}$/);
  await expect(shown.getByText('sasl.mechanism=SCRAM-SHA-512')).toBeVisible();
  await shown.getByRole('button', { name: 'I’ve copied it' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'billing' })).toContainText('SCRAM-SHA-512');
  expect(sent.some((request) => request.includes('storedKey'))).toBe(true);
  expect(sent.filter((request) => request.includes(password))).toEqual([]);

  await page.getByRole('button', { name: 'Add ACLs' }).click();
  const acls = page.getByRole('dialog', { name: 'Add ACLs' });
  await acls.getByLabel('User').fill('billing');
  await acls.getByLabel('Topic').fill('orders');
  await acls.getByRole('button', { name: 'Add ACLs' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'User:billing' })).toHaveCount(3);

  await page.getByLabel('Super users').fill('User:admin');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Access settings saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Super users')).toHaveValue('User:admin');

  await page.getByRole('button', { name: 'Delete user billing' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('billing');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click();
  await expect(page.getByText('No users yet')).toBeVisible();
});
