// The published figures, their presets, and the public API of the calculator.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expect, test } from './support/test.ts';

test('every figure is shown with its verdict, even known errors', async ({ page, request }) => {
  const figures = await (await request.get('/api/v1/tco/published-figures')).json();
  await page.goto('/pricing/published');
  await expect(page.locator('tr[data-verdict]')).toHaveCount(figures.length);
  const slip = page.getByRole('row').filter({ hasText: '$20,376' });
  await expect(slip).toContainText('20,736');
  await expect(slip).toContainText('differs');
  await expect(page.getByRole('row').filter({ hasText: '$54,591' })).toContainText('cannot be derived');
});

test('a preset opens by its link and reproduces the published bill', async ({ page }) => {
  await page.goto('/pricing/published');
  await page.getByRole('link', { name: 'WarpStream 2024: 1 GiB/s on six agents' }).click();
  await page.waitForURL(/pin\.warpstream\.agents=6/);
  const bill = page.locator('[data-bill="warpstream"]');
  await bill.locator('> summary').click();
  for (const amount of ['$3,031.34', '$508.03', '$1,788.48', '$7,541.00']) {
    await expect(bill).toContainText(amount);
  }
});

test('the API returns an estimate or the problem of each field', async ({ request }) => {
  const good = await request.post('/api/v1/tco/estimates', {
    data: { workload: { throughput: 250 }, assumptions: { zones: 2 } },
  });
  expect(good.status()).toBe(200);
  expect(good.headers()['ratelimit']).toMatch(/^"tco";r=\d+;t=\d+$/);
  const estimate = await good.json();
  expect(estimate.systems).toHaveLength(16);
  expect(estimate.systems[0].lines[0]).toHaveProperty('formula.filledIn');

  for (const workload of [
    { throughput: -1 },
    { throughput: 'NaN' },
    { throughput: 1e30 },
    { throughput: '' },
    { throughputUnit: 'MB' },
    { speed: 1 },
  ]) {
    const bad = await request.post('/api/v1/tco/estimates', { data: { workload } });
    expect(bad.status(), JSON.stringify(workload)).toBe(422);
    expect(bad.headers()['content-type']).toBe('application/problem+json');
    const [error] = (await bad.json()).errors;
    expect(error.pointer).toBe(`#/workload/${Object.keys(workload)[0]}`);
    expect(error.detail.length).toBeGreaterThan(5);
  }
  const broken = await request.post('/api/v1/tco/estimates', {
    // A buffer is sent unchanged; a string would be quoted into valid JSON.
    data: Buffer.from('{'),
    headers: { 'content-type': 'application/json' },
  });
  expect(broken.status()).toBe(400);
  const catalogue = await (await request.get('/api/v1/tco/catalogue')).json();
  expect(catalogue.entries.some((entry: { verified: boolean }) => !entry.verified)).toBe(true);
});

test('the benchmarks show published measurements with their setup', async ({ page }) => {
  await page.goto('/benchmarks');
  await expect(page.getByRole('heading', { level: 1, name: 'Benchmarks' })).toBeVisible();
  await expect(page.getByText('1,000 MB/s, 50 producers, no TLS')).toBeVisible();
  await page.getByText('Complete append results').click();
  await expect(page.getByRole('table').filter({ hasText: '3870' })).toBeVisible();
});

/** A request from its own address, so that it shares no quota with other tests. */
async function getFrom(localAddress: string, url: string, claimed: string): Promise<IncomingMessage> {
  const request = httpRequest(url, { localAddress, agent: false, headers: { 'x-forwarded-for': claimed } });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

test('a spoofed address does not get around the public quota', async ({ started }) => {
  const url = new URL('/api/v1/tco/published-figures?x', started.webUrl);
  // The system listens on IPv4's loopback, where every address is this machine.
  url.hostname = '127.0.0.1';
  const from = `127.0.${1 + Math.floor(Math.random() * 250)}.${1 + Math.floor(Math.random() * 250)}`;
  const first = await getFrom(from, url.href, '203.0.113.1');
  expect(first.statusCode).toBe(422);
  expect(first.headers['ratelimit-policy']).toBe('"tco";q=120;w=60');
  expect(first.headers['ratelimit']).toBe('"tco";r=119;t=60');
  for (let sent = 1; sent < 120; sent += 1) {
    const response = await getFrom(from, url.href, `203.0.113.${sent % 250}`);
    expect(response.statusCode).toBe(422);
  }
  const refused = await getFrom(from, url.href, '198.51.100.7');
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['content-type']).toBe('application/problem+json');
  expect(refused.headers['ratelimit']).toMatch(/^"tco";r=0;t=\d+$/);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  const other = await getFrom('127.0.0.1', url.href, '198.51.100.7');
  expect(other.statusCode).toBe(422);
});
