import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { CounterSums } from './counter-sums.ts';

test('a sum keeps the last reading of a killed process', async () => {
  let text = '';
  const server = createServer((_, response) => response.end(text));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sums = new CounterSums();
  for (const [applied, lost] of [
    [2, 1],
    [5, 1],
    [3, 0],
  ]) {
    text = `# HELP jobs_total Jobs.\njobs_total{event="applied"} ${applied}\njobs_total{event="lost"} ${lost}\nopen 7\n`;
    await sums.read(url);
  }
  await new Promise((resolve) => server.close(resolve));
  await sums.read(url);
  expect(sums.sum('jobs_total', 'applied')).toBe(8);
  expect(sums.sum('jobs_total')).toBe(9);
  expect(sums.sum('open')).toBe(0);
});
