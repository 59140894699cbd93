// Tests in a real browser against a running system. They take its addresses and the demo login from the file that
// `npm start` writes (PENSTOCK_E2E_STARTED, else .penstock/started.json).
import { defineConfig } from '@playwright/test';
import { readStarted } from './browser/support/started.ts';

export default defineConfig({
  testDir: './browser',
  outputDir: './test-results',
  reporter: [['list']],
  forbidOnly: true,
  // Two browsers: more would only wait for each other on two cores.
  workers: 2,
  fullyParallel: false,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL: readStarted().webUrl,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['PENSTOCK_CHROMIUM'] ?? '/usr/bin/chromium',
      // The sandbox needs privileges that root in a container lacks.
      args: ['--no-sandbox', '--disable-gpu'],
    },
  },
});
