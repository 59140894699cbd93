// Tests in a real browser: `playwright test --config browser/playwright.config.ts`. They start their own system, or use the running one
// whose started.json PENSTOCK_E2E_STARTED names (`npm start` writes .penstock/started.json).
import { defineConfig } from '@playwright/test';
import { findChromium } from '../../infra/local/tools.ts';

const chromium = process.env['PENSTOCK_CHROMIUM'] || findChromium();

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  globalSetup: './support/system.setup.ts',
  reporter: [['list']],
  forbidOnly: true,
  // Two browsers: more would only compete for two cores.
  workers: 2,
  fullyParallel: false,
  // Only for hangs: a test with a promised time checks it itself.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  use: {
    // No animations for tests to wait for.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // Off by default: a trace copies the page at every step and makes a test half as long again.
    trace: process.env['PENSTOCK_E2E_TRACE'] === undefined ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      // The sandbox needs privileges that root in a container lacks. In headless mode, hinting would round letter widths to whole pixels.
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    },
  },
});
