import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { figureName } from './figure-name.ts';
import { OWN_TITLES } from './own-charts.ts';
import { readOwnResult } from './own-result.ts';
import { SOURCES_MEASURED } from './published-measurements.ts';

const results = new URL('../../../../e2e/bench/results/', import.meta.url);

it.each([
  ['full_speed_p99_ms', 'Full speed p99', 'ms'],
  ['kafka_read_cpu_s_per_gib', 'Kafka: read CPU', 's per GiB'],
  ['write_mib_per_s', 'Write', 'MiB/s'],
  ['puts_per_gib', 'PUTs', 'per GiB'],
  ['kafka_mib_per_s', 'Kafka', 'MiB/s'],
  ['sort_cpu_s_per_stored_gib', 'Sort CPU', 's per stored GiB'],
  ['s3_merged_read_gets_per_gib', 'S3 merged read GETs', 'per GiB'],
  ['drag_main_thread_ms_per_step', 'Drag main thread', 'ms per step'],
  ['rss_mib_day_7', 'Resident memory, day 7', 'MiB'],
  ['worst_stall_ms_until_day_7', 'Worst stall until day 7', 'ms'],
  ['journal_gib_per_day_at_day_7', 'Journal at day 7', 'GiB per day'],
  ['stall_ms_by_work.flushes alone', 'Stall by work: flushes alone', 'ms'],
  ['pages.useful_ms.overview', 'Pages: useful, overview', 'ms'],
  ['bytes_written_per_byte_stored', 'Bytes written per byte stored', ''],
  ['runs_per_commit', 'Runs per commit', ''],
  ['seconds', 'Duration', 's'],
])('%s is %s in %s', (key, label, unit) => {
  expect(figureName(key)).toEqual({ label, unit });
});

it.each(readdirSync(results))('%s has a title, and its figures have names and units', (name) => {
  const result = readOwnResult(name, JSON.parse(readFileSync(new URL(name, results), 'utf8')));
  expect(OWN_TITLES[result?.name ?? '']).toBeDefined();
  for (const { label } of result?.figures ?? []) {
    expect(label).toMatch(/^[A-Z]/);
    expect(label).not.toMatch(/_|\b(ms|mib|gib|kib|rss|cpu|rpc|wal)\b/);
  }
});

it('a published measurement has its unit once', () => {
  for (const { bars, unit } of SOURCES_MEASURED.flatMap(({ measurements }) => measurements)) {
    for (const { text } of bars) {
      expect(`${text} ${unit}`).not.toMatch(/(ms|s|%) (ms|s|%)/);
      expect(text).toMatch(/^[a-z ]*[\d.,]+$/);
    }
  }
});
