// `npm run bench -- charts`: twenty charts of a metrics page drawn by us, and the same drawn with Recharts. Prints a table and one line of
// JSON, and saves it in results/charts.json.
import { bundlePage } from './charts/bundle.ts';
import { measurePage, type PageCost } from './charts/measure-page.ts';
import { describeMachine } from './machine.ts';
import { openBrowser } from './pricing/page-time.ts';
import { reportResult, rounded } from './results.ts';

const CHARTS = 20;
const ROUNDS = 5;

/** The median round by the cost of a pointer move. */
function middle(costs: readonly PageCost[]): PageCost {
  const cost = costs.toSorted((left, right) => left.perMoveMs - right.perMoveMs)[Math.floor(costs.length / 2)];
  if (cost === undefined) {
    throw new Error('Nothing was measured');
  }
  return cost;
}

const browser = await openBrowser();
const figures: Record<string, number> = {};
try {
  for (const page of ['ours', 'recharts'] as const) {
    const script = await bundlePage(page, CHARTS);
    const costs: PageCost[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      costs.push(await measurePage(browser, script));
    }
    const { scriptKib, scriptGzipKib, firstDrawMs, perMoveMs, perRedrawMs } = middle(costs);
    process.stdout.write(
      `  ${page.padEnd(10)}${scriptKib.toFixed(0)} KiB of script (${scriptGzipKib.toFixed(0)} compressed), first draw ` +
        `${firstDrawMs.toFixed(0)} ms, a move of the pointer ${perMoveMs.toFixed(1)} ms, a new step ${perRedrawMs.toFixed(1)} ms\n`,
    );
    const prefix = page === 'ours' ? '' : `${page}_`;
    Object.assign(figures, {
      [`${prefix}script_kib`]: rounded(scriptKib),
      [`${prefix}compressed_script_kib`]: rounded(scriptGzipKib),
      [`${prefix}first_draw_cpu_ms`]: rounded(firstDrawMs),
      [`${prefix}pointer_move_cpu_ms`]: rounded(perMoveMs, 1),
      [`${prefix}new_step_cpu_ms`]: rounded(perRedrawMs, 1),
    });
  }
} finally {
  await browser.close();
}
await reportResult('charts', {
  bench: 'charts',
  command: 'npm run bench -- charts',
  charts: CHARTS,
  rounds: ROUNDS,
  ...figures,
  machine: await describeMachine(),
});
