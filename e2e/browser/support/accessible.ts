/// <reference lib="dom" />
// Checks every page must pass, in the current theme and width.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose result depends on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Reading {
  /** `colours` for a page that was checked completely in the other theme: only colours differ. */
  of?: 'everything' | 'colours';
}

/** Checks the page as assistive technology reads it. */
export async function expectAccessible(page: Page, { of = 'everything' }: Reading = {}): Promise<void> {
  const axe = new AxeBuilder({ page })
    .options({
      runOnly: of === 'everything' ? { type: 'tag', values: TAGS } : { type: 'rule', values: COLOUR_RULES },
      // Passes are not reported per element: that would take longer than the check itself.
      resultTypes: ['violations'],
    })
    // Runs in the page itself. The other mode opens a separate page for cross-origin frames, and there are none.
    .setLegacyMode(true);
  const { violations } = await axe.analyze();
  const faults = violations.map(({ id, nodes }) => ({
    rule: id,
    where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
  }));
  expect(faults).toEqual([]);
}

/** Expects that the page does not scroll sideways. */
export async function expectFits(page: Page): Promise<void> {
  const excessPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(excessPx, 'pixels beyond the right edge').toBeLessThanOrEqual(0);
}

/** No column is out of view: tables stack their rows where the box is too narrow for columns. */
export async function expectTablesFit(page: Page): Promise<void> {
  const cut = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main section:has(> table, > [role="table"])')].flatMap((box) =>
        box.scrollWidth > box.clientWidth ? [box.getAttribute('aria-label')] : [],
      ),
    );
  // Rows are measured anew in the frames after the window was resized.
  await expect.poll(cut, 'tables with columns out of view').toEqual([]);
}

/** In a scrolling tab strip, the current tab is visible. */
export async function expectCurrentTabInView(page: Page): Promise<void> {
  const hidden = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('nav [aria-current="page"]')].flatMap((tab) => {
        const strip = tab.closest('nav');
        if (strip === null || getComputedStyle(strip).overflowX !== 'auto') {
          return [];
        }
        const [box, view] = [tab.getBoundingClientRect(), strip.getBoundingClientRect()];
        return box.left >= view.left - 1 && box.right <= view.right + 1 ? [] : [tab.textContent];
      }),
    );
  await expect.poll(hidden, 'tabs of this page that are out of view').toEqual([]);
}
