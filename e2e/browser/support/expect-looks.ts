import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectFits, expectTablesFit } from './accessible.ts';
import { saveLook } from './save-look.ts';

/**
 * In both themes, at a large and at a small width: nothing is cut off, and axe finds nothing. Saves a screenshot of each, named
 * `<name>-<theme>-<size>`.
 */
export async function expectLooks(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await expectAccessible(page, { of: theme === 'light' ? 'everything' : 'colours' });
    for (const [size, width] of [
      ['wide', 1_440],
      ['narrow', 360],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await expectFits(page);
      await expectTablesFit(page);
      await saveLook(page, `${name}-${theme}-${size}`, { fullPage: true });
    }
  }
}
