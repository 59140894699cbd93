// Page times as a table.
import { type PageMeasurement, summaryOf } from './pages.ts';

export function sayPages(measurement: PageMeasurement): void {
  const { agents, partitions, times } = measurement;
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  say(`\nPages of a cluster with ${agents} agents and ${partitions} partitions, in Chromium, with an empty cache:`);
  const list = (moments: readonly number[]): string => moments.map((time) => time.toFixed(0)).join(', ');
  for (const { page, useful_ms, unloaded_useful_ms, live_ms, interactions_ms } of times) {
    const interactions =
      interactions_ms.length === 0
        ? ''
        : `; ${interactions_ms.length} interactions of 16 ms or more, the longest ${Math.max(...interactions_ms)} ms`;
    say(
      `  ${page.padEnd(10)}useful after ${list(useful_ms)} ms, live after ${list(live_ms)} ms; while no agent reports useful after ${list(unloaded_useful_ms)} ms${interactions}`,
    );
  }
  say(JSON.stringify(summaryOf(measurement)));
}
