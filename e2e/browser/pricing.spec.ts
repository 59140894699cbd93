// The public pricing page: every input, every formula, links, exports, print, keyboard, narrow screens, without JavaScript.
/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { awaitScript, expect, test } from './support/test.ts';

const system = (page: Page, id: string) => page.locator(`[data-system="${id}"]`);

async function openCalculator(page: Page, query = ''): Promise<void> {
  await page.goto(`/pricing${query}`);
  await expect(page.locator('form[data-scripted]')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', /light|dark/);
}

async function openAllGroups(page: Page): Promise<void> {
  // The groups are behind “All assumptions”.
  await page.locator('[data-group="all"] > summary').click();
  await expect(page.locator('[data-group="rivals"]')).toBeVisible();
  await page.locator('[data-group]').evaluateAll((groups) => {
    for (const group of groups) {
      if (group instanceof HTMLDetailsElement) {
        group.open = true;
      }
    }
  });
  // Closed content is rendered when it opens; prices come last.
  await expect(page.getByLabel('Prices as of')).toBeVisible();
}

test('every input is kept in the URL, marked and resettable', async ({ page }) => {
  await openCalculator(page);
  await openAllGroups(page);
  const keys = await page
    .locator('form [data-group] [name]')
    .evaluateAll((controls) =>
      controls.flatMap((control) =>
        control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? [control.name] : [],
      ),
    );
  expect(keys.length).toBeGreaterThan(40);
  for (const key of keys.filter((name) => name !== 'asOf')) {
    const control = page.locator(`[name="${key}"]`);
    const isSelect = await control.evaluate((element) => element instanceof HTMLSelectElement);
    if (isSelect) {
      const other = await control.evaluate((element) =>
        element instanceof HTMLSelectElement
          ? (Array.from(element.options).find((option) => !option.selected)?.value ?? '')
          : '',
      );
      await control.selectOption(other);
    } else {
      const before = await control.inputValue();
      await control.fill(Number(before) >= 2 ? String(Math.ceil(Number(before) / 2)) : before === '1' ? '2' : '1');
    }
    await expect(page.locator(`[data-changed]:has([name="${key}"])`), key).toHaveCount(1);
  }
  await page.getByRole('button', { name: /^Reset Consumer fan-out/ }).click();
  await expect(page.locator('[data-changed]:has([name="fanout"])')).toHaveCount(0);
  await page.getByRole('button', { name: /^Reset all \d+/ }).click();
  await expect(page.locator('[data-changed]')).toHaveCount(0);
  await expect(page).toHaveURL(/\/pricing$/);
});

test('more throughput costs more, and the URL restores it', async ({ page, browser, started }) => {
  await openCalculator(page);
  const before = (await system(page, 'penstock').textContent()) ?? '';
  await page.locator('[name="throughput"]').fill('800');
  await expect(system(page, 'penstock')).not.toHaveText(before);
  await expect(page).toHaveURL(/throughput=800/);
  const after = (await system(page, 'penstock').textContent()) ?? '';
  const elsewhere = await browser.newContext({ baseURL: started.webUrl });
  const shared = await elsewhere.newPage();
  await shared.goto(page.url());
  await expect(system(shared, 'penstock')).toHaveText(after);
  await expect(shared.locator('[name="throughput"]')).toHaveValue('800');
  await elsewhere.close();
});

test('the page computes what a worker computes', async ({ page, browser, started }) => {
  await openCalculator(page);
  await expect.poll(() => page.workers().length).toBe(1);
  const before = (await system(page, 'kafka').textContent()) ?? '';
  await page.locator('[name="throughput"]').fill('321');
  await expect(system(page, 'kafka')).not.toHaveText(before);
  const total = (await system(page, 'kafka').textContent()) ?? '';
  await expect(page.locator('div[aria-busy="false"]')).toBeVisible();
  const saving = (await page.getByText(/Penstock saves/).textContent()) ?? '';

  const context = await browser.newContext({ baseURL: started.webUrl });
  const old = await context.newPage();
  await old.addInitScript(() => Reflect.deleteProperty(window, 'Worker'));
  await openCalculator(old);
  await old.locator('[name="throughput"]').fill('321');
  await expect(system(old, 'kafka')).toHaveText(total);
  await expect(old.getByText(/Penstock saves/)).toHaveText(saving);
  expect(old.workers()).toHaveLength(0);
  await context.close();
});

test('the simple form has six inputs; a search finds the others', async ({ page }) => {
  await openCalculator(page);
  await expect(page.locator('[data-group="workload"] label')).toHaveText([
    'Write throughput',
    'Compression ratio',
    'Consumer fan-out',
    'Retention',
    'Partitions',
    'Cloud',
  ]);
  await expect(page.locator('[name="warpstreamWriteCpu"]')).toHaveCount(0);
  await page.locator('[data-group="all"] > summary').click();
  await page.getByLabel('Search assumptions').fill('warpstream cpu written');
  await expect(page.locator('[name="warpstreamWriteCpu"]')).toBeVisible();
  await expect(page.locator('[name="bufstreamCpu"]')).toHaveCount(0);
  await page.getByLabel('Search assumptions').fill('NAT gateway');
  await expect(page.locator('[name="price.aws.nat.hour"], [id="in-price.aws.nat.hour"]').first()).toBeVisible();
});

test('the CPU basis is in sight, with a caveat at the total', async ({ page }) => {
  await openCalculator(page, '?throughput=2&throughputUnit=GiB/s');
  await expect(page.getByTestId('caveats')).toContainText('CPU measured on two shared cores');
  const before = (await system(page, 'kafka-follower').textContent()) ?? '';
  await page.locator('[name="cpuBasis"]').selectOption('published');
  await expect(page).toHaveURL(/cpuBasis=published/);
  await expect(system(page, 'kafka-tiered')).not.toHaveText(before);
  await page.locator('[name="cpuBasis"]').selectOption('alike');
  await expect(page.getByTestId('caveats')).not.toContainText('CPU measured');
});

// With what small machines measured.
test('the infrastructure of 1 GiB/s is shown line by line', async ({ page }) => {
  await openCalculator(page);
  const table = page.getByRole('region', { name: 'Infrastructure of 1 GiB/s' });
  await expect(table.getByRole('row', { name: /^Object storage \$/ })).toContainText('$3,496.78');
  await expect(table.getByRole('row', { name: /^Object storage for the restore window/ })).toContainText('$993.60');
  await expect(table.getByRole('row', { name: /^Agents/ })).toContainText('measured on two shared cores');
  await expect(table.getByRole('row', { name: /^Infrastructure/ })).toContainText('$');
  await expect(page.getByRole('heading', { name: 'No published price that we could verify' })).toBeVisible();
});

test('the latency switch compares the S3 Express cluster', async ({ page }) => {
  await openCalculator(page);
  const standard = (await page.getByTestId('our-total').textContent()) ?? '';
  await page.getByLabel('Storage class', { exact: true }).selectOption('express');
  await expect(page.getByTestId('our-total')).not.toHaveText(standard);
  await expect(page.getByText('Cluster-minutes, low latency').first()).toBeVisible();
  await openAllGroups(page);
  await page.locator('[name="landingBatchMs"]').fill('100');
  const latency = page.getByRole('region', { name: 'Latency and cost' });
  await expect(latency.getByRole('row', { name: /^Penstock, S3 Express One Zone/ })).toContainText('105 ms / 200 ms');
  await expect(latency.getByRole('row', { name: /^WarpStream, S3 Express One Zone/ })).toContainText('80 ms / 150 ms');
});

test('any amount opens its formula down to the inputs', async ({ page }) => {
  await openCalculator(page);
  const bill = page.locator('[data-bill="kafka-follower"]');
  await bill.getByText('Apache Kafka, fetch from follower').click();
  const line = bill.locator('[data-line="replicate-across-zones"]');
  await line.getByText('Leaders to followers in other zones').click();
  await expect(line).toContainText('wire_zone × replicas_crossing × price');
  await expect(line).toContainText('68,891.443 × 2');
  await expect(line).toContainText('$0.02');
  await expect(line.getByRole('list', { name: /^Variables/ })).toContainText('rf − max(1, rf ÷ zones)');
  await line.getByRole('button', { name: /Override replicas_crossing/ }).click();
  await page.locator('[name="pin.kafka-follower.replicas_crossing"]').fill('1');
  await expect(line).toContainText('68,891.443 × 1');
  await expect(page).toHaveURL(/pin\.kafka-follower\.replicas_crossing=1/);
});

test('a custom price replaces the catalogue’s', async ({ page }) => {
  await openCalculator(page, '?price.aws.zone-transfer=0');
  await expect(system(page, 'kafka-follower').getByRole('img')).not.toHaveAccessibleName(/inter-zone network/);
});

for (const [what, text, message] of [
  ['a negative number', '-1', /at least 0/],
  ['not a number', 'NaN', /Enter only a number/],
  ['a number beyond all bounds', '1e30', /at most 1,000,000/],
  ['nothing', '', /Enter a number/],
  ['a number with a unit', '100 MB/s', /without units/],
] as const) {
  test(`${what} gets an error at the field, and the charts stay`, async ({ page }) => {
    await openCalculator(page);
    const field = page.locator('[name="throughput"]');
    await field.fill(text);
    await expect(field).toHaveAccessibleDescription(message);
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(page.locator('main')).not.toContainText(/NaN \/|Infinity|undefined/);
    await expect(page.locator('svg polyline').first()).toBeVisible();
    await expect(system(page, 'kafka')).toContainText('$');
  });
}

test('a link with an invalid field names it', async ({ page }) => {
  await openCalculator(page, '?speed=3');
  await expect(page.getByRole('alert').filter({ hasText: 'speed' })).toContainText('Unknown field');
});

test('exports carry the same totals as the page', async ({ page, request }) => {
  await openCalculator(page, '?throughput=250');
  const csvLink = await page.getByRole('link', { name: 'CSV' }).getAttribute('href');
  const jsonLink = await page.getByRole('link', { name: 'JSON', exact: true }).getAttribute('href');
  const csv = await (await request.get(csvLink ?? '')).text();
  const json = await (await request.get(jsonLink ?? '')).json();
  const kafka = json.systems.find((candidate: { id: string }) => candidate.id === 'kafka');
  expect(csv).toContain(kafka.totalUsd);
  const sum = kafka.lines.reduce(
    (total: bigint, line: { amountUsd: string }) => total + BigInt(line.amountUsd.replace('.', '')),
    0n,
  );
  expect(sum.toString()).toBe(kafka.totalUsd.replace('.', ''));
  const shown = Number(kafka.totalUsd).toLocaleString('en-US', { maximumFractionDigits: 0 });
  await expect(system(page, 'kafka')).toContainText(`$${shown}`);
});

test('the first estimate and a form work without JavaScript', async ({ browser, started }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: started.webUrl });
  const page = await context.newPage();
  await page.goto('/pricing?throughput=50');
  await expect(system(page, 'penstock')).toContainText('$');
  await expect(page.locator('svg polyline').first()).toBeVisible();
  const before = (await system(page, 'penstock').textContent()) ?? '';
  await page.locator('[name="throughput"]').fill('500');
  await page.getByRole('button', { name: 'Estimate' }).click();
  await expect(page).toHaveURL(/throughput=500/);
  await expect(system(page, 'penstock')).not.toHaveText(before);
  await page.locator('[data-bill="penstock"] > summary').click();
  await expect(page.locator('[data-bill="penstock"] [data-line="agents"]')).toContainText('agents × month_h × price');
  await context.close();
});

