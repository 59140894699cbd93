// Consumers stop and come back. The pages update without a reload: the verdict, its cause, the remedy, the event log.
import type { Page } from '@playwright/test';
import { type Consumer, Kafka, logLevel, type Producer } from 'kafkajs';
import { expectAccessible, expectFits } from './support/accessible.ts';
import { uniqueName } from './support/accounts.ts';
import { saveLook } from './support/save-look.ts';
import { expect, test } from './support/test.ts';

/** The product's promise, from the fault to the page and from the fix to the page. */
const PROMISED_MS = 30_000;

/** Sends a record now and then until stopped. */
function keepSending(producer: Producer, topic: string): () => Promise<void> {
  let isSending = true;
  const sending = (async () => {
    while (isSending) {
      await producer.send({ topic, messages: [{ value: 'x' }] });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  return async () => {
    isSending = false;
    await sending;
  };
}

/** When the cluster's latest health check began, in milliseconds since the Unix epoch; 0 before the first. */
async function lastLookMs(page: Page, clusterId: string): Promise<number> {
  const input = encodeURIComponent(JSON.stringify({ json: { clusterId } }));
  const answer = await (await page.request.get(`/api/trpc/health.get?input=${input}`)).json();
  return new Date(answer.result.data.json.assessedAt ?? 0).getTime();
}

// Shown and resolved within 30 s; it can be silenced.
test('stopped consumers are an issue until they are back', async ({ demoPage: page, started }) => {
  const kafka = new Kafka({ brokers: [started.kafkaBootstrap ?? ''], logLevel: logLevel.ERROR });
  const [topic, groupId] = [uniqueName('watched'), uniqueName('stopping')];
  const startConsumer = async (): Promise<Consumer> => {
    const consumer = kafka.consumer({ groupId });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({ autoCommitInterval: 500, eachMessage: async () => undefined });
    return consumer;
  };
  const producer = kafka.producer();
  await producer.connect();
  const stopSending = keepSending(producer, topic);
  let consumer: Consumer | undefined;
  try {
    const cluster = `/app/clusters/${started.demo.clusterId}`;
    await page.goto(`${cluster}/groups`);
    consumer = await startConsumer();
    await expect(page.locator(`[data-group="${groupId}"]`)).toContainText('Stable');
    // A group that was never seen consuming cannot be missed, so continue only after a check that began after this point has finished.
    const settledAtMs = Date.now();
    await page.goto(`${cluster}/events`);
    await expect.poll(() => lastLookMs(page, started.demo.clusterId)).toBeGreaterThan(settledAtMs);

    await consumer.disconnect();
    consumer = undefined;
    const finding = page
      .getByRole('listitem')
      .filter({ hasText: `Group ${groupId} has lost its last member` })
      .first();
    await expect(finding).toBeVisible({ timeout: PROMISED_MS });
    await expect(finding).toContainText('What to do: Find out why the consumers stopped');
    await expect(page.getByRole('list', { name: 'Events, newest first' })).toContainText(`Group ${groupId} has lost`);

    await finding.getByRole('button', { name: 'Silence' }).click();
    const dialog = page.getByRole('dialog', { name: 'Silence alerts' });
    await dialog.getByRole('button', { name: 'Silence' }).click();
    await expect(dialog.getByText('Enter a reason. Other members can see it.')).toBeVisible();
    await dialog.getByLabel('Reason').fill('The readers are being moved');
    await dialog.getByRole('button', { name: 'Silence' }).click();
    await expect(finding.getByText('Silenced')).toBeVisible();

    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      for (const [name, width] of [
        ['wide', 1440],
        ['narrow', 360],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await expect(finding).toBeVisible();
        await expectAccessible(page, { of: theme === 'light' ? 'everything' : 'colours' });
        await expectFits(page);
        await saveLook(page, `events-finding-${theme}-${name}`, { fullPage: true });
      }
    }
    await page.goto(cluster);
    await expect(page.getByTestId('verdict')).toHaveText('Degraded');
    const main = page.getByRole('main');
    await expect(main.getByText(`Group ${groupId} has lost its last member`)).toBeVisible();
    // Shown in a short form, without pushing the figures out of view; the remedy is one click away.
    await expect(main.getByText('A consumer group has lost all members')).toHaveCount(1);
    await expect(main.getByText('Agents alive')).toBeInViewport();
    await expect(main.getByText('Find out why the consumers stopped')).toBeHidden();
    await main.getByText('A consumer group has lost all members').click();
    await expect(main.getByText('Find out why the consumers stopped')).toBeVisible();
    await saveLook(page, 'overview-degraded-dark-narrow', { fullPage: true });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await saveLook(page, 'overview-degraded-light-wide', { fullPage: true });

    consumer = await startConsumer();
    await expect(page.getByText(`Group ${groupId} has lost its last member`)).toBeHidden({ timeout: PROMISED_MS });
    await page.goto(`${cluster}/events`);
    await expect(page.getByRole('list', { name: 'Events, newest first' })).toContainText(
      new RegExp(`Resolved after .+: .*group ${groupId}`),
    );
    await page.getByRole('button', { name: 'End now' }).click();
    await expect(page.getByText('No silences.')).toBeVisible();
  } finally {
    await consumer?.disconnect();
    await stopSending();
    await producer.disconnect();
  }
});
