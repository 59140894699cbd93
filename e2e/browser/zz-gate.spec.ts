import { Kafka, logLevel } from 'kafkajs';
import { expectAccessible, expectCurrentTabInView, expectFits } from './support/accessible.ts';
import { uniqueName } from './support/accounts.ts';
import { expect, test } from './support/test.ts';

const OUT = '/tmp/gate/shots';

test('look', async ({ demoPage: page, started }) => {
  test.setTimeout(200_000);
  const topic = uniqueName('lagging');
  const kafka = new Kafka({ clientId: 'tests', brokers: [started.kafkaBootstrap ?? ''], logLevel: logLevel.ERROR });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 3, replicationFactor: 1 }] });
  const producer = kafka.producer();
  await producer.connect();
  const timestamp = String(Date.now() - 7_384_000);
  await producer.send({ topic, messages: Array.from({ length: 90 }, (_, i) => ({ key: `k${i}`, value: 'v', timestamp })) });
  await producer.disconnect();
  await admin.setOffsets({ groupId: 'a-group-that-lags-behind-by-hours', topic, partitions: [0, 1, 2].map((partition) => ({ partition, offset: '3' })) });
  await admin.disconnect();
  const cluster = `/app/clusters/${started.demo.clusterId}`;
  const live = () => expect(page.locator('[data-connection="live"]')).toBeVisible();
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${cluster}/groups`);
      await live();
      await expect(page.getByText('a-group-that-lags').first()).toBeVisible();
      await page.getByText('a-group-that-lags').first().click().catch(() => undefined);
      await page.waitForTimeout(800);
      await expectFits(page);
      await page.screenshot({ path: `${OUT}/groups-${theme}-${width}.png`, fullPage: true });
      await page.goto(`${cluster}/settings`);
      await live();
      await expectCurrentTabInView(page);
      await page.screenshot({ path: `${OUT}/settings-${theme}-${width}.png` });
      await page.goto('/docs/api');
      await expect(page.getByText('List', { exact: false }).first()).toBeVisible();
      await page.waitForTimeout(1500);
      await expectFits(page);
      await page.screenshot({ path: `${OUT}/docs-api-${theme}-${width}.png` });
      await page.goto('/app/api-keys');
      await page.getByRole('button', { name: /Create/ }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.screenshot({ path: `${OUT}/api-key-dialog-${theme}-${width}.png` });
      if (theme === 'light') await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.goto(`${cluster}/keys`);
      await page.getByRole('button', { name: /Create/ }).first().click();
      await page.getByLabel('Name').fill(uniqueName('key'));
      await page.screenshot({ path: `${OUT}/agent-key-dialog-${theme}-${width}.png` });
      await page.getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByText('Copy it now')).toBeVisible();
      await page.screenshot({ path: `${OUT}/new-agent-key-${theme}-${width}.png` });
      await page.getByRole('button', { name: 'I have copied it' }).click();
    }
  }
});
