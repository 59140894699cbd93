/// <reference lib="dom" />
// The pricing page in a real browser, from a production build: its largest paint, single slider steps, and the frames
// of a dragged slider.
import { type Browser, chromium, type Page } from '@playwright/test';
import { quantile } from './estimate-time.ts';

const viewport = { width: 1440, height: 900 };
const DRAG_MS = 2_000;
/** The pointer moves as often as a 60 Hz screen refreshes. */
const POINTER_EVERY_MS = 16;
/** A frame counts as dropped when the next one is later than one and a half frames of 60 Hz. */
const DROPPED_ABOVE_MS = 25;

/** A page with one slider and one field that follows it: the best that this browser can do on this machine. */
export const barePage = `data:text/html,${encodeURIComponent(
  '<!doctype html><title>Bare</title><label>Write throughput, slider<input type=range max=1000></label><input id=shown>' +
    '<script>onchange=oninput=(event)=>{shown.value=event.target.value}</script>',
)}`;

export interface DragFrames {
  /** Frames that the same page dropped in two idle seconds: the machine's own share. */
  droppedAtRest: number;
  /** Frames drawn while the slider moved. */
  frames: number;
  dropped: number;
  p50Ms: number;
  worstMs: number;
  /** Input events of the slider: how many steps the page processed. */
  steps: number;
  /** Long tasks, which browsers report from 50 ms. */
  longTasks: number;
  /** CPU time of the page's main thread per step. */
  mainThreadMsPerStep: number;
  /** Elements, texts and attributes changed by one step. */
  changesPerStep: number;
}

export interface PagePaint {
  largestPaintMs: number;
  firstByteMs: number;
  htmlKib: number;
  elements: number;
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['PENSTOCK_CHROMIUM'] || '/usr/bin/chromium',
    // The sandbox needs privileges that root in a container lacks.
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

/** Loads the page with empty caches; resolves when no larger paint can follow. */
export async function measurePaint(browser: Browser, url: string): Promise<PagePaint> {
  const context = await browser.newContext({ viewport });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'networkidle' });
    return await page.evaluate(
      () =>
        new Promise<PagePaint>((resolve) => {
          // Buffered entries are delivered at once; the last is the largest paint.
          new PerformanceObserver((list) => {
            const [navigation] = performance.getEntriesByType('navigation');
            if (!(navigation instanceof PerformanceNavigationTiming)) {
              throw new Error('The browser tells nothing about the navigation');
            }
            resolve({
              largestPaintMs: list.getEntries().at(-1)?.startTime ?? Number.NaN,
              firstByteMs: navigation.responseStart,
              htmlKib: navigation.decodedBodySize / 1024,
              elements: document.querySelectorAll('*').length,
            });
          }).observe({ type: 'largest-contentful-paint', buffered: true });
        }),
    );
  } finally {
    await context.close();
  }
}

/** Drags the throughput slider back and forth for two seconds with the mouse. */
export async function measureDrag(browser: Browser, url: string): Promise<DragFrames> {
  const context = await browser.newContext({ viewport });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'networkidle' });
    const slider = page.getByLabel('Write throughput, slider');
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
    if (box === null) {
      throw new Error('The slider is not shown');
    }
    const cdp = await context.newCDPSession(page);
    await cdp.send('Performance.enable');
    const at = (share: number) => ({ x: box.x + box.width * share, y: box.y + box.height / 2 });
    const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', share: number) =>
      cdp.send('Input.dispatchMouseEvent', { type, ...at(share), button: 'left', buttons: 1, clickCount: 1 });
    const threadTime = async () => {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return (metrics.find((metric) => metric.name === 'ThreadTime')?.value ?? Number.NaN) * 1_000;
    };
    await watchFrames(page);
    await page.waitForTimeout(DRAG_MS);
    const droppedAtRest = droppedIn((await framesSeen(page)).gaps);
    await send('mousePressed', 0.2);
    await watchFrames(page);
    const beforeMs = await threadTime();
    // Pointer events follow the clock and do not wait for responses, as a hand does not wait for the page.
    const pending: Promise<unknown>[] = [];
    const startMs = performance.now();
    for (let elapsedMs = 0; elapsedMs < DRAG_MS; elapsedMs = performance.now() - startMs) {
      const phase = (elapsedMs / DRAG_MS) * 2;
      pending.push(send('mouseMoved', 0.2 + 0.6 * (phase <= 1 ? phase : 2 - phase)));
      await new Promise((resolve) => setTimeout(resolve, POINTER_EVERY_MS));
    }
    await Promise.all(pending);
    const usedMs = (await threadTime()) - beforeMs;
    const seen = await framesSeen(page);
    await send('mouseReleased', 0.2);
    if (seen.steps === 0) {
      throw new Error('The drag did not reach the slider');
    }
    return {
      droppedAtRest,
      frames: seen.gaps.length,
      dropped: droppedIn(seen.gaps),
      p50Ms: quantile(seen.gaps, 0.5),
      worstMs: Math.max(...seen.gaps),
      steps: seen.steps,
      longTasks: seen.longTasks,
      mainThreadMsPerStep: usedMs / seen.steps,
      changesPerStep: seen.changes / seen.steps,
    };
  } finally {
    await context.close();
  }
}