test('inputs, sliders and formulas are reachable by keyboard', async ({ page }) => {
  await openCalculator(page);
  await page.locator('[name="throughput"]').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Throughput unit')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Write throughput, slider')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/throughput=/);
  const summary = page.locator('[data-bill="kafka"] > summary');
  await summary.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-bill="kafka"] [data-line="brokers"]')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-bill="kafka"] [data-line="brokers"]')).toContainText('In symbols');
});

for (const theme of ['light', 'dark'] as const) {
  for (const path of ['/pricing', '/pricing/defaults', '/pricing/published', '/benchmarks']) {
    test(`axe finds nothing on ${path}, ${theme}`, async ({ browser, started }) => {
      const context = await browser.newContext({ colorScheme: theme, baseURL: started.webUrl });
      const page = await context.newPage();
      await awaitScript(page);
      await page.goto(path);
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      if (path === '/pricing') {
        await openAllGroups(page);
        await page.locator('[data-bill="kafka"] > summary').click();
        await page.locator('[data-bill="kafka"] [data-line="disk"] > summary').click();
      }
      await expectAccessible(page, { of: theme === 'light' ? 'everything' : 'colours' });
      await context.close();
    });
  }
}

test('at 360 px nothing overflows the page', async ({ browser, started }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, baseURL: started.webUrl });
  const page = await context.newPage();
  for (const path of ['/pricing', '/pricing/defaults', '/pricing/published', '/benchmarks']) {
    await page.goto(path);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBe(0);
  }
  await context.close();
});

