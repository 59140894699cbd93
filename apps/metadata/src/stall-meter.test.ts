import { expect, test } from 'vitest';
import { StallMeter } from './stall-meter.ts';
import { blockThread } from './testing/lease-rival.ts';

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

function read(meter: StallMeter): Map<string, number> {
  return new Map(meter.metrics().map(({ name, samples }) => [name, samples[0]?.value ?? 0]));
}

function useCpu(forMs: number): void {
  const start = process.threadCpuUsage();
  for (let usedUs = 0; usedUs < forMs * 1_000; ) {
    const { user, system } = process.threadCpuUsage(start);
    usedUs = user + system;
  }
}

test('reports a stall of the thread once and keeps the longest', async () => {
  const meter = new StallMeter();
  await turn();
  blockThread(300);
  await turn();
  expect(read(meter).get('penstock_metadata_event_loop_stall_seconds')).toBeGreaterThan(0.25);
  await turn();
  expect(read(meter).get('penstock_metadata_event_loop_longest_stall_seconds')).toBeGreaterThan(0.25);
  meter.stop();
});

test('tells a stall that computes from one that waits', async () => {
  const meter = new StallMeter();
  await turn();
  read(meter);
  blockThread(300);
  await turn();
  expect(read(meter).get('penstock_metadata_event_loop_stall_cpu_seconds')).toBeLessThan(0.2);
  useCpu(300);
  await turn();
  expect(read(meter).get('penstock_metadata_event_loop_stall_cpu_seconds')).toBeGreaterThanOrEqual(0.3);
  await turn();
  expect(read(meter).get('penstock_metadata_event_loop_longest_stall_cpu_seconds')).toBeGreaterThanOrEqual(0.3);
  meter.stop();
});
