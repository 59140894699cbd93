import { expect, test } from 'vitest';
import { renderOpenMetrics } from './openmetrics.ts';
import { Counts, Durations } from './recorders.ts';

test('counts each combination of labels', () => {
  const counts = new Counts(['method', 'code']);
  counts.add('Locate', 'ok');
  counts.add('Locate', 'ok');
  counts.add('Locate', 'unavailable');
  expect(renderOpenMetrics([counts.family('calls', 'Calls.')])).toBe(
    [
      '# TYPE calls counter',
      '# HELP calls Calls.',
      'calls_total{method="Locate",code="ok"} 2',
      'calls_total{method="Locate",code="unavailable"} 1',
      '# EOF',
      '',
    ].join('\n'),
  );
});

test('buckets are cumulative, their upper bounds included', () => {
  const durations = new Durations(['route'], [0.1, 1]);
  for (const seconds of [0.1, 0.5, 0.25, 7]) {
    durations.record(seconds, '/app');
  }
  expect(renderOpenMetrics([durations.family('request_seconds', 'Requests.')])).toBe(
    [
      '# TYPE request_seconds histogram',
      '# UNIT request_seconds seconds',
      '# HELP request_seconds Requests.',
      'request_seconds_bucket{route="/app",le="0.1"} 1',
      'request_seconds_bucket{route="/app",le="1.0"} 3',
      'request_seconds_bucket{route="/app",le="+Inf"} 4',
      'request_seconds_count{route="/app"} 4',
      'request_seconds_sum{route="/app"} 7.85',
      '# EOF',
      '',
    ].join('\n'),
  );
});

test('nothing recorded is no series', () => {
  expect(new Durations([], [1]).family('append_seconds', 'Appends.').samples).toEqual([]);
});
