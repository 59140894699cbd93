/// <reference lib="dom" />
// The `test` of browser tests, with fixtures for the running system and a signed-in user.
import { test as base, expect, type Page, type TestInfo } from '@playwright/test';
import { readStarted, type Started } from './started.ts';

type SessionState = Awaited<ReturnType<import('@playwright/test').BrowserContext['storageState']>>;

interface WorkerFixtures {
  started: Started;
  /** Returns a session of the demo user that is recent enough for every change during a test. */
  signInDemo: () => Promise<SessionState>;
}
interface TestFixtures {
  demoState: SessionState;
  /** A page of the demo user, signed in. */
  demoPage: Page;
}

/** A test takes 5 minutes at most, and a sign-in counts as proof of identity for 15: after that, changes ask for another one. */
const MAX_SIGN_IN_AGE_MS = 5 * 60_000;

/** Makes every action and assertion wait for hydration: the page is drawn earlier, and clicks before it have no effect. */
export async function awaitScript(page: Page): Promise<void> {
  // Playwright treats this as an overlay: it checks for it before each step and waits until it is gone.
  await page.addLocatorHandler(page.locator('html[data-scripted="no"]'), async () => undefined);
}

/**
 * After a failure, the output gets the text of the open dialog, or else the alerts of the page, or else its text: the log of a run
 * elsewhere comes without pictures.
 */
async function attachText(page: Page, info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus || page.isClosed()) {
    return;
  }
  const main = page.getByRole('main');
  let texts: string[] = [];
  for (const part of [page.getByRole('dialog'), main.getByRole('alert'), main]) {
    if (texts.length === 0) {
      texts = await part.allInnerTexts();
    }
  }
  // Playwright prints the first 300 characters. What a test waits for is rarely at the top of a page.
  const body = texts.join(' ').replace(/\s+/g, ' ').slice(-300);
  await info.attach(`text of ${new URL(page.url()).pathname}`, { body, contentType: 'text/plain' });
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
  page: async ({ page }, use, info) => {
    await awaitScript(page);
    await use(page);
    await attachText(page, info);
  },
  // A worker keeps its sign-in for several tests: one per test would take minutes in all.
  signInDemo: [
    async ({ browser, started }, use) => {
      let latest: { state: SessionState; atMs: number } | undefined;
      await use(async () => {
        const atMs = Date.now();
        if (latest === undefined || atMs - latest.atMs > MAX_SIGN_IN_AGE_MS) {
          const context = await browser.newContext({ baseURL: started.webUrl });
          const page = await context.newPage();
          await awaitScript(page);
          await signIn(page, started.demo.email, started.demo.password);
          latest = { state: await context.storageState(), atMs };
          await context.close();
        }
        return latest.state;
      });
    },
    { scope: 'worker' },
  ],
  demoState: async ({ signInDemo }, use) => {
    await use(await signInDemo());
  },
  demoPage: async ({ browser, started, demoState, locale, timezoneId }, use, info) => {
    const context = await browser.newContext({
      baseURL: started.webUrl,
      ...(locale === undefined ? {} : { locale }),
      ...(timezoneId === undefined ? {} : { timezoneId }),
      storageState: demoState,
    });
    const page = await context.newPage();
    await awaitScript(page);
    await use(page);
    await attachText(page, info);
    await context.close();
  },
});

export { expect };
