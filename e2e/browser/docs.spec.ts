// The documentation in a browser: every page in both themes and at 360 px, every link, the anchors, copying and the search.
import { DOCS_ENTRIES, hrefOf } from '../../apps/web/features/docs/contents.ts';
import { expectAccessible, expectFits } from './support/accessible.ts';
import { saveLook } from './support/save-look.ts';
import { expect, test } from './support/test.ts';

const WIDTHS = { wide: 1440, narrow: 360 } as const;

// In one theme or the other.
test('every page is accessible and fits 360 px', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  for (const [index, { slug, title }] of DOCS_ENTRIES.entries()) {
    await test.step(slug, async () => {
      await page.setViewportSize({ width: WIDTHS.wide, height: 900 });
      await page.goto(hrefOf(slug));
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      for (const [theme, size] of [
        ['light', 'wide'],
        ['dark', 'narrow'],
      ] as const) {
        await page.setViewportSize({ width: WIDTHS[size], height: 900 });
        await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
        await expectFits(page);
        // All pages use the same elements, so each is checked in one theme and the one with the diagrams in both.
        const isTurn = (index % 2 === 0) === (theme === 'light');
        if (isTurn || slug === 'concepts') {
          await expectAccessible(page);
        }
        if (slug === 'concepts') {
          await saveLook(page, `docs-${slug}-${theme}-${size}`, { fullPage: true });
        }
      }
    });
  }
});

test('every link leads to a page and every anchor to an element', async ({ request }) => {
  const wanted = new Map<string, Set<string>>();
  const anchors = new Map<string, Set<string>>();
  for (const { slug } of DOCS_ENTRIES) {
    const html = await (await request.get(hrefOf(slug))).text();
    const all = (pattern: RegExp): string[] => [...html.matchAll(pattern)].map((match) => match[1] ?? '');
    anchors.set(hrefOf(slug), new Set(all(/ id="([^"]+)"/g)));
    for (const link of all(/<a[^>]* href="([/#][^"]*)"/g)) {
      const url = new URL(link, `http://localhost${hrefOf(slug)}`);
      wanted.set(url.pathname, (wanted.get(url.pathname) ?? new Set()).add(decodeURIComponent(url.hash.slice(1))));
    }
  }
  expect(wanted.size).toBeGreaterThan(DOCS_ENTRIES.length);
  for (const [pathname, hashes] of wanted) {
    const answer = await request.get(pathname, { maxRedirects: 0 });
    // The dashboard redirects visitors to the sign-in page.
    expect(answer.status(), pathname).toBeLessThan(400);
    const ids = anchors.get(pathname);
    for (const hash of ids === undefined ? [] : hashes) {
      if (hash !== '') {
        expect(ids, `${pathname}#${hash}`).toContain(hash);
      }
    }
  }
});

test('a reader can search, turn pages and copy a command', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs');
  const search = page.getByRole('searchbox', { name: 'Search the documentation' });
  // Matches in the text only.
  await search.fill('rendezvous hashing');
  await expect(page.getByRole('list', { name: 'Results' }).getByRole('link', { name: 'Zones' })).toBeVisible();
  await search.fill('journal');
  await page.getByRole('link', { name: 'The metadata journal' }).click();
  await page.waitForURL('**/docs/concepts#the-metadata-journal');
  await expect(page.getByRole('heading', { name: 'The metadata journal' })).toBeInViewport();
  await page.getByRole('link', { name: /^Previous/ }).click();
  await page.waitForURL('**/docs');
  await page.getByRole('button', { name: 'Copy Consume them' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('kcat -b localhost:9092 -C -t hello -o beginning -e');
});

// It is drawn once.
test('a missing page is a 404 in the reader’s theme', async ({ page, request }) => {
  expect((await request.get('/docs/no-such-page')).status()).toBe(404);
  expect((await request.get('/docs/quick-start')).status()).toBe(404);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto('/docs/no-such-page');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toHaveCount(1);
  await expect(page.getByRole('main')).toHaveCount(1);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await (await request.get('/docs/no-such-page')).text()).toContain('Page not found');
  await saveLook(page, 'docs-not-found-dark');
});
