// The page of clients: how to subscribe while nobody pushes, and the metrics of each client ID when they do.
import path from 'node:path';
import { confluentKafkaPython } from '../../infra/local/tools.ts';
import { pythonFolder } from '../clients/support/clients.ts';
import { kafkaTool } from '../clients/support/java-tools.ts';
import { start } from '../clients/support/run.ts';
import { expectAccessible } from './support/accessible.ts';
import { uniqueName } from './support/accounts.ts';
import { expectLooks } from './support/expect-looks.ts';
import { expect, test } from './support/test.ts';

test('the page explains subscribing, then draws the metrics', async ({ demoPage: page, started }) => {
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
    await expectLooks(page, 'clients');
  } finally {
    client.child.kill('SIGKILL');
    await client.exited;
  }
});
