import type { Page } from '@playwright/test';
import { Kafka, logLevel } from 'kafkajs';
import { expectAccessible, expectFits, expectTablesFit } from './support/accessible.ts';
import { uniqueName } from './support/accounts.ts';
import { CuttableProxy } from './support/cuttable-proxy.ts';
import { saveLook } from './support/save-look.ts';
import type { Started } from './support/started.ts';
import { expect, test } from './support/test.ts';

const RECORD_BYTES = 1_024;

function kafkaOf(started: Started): Kafka {
  if (started.kafkaBootstrap === undefined) {
    throw new Error('The running system has no agent: these tests need its Kafka bootstrap address.');
  }
  return new Kafka({ clientId: 'browser-tests', brokers: [started.kafkaBootstrap], logLevel: logLevel.ERROR });
}

async function produce(kafka: Kafka, topic: string, records: number): Promise<void> {
  const producer = kafka.producer();
  await producer.connect();
  const value = Buffer.alloc(RECORD_BYTES, 'x');
  await producer.send({ topic, messages: Array.from({ length: records }, () => ({ value })) });
  await producer.disconnect();
}

/** Reads until the group has committed every record of the topic. */
async function consumeAll(kafka: Kafka, topic: string, groupId: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  const consumer = kafka.consumer({ groupId });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ eachMessage: async () => undefined });
  await expect
    .poll(async () => {
      const ends = await admin.fetchTopicOffsets(topic);
      const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
      return ends.every((end) => {
        const own = committed?.partitions.find((partition) => partition.partition === end.partition);
        return Number(end.offset) === 0 || own?.offset === end.offset;
      });
    })
    .toBe(true);
  await consumer.disconnect();
  await admin.disconnect();
}

