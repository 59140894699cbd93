import { expect, test } from 'vitest';
import { StallMeter } from './stall-meter.ts';
import { blockThread } from './testing/lease-rival.ts';

test('a stall of the thread is found in the metrics once, and stays the longest', async () => {
  const meter = new StallMeter();
  const read = (): Map<string, number> =>
    new Map(meter.metrics().map(({ name, samples }) => [name, samples[0]?.value ?? 0]));
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
  await turn();
  blockThread(300);
  await turn();
  const stalled = read();
  expect(stalled.get('penstock_metadata_event_loop_stall_seconds')).toBeGreaterThan(0.25);
  await turn();
  const longest = read().get('penstock_metadata_event_loop_longest_stall_seconds');
  expect(longest).toBeGreaterThan(0.25);
  meter.stop();
});
