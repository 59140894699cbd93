// The page of clients says when pushes were dropped, and what to do about it. A cluster keeps 8 MiB per hour before it
// drops any, so this test modifies the server's response. How pushes are counted is tested next to that code.
import type { Page } from '@playwright/test';
import { createCluster, uniqueName } from './support/accounts.ts';
import { expectLooks } from './support/expect-looks.ts';
import { expect, test } from './support/test.ts';

const CLIENT = {
  clientId: 'checkout',
  software: [{ name: 'apache-kafka-java', version: '4.3.1' }],
  instances: 3,
  lastPushedAtMs: Date.now(),
  isProducer: true,
  isConsumer: false,
};

/** Lets the list of clients have these dropped pushes, and these clients, from the next question on. */
async function answerWith(page: Page, droppedPushes: number, clients: readonly unknown[]): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' });
  await page.route('**/api/trpc/**telemetry.clients**', async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replace('"clients":[]', `"clients":${JSON.stringify(clients)}`)
      .replace('"droppedPushes":0', `"droppedPushes":${droppedPushes}`);
    await route.fulfill({ response, body });
  });
}

// The page asks again by itself: an answer on its way when the test ends would fail in the next one.
test.afterEach(({ demoPage }) => demoPage.unrouteAll({ behavior: 'wait' }));

test('the page counts dropped pushes and says what to do', async ({ demoPage: page }) => {
  const clusterId = await createCluster(page, uniqueName('dropping'));
  const address = `/app/clusters/${clusterId}/clients?range=15m`;
  const note = page.getByText('Metrics are incomplete');

  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'No client metrics in this range' })).toBeVisible();
  await expect(note).toHaveCount(0);

  // Nothing of the range was kept: the page does not tell how to subscribe, because somebody has.
  await answerWith(page, 1_234, []);
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'No client metrics were kept in this range' })).toBeVisible();
  await expect(note).toContainText('Pushes dropped in the hours of this range: 1,234.');
  await expect(page.getByText('kafka-client-metrics.sh')).toHaveCount(0);

  await answerWith(page, 1_234, [CLIENT]);
  await page.goto(address);
  await expect(page.locator('[data-client="checkout"]')).toBeVisible();
  await expect(note).toContainText('Set a longer interval in your subscriptions, or match fewer clients.');
  await expect(note.getByRole('link')).toHaveAttribute('href', '/docs/kafka#client-metrics');
  await expectLooks(page, 'clients-dropped');
});
