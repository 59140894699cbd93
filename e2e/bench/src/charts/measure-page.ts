/// <reference lib="dom" />
// Main-thread cost of a page of charts in a real browser.
import { gzipSync } from 'node:zlib';
import type { Browser, CDPSession, Page } from '@playwright/test';

const MOVES = 100;
const REDRAWS = 20;
const POINTER_EVERY_MS = 16;

export interface PageCost {
  scriptKib: number;
  scriptGzipKib: number;
  /** Main-thread time until the page is drawn, including parsing its script. */
  firstDrawMs: number;
  /** Main-thread time per pointer move over one of the charts. */
  perMoveMs: number;
  /** Main-thread time to advance all charts by a step. */
  perRedrawMs: number;
}

/** Draws the page, moves the pointer over its first chart, then advances all charts. */
export async function measurePage(browser: Browser, script: string): Promise<PageCost> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Performance.enable');
    await page.setContent('<!doctype html><title>Charts</title><div id="root" style="width:640px"></div>');
    const firstDrawMs = await costOf(cdp, async () => {
      await page.addScriptTag({ content: script });
      await drawn(page);
    });
    const box = await page.locator('#root svg').first().boundingBox();
    if (box === null) {
      throw new Error('The page drew no chart');
    }
    const moves = await costOf(cdp, async () => {
      for (let move = 0; move < MOVES; move += 1) {
        await page.mouse.move(box.x + 60 + ((box.width - 80) * move) / MOVES, box.y + box.height / 2);
        await new Promise((resolve) => setTimeout(resolve, POINTER_EVERY_MS));
      }
      await drawn(page);
    });
    const redraws = await costOf(cdp, async () => {
      for (let redraw = 0; redraw < REDRAWS; redraw += 1) {
        await page.evaluate(() => Reflect.get(window, 'redraw')());
        await drawn(page);
      }
    });
    return {
      scriptKib: script.length / 1024,
      scriptGzipKib: gzipSync(script).length / 1024,
      firstDrawMs,
      perMoveMs: moves / MOVES,
      perRedrawMs: redraws / REDRAWS,
    };
  } finally {
    await context.close();
  }
}

async function costOf(cdp: CDPSession, work: () => Promise<void>): Promise<number> {
  const threadMs = async (): Promise<number> => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1_000;
  };
  const before = await threadMs();
  await work();
  return (await threadMs()) - before;
}

/** Resolves after a frame with all pending updates. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  );
}
