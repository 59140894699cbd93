/// <reference lib="dom" />
// The tests' own `test`: knows the running system and can be somebody who is signed in.
import { test as base, expect, type Page } from '@playwright/test';
import { readStarted, type Started } from './started.ts';

type SessionState = Awaited<ReturnType<import('@playwright/test').BrowserContext['storageState']>>;

interface WorkerFixtures {
  started: Started;
  demoState: SessionState;
}
interface TestFixtures {
  /** A page of the demo's user, signed in. */
  demoPage: Page;
}

/**
 * Lets every action and assertion wait for the page's script to have taken the page over: it is drawn before, and whatever is clicked then
 * is heard by nobody.
 */
export async function awaitScript(page: Page): Promise<void> {
  // Playwright takes this for something that lies over the page, looks for it before each step, and waits for it to go.
  await page.addLocatorHandler(page.locator('html[data-scripted="no"]'), async () => undefined);
}

/** Signs in through the form and waits for the dashboard. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/app');
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  started: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      await use(readStarted());
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ started }, use) => {
    await use(started.webUrl);
  },
  page: async ({ page }, use) => {
    await awaitScript(page);
    await use(page);
  },
  // One sign-in per worker: the rate limit is for guessing, and so are many sign-ins.
  demoState: [
    async ({ browser, started }, use) => {
      const context = await browser.newContext({ baseURL: started.webUrl });
      const page = await context.newPage();
      await awaitScript(page);
      await signIn(page, started.demo.email, started.demo.password);
      await use(await context.storageState());
      await context.close();
    },
    { scope: 'worker' },
  ],
  demoPage: async ({ browser, started, demoState, locale, timezoneId }, use) => {
    const context = await browser.newContext({
      baseURL: started.webUrl,
      ...(locale === undefined ? {} : { locale }),
      ...(timezoneId === undefined ? {} : { timezoneId }),
      storageState: demoState,
    });
    const page = await context.newPage();
    await awaitScript(page);
    await use(page);
    await context.close();
  },
});

export { expect };
