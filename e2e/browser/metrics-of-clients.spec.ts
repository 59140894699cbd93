// The page of clients: how to subscribe while nobody pushes, and the metrics of each client ID when they do.
import path from 'node:path';
import { confluentKafkaPython } from '../../infra/local/tools.ts';
import { pythonFolder } from '../clients/support/clients.ts';
import { kafkaTool } from '../clients/support/java-tools.ts';
import { start } from '../clients/support/run.ts';
import { expectAccessible, expectFits, expectTablesFit } from './support/accessible.ts';
import { uniqueName } from './support/accounts.ts';
import { saveLook } from './support/save-look.ts';
import { expect, test } from './support/test.ts';

test('the page tells how to subscribe, then lists who pushes and draws their metrics', async ({
  demoPage: page,
  started,
}) => {
  const bootstrap = started.kafkaBootstrap ?? '';
  await page.goto(`/app/clusters/${started.demo.clusterId}/clients?range=15m`);
  await expect(page.getByRole('heading', { name: 'No client metrics in this range' })).toBeVisible();
  await expect(page.getByText('kafka-client-metrics.sh')).toBeVisible();
  await expectAccessible(page, { of: 'everything' });

  const clientId = uniqueName('pushing');
  const topic = ['--bootstrap-server', bootstrap, '--create', '--topic', clientId];
  const subscribe = ['--bootstrap-server', bootstrap, '--alter', '--generate-name', '--metrics', 'org.apache.kafka.'];
  await kafkaTool('kafka-topics', topic);
  await kafkaTool('kafka-client-metrics', [...subscribe, '--interval', '1000', '--match', 'client_id=pushing-.*']);
  const args = [path.join(pythonFolder, 'push_metrics.py'), bootstrap, clientId, clientId];
  const client = start(await confluentKafkaPython(), args);
  try {
    // Live: the first report arrives while the page is open.
    const row = page.locator(`[data-client="${clientId}"]`);
    await expect(row).toBeVisible({ timeout: 90_000 });
    await expect(row).toContainText('Producer, consumer');
    await expect(row).toContainText('confluent-kafka');
    await row.getByRole('button', { name: `Show metrics of ${clientId}` }).click();
    await expect(page).toHaveURL(new RegExp(`client=${clientId}`));
    const charts = page.getByRole('region', { name: clientId });
    const queueTime = charts.getByRole('region', { name: 'Record queue time', exact: true });
    await expect(queueTime.getByRole('slider', { name: 'Record queue time: moment' })).toBeVisible({ timeout: 60_000 });
    await expect(charts.getByRole('region', { name: 'Fetch latency', exact: true })).toBeVisible();
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await page.setViewportSize({ width: 1_440, height: 900 });
      await expectAccessible(page, { of: theme === 'light' ? 'everything' : 'colours' });
      for (const [size, width] of [
        ['wide', 1_440],
        ['narrow', 360],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await expectFits(page);
        await expectTablesFit(page);
        await saveLook(page, `clients-${theme}-${size}`, { fullPage: true });
      }
    }
  } finally {
    client.child.kill('SIGKILL');
    await client.exited;
  }
});
