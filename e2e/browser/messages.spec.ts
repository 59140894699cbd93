// Message browsing: records go from the agent straight to this browser and pass through no other server.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { expectAccessible, expectFits } from './support/accessible.ts';
import { createCluster, uniqueName } from './support/accounts.ts';
import { saveLook } from './support/save-look.ts';
import type { Started } from './support/started.ts';
import { expect, test } from './support/test.ts';

const CANARY = 'canary-7d41e2';
const VALUE = JSON.stringify({ note: CANARY, total: 12.5 });
/** The record in plain text and in base64, the forms that a response may have. */
const TRACES = [CANARY, Buffer.from(VALUE).toString('base64')];
/** A day after the last date that browsers know. */
const BEYOND_THE_CALENDAR_MS = 8_640_000_086_400_000;
const BINARY = Buffer.from([0x00, 0xff, 0xfe, 0x50, 0x53]);

/** A topic of one partition with JSON, text, binary data, a tombstone, keys and headers. */
async function produce(started: Started): Promise<string> {
  const topic = uniqueName('messages');
  const kafka = new Kafka({ clientId: 'tests', brokers: [started.kafkaBootstrap ?? ''], logLevel: logLevel.ERROR });
  const admin = kafka.admin();
  await admin.connect();
  const configEntries = [{ name: 'message.timestamp.after.max.ms', value: String(2n ** 63n - 1n) }];
  await admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: 1, configEntries }] });
  await admin.disconnect();
  const producer = kafka.producer();
  await producer.connect();
  const messages = [
    { key: 'order-1', value: VALUE, headers: { trace: 'abc-123' } },
    { key: 'order-2', value: `text with ${CANARY}` },
    { key: 'order-3', value: BINARY, timestamp: String(BEYOND_THE_CALENDAR_MS) },
    { key: 'order-1', value: null },
    ...Array.from({ length: 60 }, (_, index) => ({ key: `more-${index}`, value: `record ${index}` })),
  ];
  await producer.send({ topic, messages, compression: CompressionTypes.GZIP });
  await producer.disconnect();
  return topic;
}

async function read(page: Page, begin: string): Promise<void> {
  await page.getByLabel('Start from').click();
  await page.getByRole('option', { name: begin }).click();
  await page.getByRole('button', { name: 'Read records' }).click();
}

function connectSources(policy: string | undefined): string[] {
  return /connect-src ([^;]*)/.exec(policy ?? '')?.[1]?.split(' ') ?? [];
}

// As JSON, text and hex, and found by key.
test('records are shown without passing through our servers', async ({ demoPage: page, started }) => {
  const topic = await produce(started);
  /** Origins whose responses contained the record. */
  const witnesses: string[] = [];
  const asked = new Set<string>();
  page.on('response', async (response) => {
    const { origin, pathname } = new URL(response.url());
    if (pathname === '/v1/records') {
      asked.add(origin);
    }
    const isStream = (response.headers()['content-type'] ?? '').includes('event-stream');
    const body = isStream ? '' : await response.text().catch(() => '');
    if (TRACES.some((trace) => body.includes(trace))) {
      witnesses.push(origin);
    }
  });
  const list = await page.goto(`/app/clusters/${started.demo.clusterId}/topics`);
  expect(connectSources(list?.headers()['content-security-policy'])).toEqual(["'self'"]);
  await page.getByRole('link', { name: `View messages of topic ${topic}` }).click();
  await page.waitForURL(`**/topics/${topic}/messages`);

  await read(page, 'Oldest records');
  const row = (offset: number) => page.locator(`[data-offset="${offset}"]`);
  await expect(row(0)).toContainText('order-1');
  await expect(row(1)).toContainText(`text with ${CANARY}`);
  await expect(row(2)).toContainText('0x00fffe5053');
  await expect(row(2)).toContainText('8,640,000,086,400,000 ms');
  await expect(page.locator('[data-offset]')).toHaveCount(50);
  await page.getByRole('button', { name: 'Continue from offset 50' }).click();
  await expect(page.locator('[data-offset]')).toHaveCount(64);
  await expect(page.getByText('End of partition.')).toBeVisible();

  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Open record 0', exact: true }).click();
  await expect(dialog.getByRole('region', { name: 'Value' })).toContainText(`"note": "${CANARY}"`);
  await expect(dialog.getByRole('region', { name: 'Headers' })).toContainText('abc-123');
  await dialog.getByLabel('Show value as').click();
  await page.getByRole('option', { name: 'Hex' }).click();
  await expect(dialog.getByRole('region', { name: 'Value' })).toContainText('00000000  7b 22 6e 6f');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open record 2', exact: true }).click();
  await expect(dialog.getByRole('region', { name: 'Value' })).toContainText('00 ff fe 50 53');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open record 3', exact: true }).click();
  await expect(dialog.getByRole('region', { name: 'Value' })).toContainText('tombstone');
  await page.keyboard.press('Escape');

  await page.getByLabel('Filter by key').fill('order-1');
  await page.getByRole('button', { name: 'Read records' }).click();
  await expect(page.locator('[data-offset]')).toHaveCount(2);

  const partition = page.getByRole('textbox', { name: 'Partition' });
  await partition.fill('99');
  await page.getByRole('button', { name: 'Read records' }).click();
  await expect(partition).toHaveAccessibleDescription(/This topic has only partition 0/);
  await partition.fill('0');

  // Every origin that returned records is an agent, and the page's policy lists it and no other.
  const document = await page.request.get(page.url());
  const policy = connectSources(document.headers()['content-security-policy']);
  expect(policy).toEqual(["'self'", ...asked]);
  await expect.poll(() => new Set(witnesses)).toEqual(asked);
  expect([...asked]).not.toContain(new URL(started.webUrl).origin);
  const logs = path.join(path.dirname(process.env['PENSTOCK_E2E_STARTED'] ?? ''), 'logs');
  for (const name of ['web', 'metadata', 'worker', 'agent']) {
    const log = readFileSync(path.join(logs, `${name}.log`), 'utf8');
    for (const trace of TRACES) {
      expect(log).not.toContain(trace);
    }
    expect(log).not.toContain('eyJhbGciOiJFZERTQSJ9');
  }

  await page.route('**/v1/records', (route) => route.abort());
  await page.getByRole('button', { name: 'Read records' }).click();
  const [agentOrigin] = asked;
  await expect(page.getByRole('main').getByRole('alert')).toContainText(agentOrigin ?? 'an agent');
  await expect(page.getByRole('main').getByRole('alert')).toContainText('--message-browser-url');
});