test('print shows the results and no buttons', async ({ page }) => {
  await openCalculator(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByText('Monthly cost').first()).toBeVisible();
  await expect(page.getByLabel('Write throughput, slider')).toBeHidden();
});

test('a slider step redraws only what depends on it', async ({ page }) => {
  await openCalculator(page);
  const slider = page.getByLabel('Write throughput, slider');
  await slider.focus();
  const before = await page.locator('[name="throughput"]').inputValue();
  const bar = (await system(page, 'kafka').textContent()) ?? '';
  await page.evaluate(() => {
    const counts = { all: 0, otherInputs: 0, outOfSight: 0, bars: 0 };
    new MutationObserver((records, observer) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        counts.all += 1;
        counts.otherInputs += element?.closest('[data-group]:not([data-group="workload"])') === null ? 0 : 1;
        counts.outOfSight += element?.closest('[data-bill], [data-mark]') === null ? 0 : 1;
        counts.bars += element?.closest('[data-system]') === null ? 0 : 1;
      }
      // Everything visible updates at once; the rest waits until the slider rests.
      if (counts.bars > 0) {
        observer.disconnect();
        Object.assign(window, { counts });
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('[name="throughput"]')).not.toHaveValue(before);
  await expect(system(page, 'kafka')).not.toHaveText(bar);
  const counts = await page.evaluate(() => Reflect.get(window, 'counts'));
  expect(counts.otherInputs).toBe(0);
  expect(counts.outOfSight).toBe(0);
  expect(counts.all).toBeLessThan(200);
  const dollars = async (selector: string) =>
    Math.round(
      Number(/\$([\d,.]+)/.exec((await page.locator(selector).textContent()) ?? '')?.[1]?.replaceAll(',', '')),
    );
  const total = await dollars('[data-system="kafka"]');
  await page.locator('[data-bill="kafka"]').scrollIntoViewIfNeeded();
  await expect.poll(() => dollars('[data-bill="kafka"] > summary')).toBe(total);
});

// And listed as a table.
test('latency is plotted against cost with links to bills', async ({ page }) => {
  await openCalculator(page);
  const mark = page.locator('[data-mark="kafka-follower"]').getByRole('link');
  await expect(mark).toHaveAccessibleName(/Kafka, follower fetch ?: \$[\d,]+ per month, 27 ms/);
  await expect(page.locator('[data-mark="penstock"]').getByRole('link')).toHaveAccessibleName(/estimated 900 ms/);
  await mark.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#bill-kafka-follower$/);
  await expect(page.getByRole('region', { name: 'Latency and cost' }).getByRole('row')).toHaveCount(17);
});
