/// <reference lib="dom" />
// The pages of a large cluster in a real browser, from a production build: when they show their content, and how long the browser takes
// from a click or key press to the next frame.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { startSystem } from '../../../../infra/local/system.ts';
import { quantile } from '../pricing/estimate-time.ts';
import { openBrowser } from '../pricing/page-time.ts';
import { type LargeCluster, startLargeCluster } from './large-cluster.ts';

const viewport = { width: 1440, height: 900 };
/** Two windows of every agent are stored. */
const SETTLE_MS = 25_000;
const LONGEST_WAIT_MS = 30_000;

/** Selects the first row of a table of any length. */
const FIRST_ROW = '[role="table"] [role="row"][aria-rowindex="2"] [role="cell"]';
/** The pause between two loads, so that held-back reports are sent. */
const CALM_MS = 1_500;

interface MeasuredPage {
  name: string;
  /** Path below the cluster's address. */
  path: string;
  /** The page's content with its data: all of these must be on the screen, and none may be a placeholder. */
  useful: readonly string[];
  interact?: (page: Page) => Promise<void>;
}

const pages: readonly MeasuredPage[] = [
  { name: 'overview', path: '', useful: ['[data-testid="verdict"]', 'main dl dd', '[data-testid="metered-gib"]'] },
  {
    name: 'agents',
    path: '/agents',
    useful: ['ul[aria-label="Zones"] button', FIRST_ROW],
    interact: async (page) => {
      const zone = page.getByRole('list', { name: 'Zones' }).getByRole('button').first();
      await zone.click();
      await zone.click();
      await page.getByRole('searchbox').pressSequentially('agent-1', { delay: 120 });
      await page.getByRole('searchbox').press('Control+A');
      await page.getByRole('searchbox').press('Delete');
    },
  },
  {
    name: 'topics',
    path: '/topics',
    useful: [FIRST_ROW],
    interact: async (page) => {
      const topics = page.locator('[data-topic] button[aria-expanded]');
      for (const at of [0, 1, 2]) {
        await topics.nth(at).click();
      }
    },
  },
  {
    name: 'groups',
    path: '/groups',
    useful: [FIRST_ROW],
    interact: async (page) => {
      const group = page.locator('[data-group] button[aria-expanded]').first();
      await group.click();
      await group.click();
    },
  },
  // A line of a chart. (The icons in the page's header have paths too.)
  { name: 'metrics', path: '/metrics', useful: ['main section svg path[stroke-linejoin]'] },
];

export interface PageTimes {
  page: string;
  /** From the request to the frame that shows the content, with an empty cache; per round. */
  useful_ms: number[];
  /**
   * Like `useful_ms`, while no agent reports: the load of a thousand agents shares the machine with what is measured.
   */
  unloaded_useful_ms: number[];
  /** From the request until the page responds to input and its stream is open; per round. */
  live_ms: number[];
  /** From input to the next frame, as the browser's Event Timing reports it (to 8 ms); every interaction of all rounds. */
  interactions: Interaction[];
}

export interface Interaction {
  /** The event and its target. */
  what: string;
  ms: number;
}

export interface PageMeasurement {
  agents: number;
  partitions: number;
  times: PageTimes[];
}

/** Starts a separate system from the current build, enlarges its cluster and measures its pages. */
export async function measurePages(agents: number, partitions: number, rounds: number): Promise<PageMeasurement> {
  const home = await mkdtemp(join(tmpdir(), 'penstock-bench-pages-'));
  const deaths: string[] = [];
  const system = await startSystem({
    home,
    agents: [],
    isQuiet: true,
    events: {
      onDeath: (name, reason) => deaths.push(`${name} ended (${reason})`),
      onRestart: () => undefined,
      onDatabaseDeath: (lines) => deaths.push(`PostgreSQL ended: ${lines}`),
    },
  });
  let measured: PageMeasurement;
  try {
    const { demo, webUrl, metadata } = system;
    const rpcUrl = metadata[0]?.url;
    if (demo === undefined || webUrl === undefined || rpcUrl === undefined) {
      throw new Error('The system is not whole');
    }
    const cluster = { clusterId: demo.clusterId, key: demo.agentKey };
    const large = await startLargeCluster(rpcUrl, cluster, agents, partitions);
    await sleep(SETTLE_MS);
    const browser = await openBrowser();
    try {
      const signedIn = await signIn(browser, webUrl, demo);
      const times: PageTimes[] = [];
      for (const page of pages) {
        const url = `${webUrl}/app/clusters/${demo.clusterId}${page.path}`;
        times.push(await measurePage(browser, signedIn, large, { ...page, url }, rounds));
      }
      measured = { agents, partitions, times };
    } finally {
      await browser.close();
      await large.stop();
    }
  } finally {
    await system.stop();
    await rm(home, { recursive: true, force: true });
  }
  if (deaths.length > 0) {
    throw new Error(`Not a valid run: ${deaths.join('; ')}`);
  }
  return measured;
}

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

