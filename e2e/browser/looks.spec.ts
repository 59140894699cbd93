// Checks of every page: contrast, accessible names, no sideways scrolling, keyboard use. Pictures of the pages: see save-look.ts.
import type { Page } from '@playwright/test';
import { expectAccessible, expectCurrentTabInView, expectFits, expectTablesFit } from './support/accessible.ts';
import { newPerson, signUp, uniqueName } from './support/accounts.ts';
import { saveLook } from './support/save-look.ts';
import { expect, test } from './support/test.ts';

const WIDTHS = { wide: 1440, narrow: 360 } as const;

interface View {
  name: string;
  path: string;
  ready: (page: Page) => Promise<void>;
}

function heading(name: string | RegExp): View['ready'] {
  return (page) => expect(page.getByRole('heading', { name }).first()).toBeVisible();
}

const PUBLIC_VIEWS: readonly View[] = [
  { name: 'home', path: '/', ready: heading(/Kafka’s protocol/) },
  { name: 'docs', path: '/docs', ready: heading('Quick start') },
  { name: 'docs-security', path: '/docs/security', ready: heading('Security') },
  { name: 'sign-in', path: '/sign-in', ready: heading('Sign in') },
  { name: 'sign-in-sso', path: '/sign-in/sso', ready: heading('Single sign-on') },
  { name: 'sign-up', path: '/sign-up', ready: heading('Create your account') },
  { name: 'forgot-password', path: '/forgot-password', ready: heading('Reset your password') },
  { name: 'reset-password', path: '/reset-password', ready: heading('Set a new password') },
  { name: 'sign-up-finish', path: '/sign-up/finish', ready: heading('Set your password') },
  { name: 'invitation', path: '/invitation', ready: heading('You’re invited') },
  { name: 'mailbox', path: '/dev/mailbox', ready: heading('Mailbox') },
  { name: 'not-found', path: '/no-such-page', ready: heading('Page not found') },
];

function dashboardViews(clusterId: string): readonly View[] {
  const cluster = `/app/clusters/${clusterId}`;
  const live: View['ready'] = (page) => expect(page.locator('[data-connection="live"]')).toBeVisible();
  return [
    { name: 'clusters', path: '/app', ready: (page) => expect(page.getByRole('table').first()).toBeVisible() },
    { name: 'overview', path: cluster, ready: live },
    {
      name: 'metrics',
      path: `${cluster}/metrics`,
      ready: async (page) => {
        await expect(page.getByRole('region', { name: 'Traffic' })).toBeVisible();
        await expect(page.getByRole('region', { name: 'Metadata memory' })).toContainText(/Consumer groups.* of /);
      },
    },
    { name: 'topics', path: `${cluster}/topics`, ready: live },
    { name: 'groups', path: `${cluster}/groups`, ready: live },
    { name: 'transactions', path: `${cluster}/transactions`, ready: live },
    {
      name: 'clients',
      path: `${cluster}/clients`,
      ready: live,
    },
    { name: 'agents', path: `${cluster}/agents`, ready: live },
    { name: 'events', path: `${cluster}/events`, ready: heading('Events') },
    {
      name: 'access',
      path: `${cluster}/access`,
      ready: (page) => expect(page.getByText('No ACLs yet')).toBeVisible(),
    },
    { name: 'keys', path: `${cluster}/keys`, ready: (page) => expect(page.getByRole('row').nth(1)).toBeVisible() },
    { name: 'connect', path: `${cluster}/connect`, ready: live },
    { name: 'settings', path: `${cluster}/settings`, ready: live },
    { name: 'audit', path: '/app/audit', ready: (page) => expect(page.getByRole('row').nth(1)).toBeVisible() },
    { name: 'members', path: '/app/members', ready: (page) => expect(page.getByRole('row').nth(1)).toBeVisible() },
    {
      name: 'organization',
      path: '/app/organization',
      ready: (page) => expect(page.getByLabel('Issuer')).toBeVisible(),
    },
    {
      name: 'billing',
      path: '/app/billing',
      ready: async (page) => {
        await expect(page.getByTestId('month-to-date')).toHaveText(/^\$/);
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      },
    },
    {
      name: 'billing-settings',
      path: '/app/billing/settings',
      ready: (page) => expect(page.getByLabel('Monthly spending cap')).toBeVisible(),
    },
    { name: 'new-organization', path: '/app/new-organization', ready: heading('Create an organization') },
    { name: 'account', path: '/app/account', ready: (page) => expect(page.getByText('This session')).toBeVisible() },
  ];
}

