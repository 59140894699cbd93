// Pictures of pages for people to look at. No test reads them, so they are only taken on request: they take a tenth of the time.
import path from 'node:path';
import type { Page } from '@playwright/test';

const FOLDER = path.join(import.meta.dirname, '../screenshots');
const isWanted = process.env['PENSTOCK_E2E_SCREENSHOTS'] !== undefined;

/** Saves a picture as e2e/browser/screenshots/<name>.png if PENSTOCK_E2E_SCREENSHOTS is set. */
export async function saveLook(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (isWanted) {
    await page.screenshot({ ...options, path: path.join(FOLDER, `${name}.png`) });
  }
}
