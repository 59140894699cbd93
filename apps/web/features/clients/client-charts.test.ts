// How pushes of clients become the lines of charts.
import { expect, test } from 'vitest';
import { type ClientSeries, clientChartGroups, clientChartInput, heldBetweenPushes } from './client-charts.ts';

const charts = clientChartGroups.flatMap((group) => group.charts);

function answerOf(series: ClientSeries['series']): ClientSeries {
  return { level: '10s', startMs: 0, stepMs: 10_000, steps: 4, series };
}

test('no two charts share an ID or a title', () => {
  expect(new Set(charts.map(({ id }) => id)).size).toBe(charts.length);
  expect(new Set(charts.map(({ title }) => title)).size).toBe(charts.length);
});

// Not after the last one.
test('a value holds until the next push, for a limited time', () => {
  expect(heldBetweenPushes([null, 1, null, null, 2, null], 10_000)).toEqual([null, 1, 1, 1, 2, null]);
  expect(heldBetweenPushes([1, null, 2], 300_000)).toEqual([1, 1, 2]);
  expect(heldBetweenPushes([1, null, 2], 300_001)).toEqual([1, null, 2]);
  expect(heldBetweenPushes([null, null], 10_000)).toEqual([null, null]);
});

test('a chart has a line for each metric that clients pushed', () => {
  const queueTime = charts.find(({ id }) => id === 'record-queue-time');
  if (queueTime === undefined) {
    throw new Error('the chart is gone');
  }
  const mean = [1, null, 3, null];
  const max = [2, null, 5, null];
  const average = { metric: 'producer.record.queue.time.avg', unit: 'ms', mean, max } as const;
  expect(clientChartInput(queueTime, answerOf([{ ...average, mean: [...mean], max: [...max] }]))).toEqual({
    unit: 'ms',
    startMs: 0,
    stepMs: 10_000,
    lines: [{ key: 'Average', label: 'Average', values: [1, 1, 3, null] }],
  });
  expect(clientChartInput(queueTime, answerOf([]))).toBeNull();
});
