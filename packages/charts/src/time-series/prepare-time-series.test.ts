import { MINUTE_MS } from '@penstock/units';
import { describe, expect, test } from 'vitest';
import { isolateLine } from './isolate-line.ts';
import { pathOf, prepareTimeSeries, stepAt, type TimeSeriesInput } from './prepare-time-series.ts';
import { timeTicks, timeZoneOf } from './time-axis.ts';
import { toCsv } from './to-csv.ts';
import { scaleFor, valueText, valueTicks } from './value-scale.ts';

const startMs = Date.UTC(2026, 10, 21, 10, 0, 0);
const utc = timeZoneOf('UTC', startMs);
const window = { startMs, endMs: startMs + 15 * MINUTE_MS };

function input(change: Partial<TimeSeriesInput> = {}): TimeSeriesInput {
  const lines = [{ key: 'a', label: 'a', values: [1, null, 3] }];
  return { unit: 'ms', startMs, stepMs: 10_000, lines, ...change };
}

describe('lines', () => {
  test('a gap breaks the line, and lone measurements are points', () => {
    const identity = (value: number) => value;
    expect(pathOf([1, 2, null, 4, null, 6, 7], identity, identity)).toBe(
      'M0.0 1.0L1.0 2.0M3.0 4.0h0.01M5.0 6.0L6.0 7.0',
    );
    expect(pathOf([null, null], identity, identity)).toBe('');
  });

  test('the largest lines get the colours and the rest are grey', () => {
    const lines = Array.from({ length: 9 }, (_, index) => ({
      key: String(index),
      label: String(index),
      values: [index + 1],
    }));
    const data = prepareTimeSeries(input({ lines }), window, utc);
    expect(data.lines.map(({ key }) => key)).toEqual(['8', '7', '6', '5', '4', '3', '2', '1', '0']);
    expect(data.lines.map(({ hasColour }) => hasColour)).toEqual([...Array(6).fill(true), false, false, false]);
  });

  test('percentiles keep their order and colours', () => {
    const lines = ['p50', 'p95', 'p99'].map((key, index) => ({ key, label: key, values: [index] }));
    const data = prepareTimeSeries(input({ lines }), window, utc, true);
    expect(data.lines.map(({ key }) => key)).toEqual(['p50', 'p95', 'p99']);
  });

  test('omits lines without measurements and says if none is left', () => {
    const data = prepareTimeSeries(input({ lines: [{ key: 'a', label: 'a', values: [null, null] }] }), window, utc);
    expect(data).toMatchObject({ lines: [], measured: false, bottom: 0 });
    expect(data.yTicks.length).toBeGreaterThan(1);
  });

  test('the newest value is missing when the newest step is a gap', () => {
    const [line] = prepareTimeSeries(
      input({ lines: [{ key: 'a', label: 'a', values: [5, null] }] }),
      window,
      utc,
    ).lines;
    expect(line).toMatchObject({ latest: null, greatest: 5 });
  });

  test('a negative offset fits on the axis', () => {
    const data = prepareTimeSeries(input({ lines: [{ key: 'a', label: 'a', values: [-90, 40] }] }), window, utc);
    expect(data.bottom).toBeLessThanOrEqual(-90);
    expect(data.top).toBeGreaterThanOrEqual(40);
    expect(new Set(data.yTicks.map(({ value }) => value)).size).toBe(data.yTicks.length);
  });

  test('a time belongs to its step, and to none outside the window', () => {
    const data = prepareTimeSeries(input(), window, utc);
    expect([startMs - 1, startMs, startMs + 29_999, startMs + 30_000].map((timeMs) => stepAt(data, timeMs))).toEqual([
      null,
      0,
      2,
      null,
    ]);
  });
});

test('a selected line keeps or gets a colour and its own axis', () => {
  const lines = Array.from({ length: 8 }, (_, index) => ({
    key: String(index),
    label: '',
    values: [10 ** (8 - index)],
  }));
  const data = prepareTimeSeries(input({ lines }), window, utc);
  const second = isolateLine(data, '1');
  expect(second.lines).toEqual([data.lines[1]]);
  expect(second.top).toBeLessThan(data.top);
  expect(isolateLine(data, '7').lines.map(({ hasColour, colour }) => [hasColour, colour])).toEqual([
    [true, data.lines[0]?.colour],
  ]);
});

describe('values', () => {
  test.each([
    ['ms', 0.4, 'µs', '400 µs'],
    ['ms', 12.34, 'ms', '12.3 ms'],
    ['ms', 45_000, 's', '45 s'],
    ['B/s', 31 * 2 ** 20, 'MiB/s', '31.0 MiB/s'],
    ['KiB', 2 ** 21, 'GiB', '2.00 GiB'],
    ['ratio', 0.982, '%', '98.2%'],
    ['1/s', 1_250, 'per second', '1.25k/s'],
    ['cores', 0.25, 'cores', '0.25 cores'],
  ] as const)('%s of %d has an axis in %s and the text %s', (unit, value, axis, text) => {
    expect(scaleFor(unit, value).unit).toBe(axis);
    expect(valueText(unit, value)).toBe(text);
  });

  test('ticks are round in the unit of the axis and reach the peak', () => {
    const scale = scaleFor('B/s', 31 * 2 ** 20);
    expect(valueTicks(31 * 2 ** 20, scale).map(({ text }) => text)).toEqual(['0', '10', '20', '30', '40']);
  });
});

describe('times', () => {
  test.each([
    [15, ['10:00', '10:05', '10:10', '10:15']],
    [60, ['10:00', '10:10', '10:20', '10:30', '10:40', '10:50', '11:00']],
    [24 * 60, ['12:00', '18:00', '22 Nov', '06:00']],
  ])('a window of %d minutes has ticks at round times', (minutes, texts) => {
    const ticks = timeTicks(startMs, startMs + minutes * MINUTE_MS, 6, utc);
    expect(ticks.map(({ text }) => text)).toEqual(texts);
  });

  test('days begin at local midnight across clock changes', () => {
    const berlin = timeZoneOf('Europe/Berlin', Date.UTC(2026, 9, 24));
    // Summer time ends on 25 October 2026.
    const ticks = timeTicks(Date.UTC(2026, 9, 23, 12), Date.UTC(2026, 9, 27, 12), 5, berlin);
    expect(ticks.map(({ timeMs }) => new Date(timeMs).toISOString().slice(0, 16))).toEqual([
      '2026-10-23T22:00',
      '2026-10-24T22:00',
      '2026-10-25T23:00',
      '2026-10-26T23:00',
    ]);
    expect(ticks.map(({ text }) => text)).toEqual(['24 Oct', '25 Oct', '26 Oct', '27 Oct']);
    expect(berlin.name).toBe('CEST');
  });
});

describe('the CSV file of a chart', () => {
  test('has a row per step, empty gaps and headings with units', () => {
    expect(toCsv(prepareTimeSeries(input(), window, utc))).toBe(
      ['time,a (ms)', '2026-11-21T10:00:00.000Z,1', '2026-11-21T10:00:10.000Z,', '2026-11-21T10:00:20.000Z,3', ''].join(
        '\r\n',
      ),
    );
  });

  test('quotes names and marks as text what would execute', () => {
    const lines = [
      { key: '1', label: '=cmd()', values: [1] },
      { key: '2', label: 'a,"b"', values: [1] },
    ];
    const [heading] = toCsv(prepareTimeSeries(input({ lines }), window, utc, true)).split('\r\n');
    expect(heading).toBe(`time,'=cmd() (ms),"a,""b"" (ms)"`);
  });
});