/** Checks a page in both themes, wide and narrow. */
async function checkLooks(page: Page, name: string): Promise<void> {
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFits(page);
    await expectTablesFit(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectAccessible(page, { of: width === 1440 ? 'everything' : 'colours' });
      await saveLook(page, `${name}-${colorScheme}-${width}`, { fullPage: width === 360 });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('the demo’s agent is healthy, with version and memory', async ({ demoPage: page, started }) => {
  await page.goto(`/app/clusters/${started.demo.clusterId}/agents`);
  const row = page.getByRole('table').getByRole('row').filter({ hasText: 'Healthy' }).first();
  await expect(row).toContainText(started.kafkaBootstrap ?? 'no bootstrap address');
  await expect(row).toContainText(/\d+\.\d+\.\d+/);
  await expect(row).toContainText(/MiB|GiB/);
  await expect(row).toContainText(/\d\.\d\d cores/);
});

test('topics and records appear without a reload', async ({ demoPage: page, started }) => {
  const topic = uniqueName('live');
  await page.goto(`/app/clusters/${started.demo.clusterId}/topics`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.evaluate(() => Reflect.set(window, 'notReloaded', true));
  const kafka = kafkaOf(started);
  await produce(kafka, topic, 500);
  const row = page.locator(`[data-topic="${topic}"]`);
  await expect(row).toContainText('500');
  await produce(kafka, topic, 250);
  await expect(row).toContainText('750');
  expect(await page.evaluate(() => Reflect.get(window, 'notReloaded'))).toBe(true);
});

test('a group’s lag rises with writes and falls with reads', async ({ demoPage: page, started }) => {
  const topic = uniqueName('lagging');
  const groupId = uniqueName('readers');
  const kafka = kafkaOf(started);
  await produce(kafka, topic, 40);
  await consumeAll(kafka, topic, groupId);
  await page.goto(`/app/clusters/${started.demo.clusterId}/groups`);
  const row = page.locator(`[data-group="${groupId}"]`);
  await expect(row.locator('[data-lag]')).toHaveAttribute('data-lag', '0');
  // Partitions without a committed offset do not count: read all of them first, then write more.
  await produce(kafka, topic, 40);
  await expect(row.locator('[data-lag="0"]')).toHaveCount(0);
  await consumeAll(kafka, topic, groupId);
  await expect(row.locator('[data-lag]')).toHaveAttribute('data-lag', '0');
  await expect(row).toContainText('Empty');

  // A group that is no longer used can be deleted, and disappears from the page.
  await row.getByRole('button', { name: groupId }).click();
  await page.getByRole('button', { name: 'Delete group…' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete consumer group ${groupId}?` });
  await dialog.getByRole('textbox').fill(groupId);
  await dialog.getByRole('button', { name: 'Delete group' }).click();
  await expect(row).toHaveCount(0);
});

test('a running group shows its members, and its topic shows it', async ({ demoPage: page, started }) => {
  const topic = uniqueName('mapped');
  const groupId = uniqueName('mapping');
  const kafka = kafkaOf(started);
  await produce(kafka, topic, 10);
  const consumer = kafka.consumer({ groupId });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ eachMessage: async () => undefined });

  await page.goto(`/app/clusters/${started.demo.clusterId}/topics/${topic}/consumers`);
  await page.getByRole('link', { name: groupId }).click();
  const partitions = page.getByRole('table', { name: `Partitions of ${groupId}` });
  await expect(partitions.getByRole('row').nth(1)).toContainText('browser-tests');
  await expect(page.getByRole('button', { name: 'Reset offsets…' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete group…' })).toHaveCount(0);
  await checkLooks(page, 'group-members');
  await page.getByRole('button', { name: 'Reset offsets…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('1 consumer of this group is running')).toBeVisible();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('table', { name: 'Preview of the reset' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Reset offsets' })).toBeDisabled();
  await checkLooks(page, 'reset-preview');
  await page.keyboard.press('Escape');
  await consumer.disconnect();
  await expect(partitions.getByRole('row').nth(1)).toContainText('nobody');

  await page.goto(`/app/clusters/${started.demo.clusterId}/topics/${topic}/consumers`);
  await expect(page.getByRole('row').filter({ hasText: groupId })).toContainText('Empty');
  await checkLooks(page, 'topic-consumers');
});

// By typing its id.
test('an open transaction is listed and can be aborted', async ({ demoPage: page, started }) => {
  const topic = uniqueName('paid');
  const transactionalId = uniqueName('billing');
  const kafka = kafkaOf(started);
  await produce(kafka, topic, 1);
  const producer = kafka.producer({ transactionalId, idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  const transaction = await producer.transaction();
  await transaction.send({ topic, messages: [{ value: 'unpaid', partition: 0 }] });

  await page.goto(`/app/clusters/${started.demo.clusterId}/transactions`);
  const row = page.locator(`[data-transaction="${transactionalId}"]`);
  await expect(row).toContainText('Open');
  await expect(row).toContainText('browser-tests');
  await row.getByRole('button', { name: transactionalId, exact: true }).click();
  await expect(page.getByText('Partitions in the transaction')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: topic })).toContainText(`${topic}: 0`);
  await checkLooks(page, 'transactions');
  await row.getByRole('button', { name: `Abort the transaction of ${transactionalId}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(transactionalId);
  await dialog.getByRole('button', { name: 'Abort transaction' }).click();
  await expect(row).toContainText('Aborted');
  await expect(row.getByRole('button', { name: /^Abort/ })).toHaveCount(0);
  await expect(transaction.commit()).rejects.toThrow();
  await producer.disconnect();
});

test('bytes are metered before compression and charted', async ({ demoPage: page, started }) => {
  await page.goto(`/app/clusters/${started.demo.clusterId}`);
  const meteredBytes = async () => Number(await page.getByTestId('metered').getAttribute('data-bytes'));
  const before = await meteredBytes();
  expect(before).toBeGreaterThanOrEqual(0);
  await produce(kafkaOf(started), uniqueName('metered'), 8_000);
  await expect.poll(meteredBytes, { timeout: 120_000 }).toBeGreaterThan(before);
  await expect(page.getByRole('img', { name: /Throughput of the last \d+ minutes. Latest: in/ })).toBeVisible({
    timeout: 90_000,
  });
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(/B\/s/);
});

test('the calculator opens with the traffic that the cluster had', async ({ demoPage: page, started }) => {
  const kafka = kafkaOf(started);
  const topic = uniqueName('traffic');
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 2 }] });
  await admin.disconnect();
  await produce(kafka, topic, 500);
  await page.goto(`/app/clusters/${started.demo.clusterId}`);
  const link = page.getByRole('link', { name: 'On other systems' });
  // Agents report every few seconds, and only steps that have ended count.
  await expect(link).toBeVisible({ timeout: 120_000 });
  await saveLook(page, 'other-systems');
  await link.click();
  await expect(page).toHaveURL(/\/pricing\?throughput=[\d.]+&throughputUnit=KiB%2Fs&compressionRatio=/);
  await expect(page.locator('form[data-scripted]')).toBeVisible();
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0);
  expect(Number(await page.locator('[name="throughput"]').inputValue())).toBeGreaterThan(0);
});

test('the page reports a lost connection and catches up', async ({ demoPage: page, started }) => {
  const line = await CuttableProxy.open(started.webUrl);
  await page.goto(`${line.url}/app/clusters/${started.demo.clusterId}/agents`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  const agent = page.getByRole('table').getByRole('row').nth(1);
  await expect(agent).toBeVisible();
  line.cut();
  await expect(page.locator('[data-connection="reconnecting"]')).toBeVisible();
  await expect(page.getByText('last updated')).toBeVisible();
  await expect(agent).toBeVisible();
  line.mend();
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await expect(page.getByText('last updated')).toHaveCount(0);
  await line.close();
});
