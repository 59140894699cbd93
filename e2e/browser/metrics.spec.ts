// Metrics pages: charts that agree with each other, one time range for all of them, and every agent.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import kafkajs, { Kafka, logLevel } from 'kafkajs';
import { uniqueName } from './support/accounts.ts';
import { expectLooks } from './support/expect-looks.ts';
import type { Started } from './support/started.ts';
import { expect, test } from './support/test.ts';

// In series: the charts of later tests show the traffic of the first.
test.describe.configure({ mode: 'serial' });

function kafkaOf(started: Started): Kafka {
  return new Kafka({ brokers: [started.kafkaBootstrap ?? ''], logLevel: logLevel.NOTHING });
}

/** Traffic for the charts: the agent's report of it arrives within twenty seconds. */
async function produceSome(started: Started, topic = uniqueName('measured')): Promise<void> {
  const producer = kafkaOf(started).producer({ allowAutoTopicCreation: true });
  await producer.connect();
  const messages = Array.from({ length: 500 }, (_, index) => ({ value: `${index} `.repeat(50) }));
  await producer.send({ topic, messages });
  await producer.disconnect();
}

/** Creates a group with committed offsets and no members. */
async function commitAt(started: Started, groupId: string, topic: string, offset: string): Promise<void> {
  const consumer = kafkaOf(started).consumer({ groupId });
  await consumer.connect();
  await consumer.subscribe({ topic });
  const joined = new Promise((resolve) => consumer.on(consumer.events.GROUP_JOIN, resolve));
  await consumer.run({ autoCommit: false, eachMessage: async () => undefined });
  await joined;
  await consumer.commitOffsets([{ topic, partition: 0, offset }]);
  await consumer.disconnect();
}

function chart(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true });
}

async function expectSound(page: Page, name: string): Promise<void> {
  await expectLooks(page, name);
  await page.setViewportSize({ width: 1_440, height: 900 });
}

