// Tests in a real browser: `playwright test --config browser/playwright.config.ts`. Against a system of their own, or
// against the running one whose started.json PENSTOCK_E2E_STARTED names (`npm start` writes .penstock/started.json).
import { defineConfig } from '@playwright/test';
import { findChromium } from '../../infra/local/tools.ts';

const chromium = process.env['PENSTOCK_CHROMIUM'] || findChromium();

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  globalSetup: './support/system.setup.ts',
  reporter: [['list']],
  forbidOnly: true,
  // Two browsers: more would only wait for each other on two cores.
  workers: 2,
  fullyParallel: false,
  // Only for what hangs: a test that holds something against a promised time says so itself.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  use: {
    // Nothing moves that a test would wait for.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // A trace takes a copy of the page at every step, half as long again as the test: only for whoever asks.
    trace: process.env['PENSTOCK_E2E_TRACE'] === undefined ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      // The sandbox needs privileges that root in a container lacks. Without windows, letters would be as wide as whole pixels.
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    },
  },
});
