// Page times as a table.
import { type PageMeasurement, summaryOf } from './pages.ts';

export function sayPages(measurement: PageMeasurement): void {
  const { agents, partitions, times } = measurement;
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  const list = (moments: readonly number[]): string => moments.map((time) => time.toFixed(0)).join(', ');
  say(`\nPages of a cluster with ${agents} agents and ${partitions} partitions, in Chromium, with an empty cache:`);
  for (const {
    page,
    useful_ms: usefulMs,
    unloaded_useful_ms: unloadedUsefulMs,
    live_ms: liveMs,
    interactions,
  } of times) {
    say(`  ${page.padEnd(10)}useful after ${list(usefulMs)} ms, live after ${list(liveMs)} ms`);
    say(`  ${''.padEnd(10)}while no agent reports: useful after ${list(unloadedUsefulMs)} ms`);
    const [longest] = interactions.toSorted((left, right) => right.ms - left.ms);
    if (longest === undefined) {
      continue;
    }
    const longestText = `the longest ${longest.ms} ms (${longest.what})`;
    say(`  ${''.padEnd(10)}${interactions.length} interactions of 16 ms or more, ${longestText}`);
  }
  say(JSON.stringify(summaryOf(measurement)));
}