/** How long single slider steps take, one after the other, each once the page has settled. */
export interface StepTimes {
  /** From the key to the frame that shows the slider's new value. */
  inputMs: number[];
  /** From the key to new totals on the page. */
  totalsMs: number[];
  /** From the key to a new analysis: curve, sensitivity and break-even. */
  analysisMs: number[];
}

const STEPS = 20;

/** Presses the right arrow on the throughput slider and times what follows on the page's own clock. */
export async function measureSteps(browser: Browser, url: string): Promise<StepTimes> {
  const context = await browser.newContext({ viewport });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'networkidle' });
    const slider = page.getByLabel('Write throughput, slider');
    await slider.scrollIntoViewIfNeeded();
    await slider.focus();
    const times: StepTimes = { inputMs: [], totalsMs: [], analysisMs: [] };
    for (let step = 0; step < STEPS; step += 1) {
      await page.evaluate(() => {
        const field = document.querySelector<HTMLInputElement>('[name="throughput"]');
        const total = document.querySelector('[data-system="kafka"]');
        const analysis = [...document.querySelectorAll('p')].find((one) => one.textContent.includes('Penstock saves'));
        if (field === null || total === null || analysis === undefined) {
          throw new Error('The page has no calculator');
        }
        const before = field.value;
        const seen = new Promise<[number, number, number]>((resolve) => {
          document.addEventListener(
            'keydown',
            ({ timeStamp }) => {
              const found = [Number.NaN, Number.NaN, Number.NaN] as [number, number, number];
              const note = (index: 0 | 1 | 2) => {
                found[index] = performance.now() - timeStamp;
                if (!found.some(Number.isNaN)) {
                  resolve(found);
                }
              };
              const frame = () => {
                if (field.value === before) {
                  requestAnimationFrame(frame);
                } else {
                  note(0);
                }
              };
              requestAnimationFrame(frame);
              for (const [index, element] of [[1, total] as const, [2, analysis] as const]) {
                new MutationObserver((_, observer) => {
                  observer.disconnect();
                  note(index);
                }).observe(element, { subtree: true, childList: true, characterData: true, attributes: true });
              }
            },
            { once: true, capture: true },
          );
        });
        Object.assign(window, { seen });
      });
      await page.keyboard.press('ArrowRight');
      const [inputMs, totalsMs, analysisMs]: [number, number, number] = await page.evaluate(() =>
        Reflect.get(window, 'seen'),
      );
      times.inputMs.push(inputMs);
      times.totalsMs.push(totalsMs);
      times.analysisMs.push(analysisMs);
    }
    return times;
  } finally {
    await context.close();
  }
}

/** How many frames of 60 Hz are missing between those that were drawn. */
export function droppedIn(gapsMs: readonly number[]): number {
  return gapsMs.reduce((sum, gap) => sum + (gap > DROPPED_ABOVE_MS ? Math.round(gap / (1000 / 60)) - 1 : 0), 0);
}

interface Seen {
  gaps: number[];
  steps: number;
  longTasks: number;
  changes: number;
}

/** Starts recording the time between frames, the slider's steps, long tasks and page changes. */
async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: Seen = { gaps: [], steps: 0, longTasks: 0, changes: 0 };
    Object.assign(window, { seen });
    let last = performance.now();
    const frame = (now: number) => {
      seen.gaps.push(now - last);
      last = now;
      if (Reflect.get(window, 'seen') === seen) {
        requestAnimationFrame(frame);
      }
    };
    requestAnimationFrame((now) => {
      last = now;
      requestAnimationFrame(frame);
    });
    new PerformanceObserver((list) => {
      seen.longTasks += list.getEntries().length;
    }).observe({ type: 'longtask' });
    new MutationObserver((records) => {
      seen.changes += records.length;
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    document.addEventListener('input', () => {
      seen.steps += 1;
    });
  });
}

async function framesSeen(page: Page): Promise<Seen> {
  const seen: Seen = await page.evaluate(() => Reflect.get(window, 'seen'));
  if (seen.gaps.length === 0) {
    throw new Error('The browser drew no frame');
  }
  return seen;
}