async function checkViews(page: Page, views: readonly View[], theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  for (const view of views) {
    await test.step(`${view.name}, ${theme}`, async () => {
      await page.setViewportSize({ width: WIDTHS.wide, height: 900 });
      await page.goto(view.path);
      await view.ready(page);
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await expectAccessible(page, { of: theme === 'light' ? 'everything' : 'colours' });
      for (const [size, width] of Object.entries(WIDTHS)) {
        await page.setViewportSize({ width, height: 900 });
        await expectFits(page);
        if (view.path.startsWith('/app')) {
          await expectTablesFit(page);
        }
        await expectCurrentTabInView(page);
        await saveLook(page, `${view.name}-${theme}-${size}`, { fullPage: size === 'narrow' });
      }
    });
  }
}

for (const theme of ['light', 'dark'] as const) {
  test(`public pages are accessible and fit 360 px, ${theme}`, async ({ page }) => {
    await checkViews(page, PUBLIC_VIEWS, theme);
  });

  test(`dashboard pages are accessible and fit 360 px, ${theme}`, async ({ demoPage, started }) => {
    await checkViews(demoPage, dashboardViews(started.demo.clusterId), theme);
  });
}

test('an open dialog is accessible in both themes', async ({ demoPage: page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto('/app');
    await page.getByRole('button', { name: 'Create cluster' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page);
  }
});

test('at 360 px the menu has every link of the header', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Menu' }).click();
  const links = page.getByRole('navigation', { name: 'Site menu' }).getByRole('link');
  await expect(links).toHaveText(['How it works', 'Pricing', 'Benchmarks', 'Docs', 'API', 'Sign in']);
  await expectAccessible(page);
  await saveLook(page, 'site-menu-narrow');
  await page.keyboard.press('Escape');
  await expect(links).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await links.filter({ hasText: 'Benchmarks' }).click();
  await page.waitForURL('**/benchmarks');
  await expect(links).toHaveCount(0);
});

test('a theme survives a reload and applies before first paint', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Change theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  // Reads the theme when the body begins, which is before the first paint.
  await page.addInitScript(() => {
    new MutationObserver((_records, observer) => {
      if (document.body !== null) {
        Reflect.set(window, 'themeAtBody', document.documentElement.dataset['theme']);
        observer.disconnect();
      }
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  expect(await page.evaluate(() => Reflect.get(window, 'themeAtBody'))).toBe('dark');
});

test('a cluster can be created with only the keyboard', async ({ page }) => {
  const person = newPerson();
  await signUp(page, person);
  const focusedName = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabTo = async (name: string) => {
    await expect(async () => {
      await page.keyboard.press('Tab');
      expect(await focusedName()).toContain(name);
    }).toPass({ intervals: [0] });
  };
  // A fresh page: keyboard focus starts at its top.
  await page.goto('/app');
  await expect(page.getByLabel('Organization name')).toBeVisible();
  await page.keyboard.press('Tab');
  expect(await focusedName()).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Organization name')).toBeFocused();
  await page.keyboard.type('Keyboard only');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Create your first cluster' })).toBeVisible();

  await tabTo('Create cluster');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Create virtual cluster' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  // Focus stays inside the dialog, and Escape returns it to the button.
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Create cluster' })).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  const name = uniqueName('keys-only');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/connect$/);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
});