async function signIn(browser: Browser, webUrl: string, who: { email: string; password: string }): Promise<SignedIn> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await page.goto(`${webUrl}/sign-in`);
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/app');
  const state = await context.storageState();
  await context.close();
  return state;
}

async function measurePage(
  browser: Browser,
  signedIn: SignedIn,
  large: LargeCluster,
  { name, url, useful, interact }: MeasuredPage & { url: string },
  rounds: number,
): Promise<PageTimes> {
  const times: PageTimes = { page: name, useful_ms: [], unloaded_useful_ms: [], live_ms: [], interactions: [] };
  for (let round = 0; round < rounds; round += 1) {
    await load(browser, signedIn, url, useful, async (page, usefulAt) => {
      times.useful_ms.push(usefulAt);
      times.live_ms.push(await momentOf(page, 'liveAt'));
      if (interact === undefined) {
        return;
      }
      await interact(page);
      // Event timings are delivered after the frame that ends them.
      await page.waitForTimeout(300);
      times.interactions.push(...(await page.evaluate<Interaction[]>(() => Reflect.get(window, 'interactions'))));
    });
    large.pause();
    await load(browser, signedIn, url, useful, async (_page, usefulAt) => {
      times.unloaded_useful_ms.push(usefulAt);
    });
    large.resume();
    await sleep(CALM_MS);
  }
  return times;
}

/** Loads a page in a fresh context, with nothing cached. */
async function load(
  browser: Browser,
  signedIn: SignedIn,
  url: string,
  useful: readonly string[],
  inspect: (page: Page, usefulAt: number) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport, storageState: signedIn });
  try {
    const page = await context.newPage();
    await page.addInitScript(watchPage, [...useful]);
    await page.goto(url, { waitUntil: 'commit' });
    await inspect(page, await momentOf(page, 'usefulAt'));
  } finally {
    await context.close();
  }
}

async function momentOf(page: Page, name: 'usefulAt' | 'liveAt'): Promise<number> {
  await page.waitForFunction((wanted) => Reflect.get(window, wanted) !== undefined, name, { timeout: LONGEST_WAIT_MS });
  return page.evaluate<number, string>((wanted) => Reflect.get(window, wanted), name);
}

/** Runs in the page before its own scripts. */
function watchPage(useful: string[]): void {
  const interactions: Interaction[] = [];
  Object.assign(window, { interactions });
  const byInteraction = new Map<number, Interaction>();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const id: number = Reflect.get(entry, 'interactionId') ?? 0;
      if (id === 0) {
        continue;
      }
      if (entry.duration <= (byInteraction.get(id)?.ms ?? 0)) {
        continue;
      }
      const target: unknown = Reflect.get(entry, 'target');
      const label = target instanceof Element ? (target.getAttribute('aria-label') ?? target.textContent) : null;
      byInteraction.set(id, { what: `${entry.name} ${label?.slice(0, 40) ?? ''}`.trim(), ms: entry.duration });
      interactions.splice(0, interactions.length, ...byInteraction.values());
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  const isShown = (selector: string): boolean => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    return box !== undefined && box.width > 0 && box.height > 0;
  };
  const noteWhen = (name: string, selectors: readonly string[]): void => {
    const checkFrame = (): void => {
      if (!selectors.every(isShown)) {
        requestAnimationFrame(checkFrame);
      }
      // The frame after this one shows it.
      else {
        requestAnimationFrame(() => Object.assign(window, { [name]: performance.now() }));
      }
    };
    requestAnimationFrame(checkFrame);
  };
  noteWhen('usefulAt', useful);
  noteWhen('liveAt', ['[data-connection="live"]']);
}

/** The figures as printed and saved: median and worst of each page. */
export function summaryOf({ agents, partitions, times }: PageMeasurement) {
  const all = times.flatMap(({ interactions }) => interactions.map(({ ms }) => ms));
  return {
    agents,
    partitions,
    rounds: times[0]?.useful_ms.length ?? 0,
    useful_ms: medians(times, ({ useful_ms: usefulMs }) => usefulMs),
    worst_useful_ms: Math.round(Math.max(...times.flatMap(({ useful_ms: usefulMs }) => usefulMs))),
    unloaded_useful_ms: medians(times, ({ unloaded_useful_ms: unloadedUsefulMs }) => unloadedUsefulMs),
    live_ms: medians(times, ({ live_ms: liveMs }) => liveMs),
    interactions: all.length,
    // The browser does not report events below 16 ms.
    interaction_p50_ms: all.length === 0 ? 16 : quantile(all, 0.5),
    worst_interaction_ms: all.length === 0 ? 16 : Math.max(...all),
  };
}

function medians(times: readonly PageTimes[], of: (times: PageTimes) => number[]): Record<string, number> {
  return Object.fromEntries(times.map((own) => [own.page, Math.round(quantile(of(own), 0.5))]));
}
