// `npm run bench -- pricing`: one estimate in this process, and in a browser the page's largest paint, single slider steps
// and the frames of a dragged slider, from a production build or from the installation at PENSTOCK_BENCH_WEB_URL. Prints
// a table and one line of JSON, and saves it in results/pricing.json.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '../../../infra/local/build.ts';
import { startSystem } from '../../../infra/local/system.ts';
import { describeMachine } from './machine.ts';
import { measureEstimate, quantile } from './pricing/estimate-time.ts';
import {
  barePage,
  type DragFrames,
  measureDrag,
  measurePaint,
  measureSteps,
  openBrowser,
  type PagePaint,
  type StepTimes,
} from './pricing/page-time.ts';
import { reportResult, rounded } from './results.ts';

const ROUNDS = 12;
/** Number of rounds with 20 steps each. */
const STEP_ROUNDS = 3;

function say(what: string, figures: string): void {
  process.stdout.write(`  ${what.padEnd(30)}${figures}\n`);
}

/** The median round, because other programs disturb some of them. */
function middle<Result>(results: readonly Result[], by: (result: Result) => number): Result {
  const sorted = results.toSorted((a, b) => by(a) - by(b));
  const result = sorted[Math.floor(sorted.length / 2)];
  if (result === undefined) {
    throw new Error('Nothing was measured');
  }
  return result;
}

/** Our own web app from a production build, with empty data; `stop` stops it. */
async function startWeb(): Promise<{ url: string; stop: () => Promise<void> }> {
  const running = process.env['PENSTOCK_BENCH_WEB_URL'];
  if (running !== undefined && running !== '') {
    return { url: running, stop: async () => undefined };
  }
  await buildWeb();
  const home = await mkdtemp(join(tmpdir(), 'penstock-bench-'));
  const deaths: string[] = [];
  const system = await startSystem({
    home,
    agents: [],
    hasWorker: false,
    isQuiet: true,
    events: {
      onDeath: (name, reason) => deaths.push(`${name} ended (${reason})`),
      onRestart: () => undefined,
      onDatabaseDeath: (lines) => deaths.push(`PostgreSQL ended: ${lines}`),
    },
  });
  return {
    url: system.webUrl ?? '',
    stop: async () => {
      await system.stop();
      await rm(home, { recursive: true, force: true });
      if (deaths.length > 0) {
        throw new Error(`Not a valid run: ${deaths.join('; ')}`);
      }
    },
  };
}

/** `cold` is the first request to the web app's process: one visitor per process waits for its compilation. */
async function measurePage(url: string): Promise<{
  cold: PagePaint;
  paints: PagePaint[];
  steps: StepTimes[];
  drags: DragFrames[];
  bareDrags: DragFrames[];
}> {
  const browser = await openBrowser();
  try {
    const cold = await measurePaint(browser, url);
    const paints: PagePaint[] = [];
    const steps: StepTimes[] = [];
    const drags: DragFrames[] = [];
    const bareDrags: DragFrames[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      paints.push(await measurePaint(browser, url));
      drags.push(await measureDrag(browser, url));
      bareDrags.push(await measureDrag(browser, barePage));
    }
    for (let round = 0; round < STEP_ROUNDS; round += 1) {
      steps.push(await measureSteps(browser, url));
    }
    return { cold, paints, steps, drags, bareDrags };
  } finally {
    await browser.close();
  }
}

const loadBefore = loadavg()[0] ?? 0;
const estimate = measureEstimate();
say('one estimate, 12 systems', `p50 ${estimate.p50Ms.toFixed(3)} ms  p99 ${estimate.p99Ms.toFixed(3)} ms`);

const web = await startWeb();
const { cold, paints, steps, drags, bareDrags } = await measurePage(`${web.url}/pricing`).finally(web.stop);
const largestPaintsMs = paints.map((paint) => paint.largestPaintMs);
const paint = middle(paints, (one) => one.largestPaintMs);
const drag = middle(drags, (one) => one.dropped);
say(
  'largest paint',
  `${largestPaintsMs.map((time) => time.toFixed(0)).join(', ')} ms, by the first request ever ${cold.largestPaintMs.toFixed(0)} ms; HTML ${paint.htmlKib.toFixed(0)} KiB`,
);
const stepMs = (of: keyof StepTimes, share: number) =>
  quantile(
    steps.flatMap((one) => one[of]),
    share,
  );
say(
  'a slider step, p50 and p95',
  (['inputMs', 'totalsMs', 'analysisMs'] as const)
    .map((of) => `${of.replace('Ms', '')} ${stepMs(of, 0.5).toFixed(0)} and ${stepMs(of, 0.95).toFixed(0)} ms`)
    .join(', '),
);
for (const one of drags) {
  say(
    'slider drag of 2 s',
    `${one.frames} frames, ${one.dropped} dropped (${one.droppedAtRest} at rest), worst ${one.worstMs.toFixed(1)} ms, ${one.steps} steps of ` +
      `${one.mainThreadMsPerStep.toFixed(1)} ms main thread and ${one.changesPerStep.toFixed(0)} changes, ${one.longTasks} long tasks`,
  );
}
const bareDrag = middle(bareDrags, (one) => one.mainThreadMsPerStep);
say(
  'the same on a bare page',
  `${bareDrags.map((one) => one.dropped).join(', ')} dropped, ${bareDrag.mainThreadMsPerStep.toFixed(1)} ms main thread a step`,
);
await reportResult('pricing', {
  bench: 'pricing',
  command: 'npm run bench -- pricing',
  estimate_p50_ms: rounded(estimate.p50Ms, 3),
  estimate_p99_ms: rounded(estimate.p99Ms, 3),
  largest_paint_ms: rounded(paint.largestPaintMs),
  largest_paint_worst_ms: rounded(Math.max(...largestPaintsMs)),
  largest_paint_cold_ms: rounded(cold.largestPaintMs),
  first_byte_ms: rounded(
    quantile(
      paints.map((one) => one.firstByteMs),
      0.5,
    ),
  ),
  html_kib: rounded(paint.htmlKib),
  elements: paint.elements,
  step_input_p50_ms: rounded(stepMs('inputMs', 0.5), 1),
  step_input_p95_ms: rounded(stepMs('inputMs', 0.95), 1),
  step_totals_p50_ms: rounded(stepMs('totalsMs', 0.5), 1),
  step_totals_p95_ms: rounded(stepMs('totalsMs', 0.95), 1),
  step_analysis_p50_ms: rounded(stepMs('analysisMs', 0.5), 1),
  step_analysis_p95_ms: rounded(stepMs('analysisMs', 0.95), 1),
  drag_frames: drag.frames,
  drag_frames_dropped: drag.dropped,
  rest_frames_dropped: drag.droppedAtRest,
  drag_worst_frame_ms: rounded(drag.worstMs, 1),
  drag_steps: drag.steps,
  drag_main_thread_ms_per_step: rounded(drag.mainThreadMsPerStep, 1),
  drag_changes_per_step: rounded(drag.changesPerStep),
  drag_long_tasks: drag.longTasks,
  drag_frames_dropped_by_round: drags.map((one) => one.dropped),
  bare_drag_frames_dropped_by_round: bareDrags.map((one) => one.dropped),
  bare_drag_main_thread_ms_per_step: rounded(bareDrag.mainThreadMsPerStep, 1),
  rounds: ROUNDS,
  load_average_before: rounded(loadBefore, 2),
  machine: await describeMachine(),
});
