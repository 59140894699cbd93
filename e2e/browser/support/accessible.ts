/// <reference lib="dom" />
// What every page owes to everybody, in the theme and width at hand.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose verdict a theme can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Reading {
  /** `colours` for a page that was read whole in the other theme: the two differ in nothing else. */
  of?: 'everything' | 'colours';
}

/** Reads the page as assistive technology does. */
export async function expectAccessible(page: Page, { of = 'everything' }: Reading = {}): Promise<void> {
  const axe = new AxeBuilder({ page })
    .options({
      runOnly: of === 'everything' ? { type: 'tag', values: TAGS } : { type: 'rule', values: COLOUR_RULES },
      // What passed is not reported element by element: it would take longer than the reading itself.
      resultTypes: ['violations'],
    })
    // In the page itself: there is no frame of another origin, for which the other mode opens a page of its own.
    .setLegacyMode(true);
  const { violations } = await axe.analyze();
  const faults = violations.map(({ id, nodes }) => ({
    rule: id,
    where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
  }));
  expect(faults).toEqual([]);
}

/** Nobody has to scroll sideways. */
export async function expectFits(page: Page): Promise<void> {
  const excessPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(excessPx, 'pixels beyond the right edge').toBeLessThanOrEqual(0);
}

/** Where tabs scroll within their strip, the one of this page can be seen. */
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