// They can show a single line and export their figures.
test('charts follow the range in the URL and share a cursor', async ({ demoPage: page, started }) => {
  await produceSome(started);
  await page.goto(`/app/clusters/${started.demo.clusterId}/metrics?range=15m`);
  const throughput = chart(page, 'Throughput');
  const requests = chart(page, 'Requests by API');
  const isMeasured = throughput.getByRole('slider', { name: 'Throughput: moment' });
  // Live: the first report arrives while the page is open.
  await expect(isMeasured).toBeVisible({ timeout: 90_000 });
  // The legend shows the six largest lines, and clients of other tests may have called other APIs more often.
  const more = requests.getByRole('button', { name: /^\d+ more/ });
  await expect(async () => {
    if (await more.isVisible()) {
      await more.click();
    }
    await expect(requests.getByRole('button', { name: /^Produce/ })).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 90_000 });

  await test.step('the keyboard moves one moment for all charts', async () => {
    await isMeasured.focus();
    await page.keyboard.press('End');
    const text = await isMeasured.getAttribute('aria-valuetext');
    const moment = text?.split(',')[0];
    expect(moment).toMatch(/^\d\d:\d\d:\d\d CES?T$/);
    await expect(requests.getByRole('slider')).toHaveAttribute('aria-valuetext', new RegExp(`^${moment}`));
  });

  await test.step('a line can be shown alone, and all of them again', async () => {
    const lineIn = throughput.getByRole('button', { name: /^In \(produced\)/ });
    const drawn = throughput.locator('path[stroke-width]');
    await expect(drawn).toHaveCount(2);
    await lineIn.click();
    await expect(lineIn).toHaveAttribute('aria-pressed', 'true');
    await expect(drawn).toHaveCount(1);
    await lineIn.click();
    await expect(drawn).toHaveCount(2);
  });

  await test.step('the same figures stand in a table and in a file', async () => {
    await throughput.getByRole('button', { name: 'Throughput: table and file' }).click();
    await page.getByRole('menuitem', { name: 'Show as table' }).click();
    await expect(throughput.getByRole('columnheader').first()).toHaveText(/^Time \(CES?T\)$/);
    await expect(throughput.getByRole('row').nth(1)).toContainText('B/s');
    await throughput.getByRole('button', { name: 'Throughput: table and file' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('time,In (produced) (B/s),Out (fetched) (B/s)');
    expect(lines.some((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z,\d/.test(line))).toBe(true);
    await throughput.getByRole('button', { name: 'Throughput: table and file' }).click();
    await page.getByRole('menuitem', { name: 'Show as chart' }).click();
  });

  await expectSound(page, 'metrics');
});

// The URL keeps the range.
test('dragging zooms all charts, and Back undoes it', async ({ demoPage: page, started }) => {
  await page.goto(`/app/clusters/${started.demo.clusterId}/metrics?range=15m`);
  const plot = chart(page, 'Throughput').getByRole('slider', { name: 'Throughput: moment' });
  // Over the middle of the chart, once it has stopped moving.
  await plot.hover();
  const box = await plot.boundingBox();
  if (box === null) {
    throw new Error('the chart is not drawn');
  }
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height * 0.5, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=.+&to=/);
  const address = page.url();
  await page.reload();
  await expect(chart(page, 'Throughput')).toBeVisible();
  expect(page.url()).toBe(address);
  await page.goBack();
  await expect(page).toHaveURL(/range=15m/);
  await page.getByRole('combobox', { name: 'Group by' }).click();
  await page.getByRole('option', { name: 'By zone' }).click();
  await expect(page).toHaveURL(/by=zone/);
  await expect(chart(page, 'CPU').getByRole('button', { name: /^local-a/ })).toBeVisible();
});

test('every agent has a row under its zone and its own page', async ({ demoPage: page, started }) => {
  await page.goto(`/app/clusters/${started.demo.clusterId}/agents`);
  const zone = page.getByRole('list', { name: 'Zones' }).getByRole('button', { name: /^local-a/ });
  await expect(zone).toContainText('1 alive');
  await zone.click();
  await expect(zone).toHaveAttribute('aria-pressed', 'true');
  const row = page.getByRole('table', { name: 'Agents' }).getByRole('row').nth(1);
  await expect(row).toContainText('Healthy');
  await expectSound(page, 'agents');
  await row.getByRole('link', { name: /^Node/ }).click();
  await expect(page.getByRole('heading', { name: /^Node \d+/ })).toBeVisible();
  await expect(chart(page, 'CPU').getByRole('slider')).toBeVisible({ timeout: 90_000 });
  await expectSound(page, 'agent');
});

test('clients read configs set here, and a group can be reset', async ({ demoPage: page, started }) => {
  const topic = uniqueName('configured');
  const groupId = uniqueName('resettable');
  const admin = kafkaOf(started).admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] });
  await produceSome(started, topic);
  await commitAt(started, groupId, topic, '400');

  await page.goto(`/app/clusters/${started.demo.clusterId}/topics`);
  await page.getByRole('button', { name: `Configure topic ${topic}` }).click();
  const field = page.getByLabel(/^Retention time/);
  await field.fill('a week');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Use a whole number')).toBeVisible();
  await field.fill('3600000');
  await expect(page.getByText('Now: 1 h.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames: ['retention.ms'] }];
  const retention = async () =>
    (await admin.describeConfigs({ resources, includeSynonyms: false })).resources[0]?.configEntries[0]?.configValue;
  await expect.poll(retention).toBe('3600000');

  await page.goto(`/app/clusters/${started.demo.clusterId}/groups`);
  await page.getByRole('button', { name: groupId }).click();
  await page.getByRole('button', { name: 'Reset offsets…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Partition').fill('first');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByLabel('Partition')).toHaveAccessibleDescription(/Use a whole number/);
  await dialog.getByLabel('Partition').fill('0');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const preview = dialog.getByRole('table', { name: 'Preview of the reset' });
  await expect(preview.getByRole('row').nth(1)).toHaveText(/400.*500/);
  await dialog.getByRole('button', { name: 'Reset offsets' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const committed = async () => (await admin.fetchOffsets({ groupId, topics: [topic] }))[0]?.partitions[0]?.offset;
  await expect.poll(committed).toBe('0');
  await expect(page.locator(`[data-group="${groupId}"] [data-lag]`)).toHaveAttribute('data-lag', '500');
  await admin.disconnect();
});

test('the organization page has a line for each cluster', async ({ demoPage: page }) => {
  await page.goto('/app?range=15m');
  const all = page.getByRole('region', { name: 'Throughput, all clusters' });
  await expect(all.getByRole('region', { name: 'In', exact: true }).getByRole('slider')).toBeVisible({
    timeout: 90_000,
  });
  await expectSound(page, 'organization');
});
