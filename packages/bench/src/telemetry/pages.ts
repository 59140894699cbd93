/// <reference lib="dom" />
// The pages of a large cluster in a real browser, from a production build: when they show what they are for, and how long the browser
// takes from a click or a key to the next frame.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { startSystem } from '../../../../infra/local/system.ts';
import { quantile } from '../pricing/estimate-time.ts';
import { openBrowser } from '../pricing/page-time.ts';
import { startLargeCluster } from './large-cluster.ts';

const viewport = { width: 1440, height: 900 };
/** Two windows of every agent are there. */
const settle_ms = 25_000;
const longestWait_ms = 30_000;

interface MeasuredPage {
  name: string;
  /** Below the cluster's address. */
  path: string;
  /** What the page is for: the first row, the first figure, the first chart. */
  useful: string;
  interact?: (page: Page) => Promise<void>;
}

const pages: readonly MeasuredPage[] = [
  { name: 'overview', path: '', useful: 'dl dd, dl .nums' },
  {
    name: 'agents',
    path: '/agents',
    useful: '[role="table"] [role="row"][aria-rowindex="2"]',
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
    useful: 'tbody tr td',
    interact: async (page) => {
      const topics = page.locator('tbody button[aria-expanded]');
      for (const at of [0, 1, 2]) await topics.nth(at).click();
    },
  },
  {
    name: 'groups',
    path: '/groups',
    useful: 'tbody tr td',
    interact: async (page) => {
      const group = page.locator('tbody button[aria-expanded]').first();
      await group.click();
      await group.click();
    },
  },
  { name: 'metrics', path: '/metrics', useful: 'main svg path' },
];

export interface PageTimes {
  page: string;
  /** From the request to the frame that shows what the page is for, with an empty cache; each round. */
  useful_ms: number[];
  /** From input to the next frame, as the browser's Event Timing tells it (to 8 ms); every interaction of all rounds. */
  interactions_ms: number[];
}

export interface PageMeasurement {
  agents: number;
  partitions: number;
  times: PageTimes[];
}

/** Starts a system of its own from what is built, makes its cluster large and looks at it. */
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
    if (demo === undefined || webUrl === undefined || rpcUrl === undefined) throw new Error('The system is not whole');
    const cluster = { clusterId: demo.clusterId, key: demo.agentKey };
    const large = await startLargeCluster(rpcUrl, cluster, agents, partitions);
    await sleep(settle_ms);
    const browser = await openBrowser();
    try {
      const signedIn = await signIn(browser, webUrl, demo);
      const times: PageTimes[] = [];
      for (const page of pages) {
        times.push(await measurePage(browser, signedIn, `${webUrl}/app/clusters/${demo.clusterId}`, page, rounds));
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
  if (deaths.length > 0) throw new Error(`Not a valid run: ${deaths.join('; ')}`);
  return measured;
}

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

async function signIn(browser: Browser, webUrl: string, who: { email: string; password: string }): Promise<SignedIn> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await page.goto(`${webUrl}/sign-in`);
  await page.getByLabel('E-mail').fill(who.email);
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
  clusterUrl: string,
  { name, path, useful, interact }: MeasuredPage,
  rounds: number,
): Promise<PageTimes> {
  const times: PageTimes = { page: name, useful_ms: [], interactions_ms: [] };
  for (let round = 0; round < rounds; round += 1) {
    // A context of its own: nothing is cached.
    const context = await browser.newContext({ viewport, storageState: signedIn });
    try {
      const page = await context.newPage();
      await page.addInitScript(watchPage, useful);
      await page.goto(`${clusterUrl}${path}`, { waitUntil: 'commit' });
      await page.waitForFunction(() => Reflect.get(window, 'usefulAt') !== undefined, undefined, {
        timeout: longestWait_ms,
      });
      times.useful_ms.push(await page.evaluate<number>(() => Reflect.get(window, 'usefulAt')));
      if (interact === undefined) continue;
      await interact(page);
      // Event timings are told after the frame that they end with.
      await page.waitForTimeout(300);
      times.interactions_ms.push(...(await page.evaluate<number[]>(() => Reflect.get(window, 'interactions'))));
    } finally {
      await context.close();
    }
  }
  return times;
}

/** Runs in the page before anything else does. */
function watchPage(useful: string): void {
  const interactions: number[] = [];
  Object.assign(window, { interactions });
  const byInteraction = new Map<number, number>();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const id: number = Reflect.get(entry, 'interactionId') ?? 0;
      if (id === 0) continue;
      byInteraction.set(id, Math.max(byInteraction.get(id) ?? 0, entry.duration));
      interactions.splice(0, interactions.length, ...byInteraction.values());
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  const look = (): void => {
    const shown = document.querySelector(useful);
    const box = shown?.getBoundingClientRect();
    if (box === undefined || box.width === 0 || box.height === 0) {
      requestAnimationFrame(look);
      return;
    }
    // The frame after this one shows it.
    requestAnimationFrame(() => Object.assign(window, { usefulAt: performance.now() }));
  };
  requestAnimationFrame(look);
}

/** The figures as they are printed and kept: medians and worst of each page. */
export function summaryOf({ agents, partitions, times }: PageMeasurement) {
  const all = times.flatMap(({ interactions_ms }) => interactions_ms);
  return {
    agents,
    partitions,
    rounds: times[0]?.useful_ms.length ?? 0,
    useful_ms: Object.fromEntries(times.map(({ page, useful_ms }) => [page, Math.round(quantile(useful_ms, 0.5))])),
    worst_useful_ms: Math.round(Math.max(...times.flatMap(({ useful_ms }) => useful_ms))),
    interactions: all.length,
    // What took less than 16 ms is not told by the browser at all.
    interaction_p50_ms: all.length === 0 ? 16 : quantile(all, 0.5),
    worst_interaction_ms: all.length === 0 ? 16 : Math.max(...all),
  };
}