test('searches are audited, and a disabled cluster says so', async ({ demoPage: page }) => {
  await page.goto('/app/audit');
  await expect(page.getByRole('table').getByText('viewed messages of a topic').first()).toBeVisible();
  const clusterId = await createCluster(page, uniqueName('quiet'));
  await page.goto(`/app/clusters/${clusterId}/topics/orders/messages`);
  await expect(page.getByText('Topic “orders” doesn’t exist')).toBeVisible();
  await page.goto(`/app/clusters/${clusterId}/topics`);
  await page.getByRole('button', { name: 'Create topic' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('orders');
  await page.getByRole('dialog').getByRole('button', { name: 'Create topic' }).click();
  await page.getByRole('link', { name: 'View messages of topic orders' }).click();
  await expect(page.getByText('PENSTOCK_MESSAGE_BROWSER=true')).toBeVisible();
  await saveLook(page, 'messages-off');
});

// It repeats the search.
test('a page that did not know the agent reloads once', async ({ demoPage: page, started }) => {
  const topic = await produce(started);
  const path = `/app/clusters/${started.demo.clusterId}/topics/${topic}/messages`;
  /** How many of the next pages come without the agents in their policy, as when the metadata service is slow to list them. */
  let withoutAgents = 1;
  let loads = 0;
  await page.route(`**${path}`, async (route) => {
    loads += 1;
    // A page that is not from this machine's network, as an altered one, may not call agents on this machine: Chromium asks the user first.
    if (withoutAgents === 0) {
      await route.continue();
      return;
    }
    withoutAgents -= 1;
    const response = await route.fetch();
    const headers = response.headers();
    const policy = headers['content-security-policy'] ?? '';
    headers['content-security-policy'] = policy.replace(/connect-src [^;]*/, "connect-src 'self'");
    await route.fulfill({ response, headers });
  });
  await page.goto(path);
  await page.getByLabel('Filter by key').fill('order-1');
  await read(page, 'Oldest records');
  await expect(page.locator('[data-offset]')).toHaveCount(2);
  await expect(page.getByLabel('Filter by key')).toHaveValue('order-1');
  await expect(page.getByLabel('Start from')).toHaveText('Oldest records');
  expect(loads).toBe(2);

  // The reload does not help: the page must not reload again and again.
  withoutAgents = 2;
  await page.reload();
  await read(page, 'Oldest records');
  const notice = page.getByText('Reload to use this agent');
  await expect(notice).toBeVisible();
  await saveLook(page, 'messages-reload');
  expect(loads).toBe(4);
  await page.getByRole('main').getByRole('button', { name: 'Reload' }).click();
  await expect(page.locator('[data-offset="0"]')).toBeVisible();
});

test('the page is accessible and fits 360 px in both themes', async ({ demoPage: page, started }) => {
  const topic = await produce(started);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/app/clusters/${started.demo.clusterId}/topics/${topic}/messages`);
    await read(page, 'Oldest records');
    await expect(page.locator('[data-offset="0"]')).toBeVisible();
    for (const [size, width] of [
      ['wide', 1440],
      ['narrow', 360],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await expectFits(page);
      await expectAccessible(page, { of: theme === 'light' ? 'everything' : 'colours' });
      await saveLook(page, `messages-${theme}-${size}`);
      await page.getByRole('button', { name: 'Open record 0', exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectAccessible(page, { of: theme === 'light' ? 'everything' : 'colours' });
      await saveLook(page, `messages-record-${theme}-${size}`);
      await page.keyboard.press('Escape');
    }
  }
});
